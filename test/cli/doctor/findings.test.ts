import { describe, expect, it } from "vitest";
import { assessSkew, measureSkew } from "../../../src/cli/doctor/clock.ts";
import { assessInspection } from "../../../src/cli/doctor/inspection-findings.ts";
import { assessMysql, type MysqlFacts } from "../../../src/cli/doctor/mysql-findings.ts";
import { assessOutbox, assessPartitions, assessRedis } from "../../../src/cli/doctor/redis-findings.ts";

const AGREED = { skewMs: 3, uncertaintyMs: 1 };

const redis = (info: Readonly<Record<string, string>>, save: string | null = "") => {
  const all = { redis_version: "7.2.4", role: "master", maxmemory: "0", maxmemory_policy: "noeviction", ...info };
  const facts = { name: "", pingMs: 0.4, info: new Map(Object.entries(all)), save, clock: AGREED, scripts: true };
  const findings = assessRedis(facts);
  return (check: string) => findings.find((finding) => finding.check === check);
};

const mysql = (changes: Partial<MysqlFacts>) => {
  const facts = { version: "10.11.6-MariaDB", sqlMode: "", readOnly: false, zoneSeconds: 0, lacking: [] };
  const findings = assessMysql({ ...facts, clock: AGREED, serverWide: false, ...changes });
  return (check: string) => findings.filter((finding) => finding.check === check);
};

describe("what doctor makes of a Redis", () => {
  it.each([
    [{}, "ok", "Redis 7.2.4"],
    [{ redis_version: "8.0.1" }, "ok", "Redis 8.0.1"],
    [{ valkey_version: "8.1.0" }, "ok", "Valkey 8.1.0"],
    [{ redis_mode: "cluster" }, "ok", "Redis 7.2.4, cluster."],
    [{ valkey_version: "8.1.1", server_mode: "cluster" }, "ok", "Valkey 8.1.1, cluster."],
    [{ redis_version: "6.2.14" }, "error", "Redis 6.2.14"],
    [{ redis_version: "" }, "error", "Redis"],
  ])("takes version 7 and later, and Valkey: %j", (info, severity, what) => {
    expect(redis(info)("store.version")).toMatchObject({ severity, what: expect.stringContaining(what) });
  });

  it.each([
    [{}, "ok"],
    [{ maxmemory_policy: "allkeys-lru" }, "warning"],
    [{ maxmemory_policy: "volatile-ttl", maxmemory: "1048576" }, "error"],
    [{ maxmemory: "1048576" }, "ok"],
  ])("lets no policy take live records: %j", (info, severity) => {
    expect(redis(info)("store.eviction")?.severity).toBe(severity);
  });

  it("warns before memory runs out", () => {
    expect(redis({ maxmemory: "1000", used_memory: "950" })("store.memory")?.what).toContain("95 %");
    expect(redis({ maxmemory: "1000", used_memory: "500" })("store.memory")).toBeUndefined();
    expect(redis({ maxmemory: "0", used_memory: "950" })("store.memory")).toBeUndefined();
  });

  it.each([
    [{ aof_enabled: "1" }, "", "ok", "append-only"],
    [{}, "3600 1", "note", "snapshots alone"],
    [{}, "", "note", "nothing on disk"],
    [{}, null, "note", "as far as can be seen"],
    [{ rdb_last_bgsave_status: "err" }, "3600 1", "error", "last snapshot"],
    [{ aof_enabled: "1", aof_last_write_status: "err" }, "", "error", "append-only file"],
  ])("notes what survives a restart: %j %j", (info, save, severity, what) => {
    expect(redis(info, save)("store.persistence")).toMatchObject({ severity, what: expect.stringContaining(what) });
  });

  it("compares partitions and looks into the outbox", () => {
    expect([null, 64, 16].map((stored) => assessPartitions(stored, 64).severity)).toEqual(["ok", "ok", "error"]);
    const usage = { waiting: 10, fullest: 5, limit: 100, dropped: 0, lost: 0 };
    expect(assessOutbox(usage).severity).toBe("ok");
    for (const change of [{ fullest: 60 }, { dropped: 1 }, { lost: 1 }]) {
      expect(assessOutbox({ ...usage, ...change }).severity).toBe("warning");
    }
  });

  it("names the node that a finding of a cluster is about", () => {
    const facts = { name: "primary 2", pingMs: 1, info: null, save: null, clock: AGREED, scripts: false };
    expect(assessRedis(facts).every(({ what }) => what.startsWith("primary 2: "))).toBe(true);
  });
});

describe("what doctor makes of an audit database", () => {
  it.each([
    ["10.11.6-MariaDB-0+deb12u1", "ok"],
    ["5.5.5-10.6.16-MariaDB-log", "ok"],
    ["10.3.39-MariaDB", "warning"],
    ["8.0.36", "ok"],
    ["9.7.4-2", "ok"],
    ["8.0.11-TiDB-v7.5.0", "ok"],
    ["5.7.44-log", "warning"],
  ])("knows which versions are tested: %s", (version, severity) => {
    expect(mysql({ version })("audit.version")).toMatchObject([{ severity }]);
  });

  it("tells apart a right that serving needs from one that pruning needs", () => {
    const lacking = [
      { right: "UPDATE", table: "audit_position" },
      { right: "DELETE", table: "tool_invocation" },
    ] as const;
    expect(mysql({ lacking })("audit.rights")).toMatchObject([{ severity: "error" }, { severity: "note" }]);
    expect(mysql({ lacking: [lacking[1]] })("audit.rights")).toMatchObject([{ severity: "note" }]);
    expect(mysql({ serverWide: true })("audit.rights")).toMatchObject([{ severity: "warning" }]);
    expect(mysql({})("audit.rights")).toMatchObject([{ severity: "ok" }]);
  });

  it("says by how much local times differ from the rows' UTC", () => {
    expect(mysql({})("audit.zone")).toMatchObject([{ severity: "ok" }]);
    expect(mysql({ zoneSeconds: 19_800 })("audit.zone")[0]?.what).toContain("+5.5 h");
    expect(mysql({ zoneSeconds: -18_000 })("audit.zone")[0]?.what).toContain("-5 h");
  });

  it("fails where no row could be written as it is", () => {
    expect(mysql({ readOnly: true })("audit.writable")).toMatchObject([{ severity: "error" }]);
    expect(mysql({ sqlMode: "STRICT_TRANS_TABLES,NO_BACKSLASH_ESCAPES" })("audit.mode")).toHaveLength(1);
  });

  it("tells apart tables that are not there yet from tables that are gone", () => {
    const none = { missing: [], faults: [], foreign: [], warnings: [], pending: [], unknown: [] };
    expect(assessInspection(none)).toMatchObject([{ severity: "ok" }]);
    const fresh = assessInspection({ ...none, missing: ["tool_invocation"], pending: ["0001_tool_invocation"] });
    expect(fresh).toMatchObject([{ severity: "note" }]);
    const gone = assessInspection({ ...none, missing: ["tool_invocation"] });
    expect(gone).toMatchObject([{ severity: "error", what: expect.stringContaining("is gone") }]);
    expect(assessInspection({ ...none, unknown: ["0009_later"] })).toMatchObject([{ severity: "error" }]);
    expect(assessInspection({ ...none, foreign: ["agent_step"] })).toMatchObject([{ severity: "note" }]);
  });
});

describe("the clock check", () => {
  it("does not take a slow answer for a wrong clock", async () => {
    const severity = (skewMs: number, uncertaintyMs: number): string =>
      assessSkew("c", "Redis", { skewMs, uncertaintyMs }).severity;
    expect(severity(1_900, 1)).toBe("ok");
    expect(severity(-4_000, 3_000)).toBe("ok");
    expect(severity(4_000, 100)).toBe("warning");
    expect(severity(-4_000, 100)).toBe("warning");
    const { skewMs, uncertaintyMs } = await measureSkew(async () => Date.now() + 60_000);
    expect(Math.abs(skewMs - 60_000)).toBeLessThanOrEqual(uncertaintyMs + 1);
  });
});
