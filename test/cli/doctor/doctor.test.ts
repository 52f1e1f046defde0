import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { createClient } from "redis";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { migrateMysqlAudit } from "../../../src/audit/mysql/mysql-audit.ts";
import { run as runList } from "../../../src/cli/audit/list.ts";
import { run as runDoctor } from "../../../src/cli/doctor/doctor.ts";
import type { CommandIo } from "../../../src/cli/io.ts";
import { openFromFile } from "../../../src/cli/open-harness.ts";
import type { BoundaryError } from "../../../src/model/errors.ts";
import { createDatabase, mysqlAddress, type TestDatabase } from "../../services/mysql.ts";
import { type RedisServer, startRedis } from "../../services/redis-server.ts";
import { startCluster } from "../../store/redis/cluster.ts";

interface Finding {
  readonly check: string;
  readonly severity: string;
  readonly what: string;
  readonly why?: string;
  readonly fix?: string;
}

const SECRET = "hunter2-never-shown";
const TOOLS = "tools: { lookup_knowledge: { collections: { runbooks: { folder: docs } } } }";
let folder: string;
let redis: RedisServer;
let database: TestDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dualview-doctor-"));
  await mkdir(join(folder, "docs"));
  redis = await startRedis();
});
afterAll(async () => {
  await redis.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  database = await createDatabase();
});
afterEach(async () => {
  await database.drop();
});

/** A command's outcome: what it wrote, or the code and the message that it ends with. */
interface Outcome {
  readonly code: number | string;
  readonly text: string;
}

async function perform(config: string, work: (path: string, io: CommandIo) => Promise<number>): Promise<Outcome> {
  const path = join(folder, "dualview.yaml");
  await writeFile(path, config);
  const chunks: string[] = [];
  const stdout = new Writable({
    write: (chunk, _encoding, done) => {
      chunks.push(String(chunk));
      done();
    },
  });
  const outcome = await work(path, { stdin: Readable.from([]), stdout, stderr: stdout }).then(
    (code) => ({ code, text: chunks.join("") }),
    (error: BoundaryError) => ({ code: error.code, text: error.message }),
  );
  for (const secret of [SECRET, mysqlAddress().password, process.env["DV_PASSWORD"] ?? SECRET]) {
    expect(outcome.text).not.toContain(secret);
  }
  expect(outcome.text).not.toMatch(
    /Access denied|Unknown database|invalid username|doesn't have a default|at .*\.ts:\d/,
  );
  return outcome;
}

const doctor = (config: string, json: boolean): Promise<Outcome> =>
  perform(config, (path, io) => runDoctor({ config: path, json }, io));
const serve = (config: string): Promise<Outcome> =>
  perform(config, async (path) => {
    await (await openFromFile(path)).close();
    return 0;
  });
const list = (config: string): Promise<Outcome> => perform(config, (path, io) => runList({ config: path }, io));

async function examine(config: string) {
  const { code, text } = await doctor(config, true);
  const { healthy, findings } = JSON.parse(text) as { healthy: boolean; findings: readonly Finding[] };
  expect(code).toBe(healthy ? 0 : 1);
  for (const { severity, why, fix } of findings) {
    expect([why, fix].every((one) => (severity === "ok" ? one === undefined : (one ?? "").length > 10))).toBe(true);
  }
  return { healthy, findings, of: (check: string) => findings.find((finding) => finding.check === check) };
}

async function onRedis(...commands: readonly (readonly string[])[]): Promise<void> {
  const client = createClient({ url: redis.url });
  await client.connect();
  for (const one of commands) await client.sendCommand([...one]);
  client.destroy();
}

/** The audit of this test's database, for an account whose password the environment holds. */
const mysqlConfig = ({ user, password }: { readonly user: string; readonly password: string }): string => {
  const { host, port } = mysqlAddress();
  process.env["DV_PASSWORD"] = password;
  return `audit: { driver: mysql, host: ${host}, port: ${port}, user: ${user}, password: { env: DV_PASSWORD }, database: ${database.name} }
`;
};

describe("dualview doctor, on a shared store and an audit in MySQL", () => {
  it("finds nothing wrong where all is well, and changes nothing", async () => {
    await migrateMysqlAudit({ pool: database.pool() });
    await onRedis(["FLUSHALL"]);
    const account = await database.account("select, insert, update");
    const config = `store: { driver: redis, url: "${redis.url}" }\n${mysqlConfig(account)}${TOOLS}`;
    const { healthy, findings, of } = await examine(config);
    expect(healthy).toBe(true);
    expect(findings.filter(({ severity }) => severity === "warning")).toEqual([]);
    expect(of("store.version")?.severity).toBe("ok");
    expect(of("store.eviction")?.severity).toBe("ok");
    expect(of("store.persistence")?.severity).toBe("note");
    expect(of("store.clock")?.severity).toBe("ok");
    expect(of("store.partitions")?.what).toContain("Nothing is stored yet");
    expect(of("audit.schema")?.severity).toBe("ok");
    expect(of("audit.rights")).toMatchObject({ severity: "note", what: "The account may not delete rows." });
    expect(of("audit.zone")?.severity).toBe("ok");
    const client = createClient({ url: redis.url });
    await client.connect();
    expect(await client.dbSize()).toBe(0);
    client.destroy();
  });

  it("writes the same for people, with what to do", async () => {
    const { code, text } = await doctor(`${mysqlConfig({ user: "nobody", password: SECRET })}${TOOLS}`, false);
    expect(code).toBe(1);
    expect(text).toMatch(/^error {5}audit\.connection$/m);
    expect(text).toContain("Why it matters:");
    expect(text).toContain("What to do:");
    expect(text).toMatch(/^\d+ checks\. Errors: 1, warnings: 0, notes: 1\.$/m);
  });

  it("says that the server would evict live records", async () => {
    const config = `store: { driver: redis, url: "${redis.url}" }\n${TOOLS}`;
    await onRedis(["CONFIG", "SET", "maxmemory-policy", "volatile-lru"]);
    expect((await examine(config)).of("store.eviction")?.severity).toBe("warning");
    await onRedis(["CONFIG", "SET", "maxmemory", "512mb"]);
    const { healthy, of } = await examine(config);
    await onRedis(["CONFIG", "SET", "maxmemory", "0"], ["CONFIG", "SET", "maxmemory-policy", "noeviction"]);
    expect(healthy).toBe(false);
    expect(of("store.eviction")).toMatchObject({ severity: "error", what: "maxmemory-policy is volatile-lru." });
  });

  it("says that another number of partitions is stored, and so does every other command", async () => {
    await onRedis(["SET", "dv:partitions", "16"]);
    const config = `store: { driver: redis, url: "${redis.url}", partitions: 8 }\n${TOOLS}`;
    expect((await examine(config)).of("store.partitions")).toMatchObject({
      severity: "error",
      what: "The store has 16 partitions, and 8 are configured.",
      fix: expect.stringContaining("'store.partitions: 16'"),
    });
    expect(await serve(config)).toMatchObject({
      code: "CONFIG_INVALID",
      text: expect.stringContaining("16 partitions"),
    });
    await onRedis(["FLUSHALL"]);
  });

  it("says that audit events were dropped or are waiting", async () => {
    await onRedis(["SET", "dv:partitions", "64"]);
    const config = `store: { driver: redis, url: "${redis.url}" }\n${TOOLS}`;
    expect((await examine(config)).of("store.outbox")).toMatchObject({
      severity: "ok",
      what: "0 audit events are waiting to be written.",
    });
    await onRedis(["FLUSHALL"]);
  });

  it("says that the server is a replica", async () => {
    const primary = await startRedis();
    try {
      await onRedis(["REPLICAOF", "127.0.0.1", String(primary.port)]);
      const { of } = await examine(`store: { driver: redis, url: "${redis.url}" }\n${TOOLS}`);
      expect(of("store.role")?.severity).toBe("error");
    } finally {
      await onRedis(["REPLICAOF", "NO", "ONE"]);
      await primary.stop();
    }
  });

  it("checks what it can for an account with few rights", async () => {
    process.env["DV_PASSWORD"] = SECRET;
    await onRedis(["ACL", "SETUSER", "poor", "on", `>${SECRET}`, "~*", "+ping", "+get", "+time", "+hello", "+client"]);
    const config = `store: { driver: redis, url: "${redis.url}", username: poor, password: { env: DV_PASSWORD } }\n${TOOLS}`;
    const { of } = await examine(config);
    expect(of("store.connection")?.severity).toBe("ok");
    expect(of("store.settings")?.severity).toBe("note");
    expect(of("store.rights")?.severity).toBe("error");
  });

  it("checks every primary of a cluster, and says when one was not told to be one", async () => {
    const cluster = await startCluster();
    try {
      const [url = ""] = cluster.urls;
      const { healthy, findings } = await examine(`store: { driver: redis, url: "${url}", cluster: true }\n${TOOLS}`);
      expect(healthy).toBe(true);
      expect(findings.filter(({ check }) => check === "store.version")).toHaveLength(3);
      const single = await examine(`store: { driver: redis, url: "${url}" }\n${TOOLS}`);
      expect(single.of("store.cluster")?.fix).toBe("Set 'store.cluster: true'.");
      expect(await serve(`store: { driver: redis, url: "${url}", cluster: true }\n${TOOLS}`)).toMatchObject({
        code: 0,
      });
      expect(
        (await examine(`store: { driver: redis, url: "${url}", cluster: true }\n${TOOLS}`)).of("store.outbox"),
      ).toMatchObject({ severity: "ok" });
      const alone = await serve(`store: { driver: redis, url: "${redis.url}", cluster: true }\n${TOOLS}`);
      expect(alone).toMatchObject({ code: "STORE_UNAVAILABLE", text: expect.stringContaining("'store.cluster'") });
    } finally {
      await cluster.stop();
    }
  });

  it("says which rights the account lacks, and that it has too many", async () => {
    await migrateMysqlAudit({ pool: database.pool() });
    const reader = await database.account("select");
    const { of } = await examine(`${mysqlConfig(reader)}${TOOLS}`);
    expect(of("audit.rights")).toMatchObject({
      severity: "error",
      what: expect.stringContaining("INSERT on tool_invocation"),
    });
    const all = await examine(`${mysqlConfig(mysqlAddress())}${TOOLS}`);
    expect(all.of("audit.rights")).toMatchObject({ severity: "warning" });
    expect(all.healthy).toBe(true);
  });

  it("compares the table with the documented one", async () => {
    const config = `${mysqlConfig(mysqlAddress())}${TOOLS}`;
    expect((await examine(config)).of("audit.schema")).toMatchObject({ severity: "note" });
    expect(await database.query("show tables")).toEqual([]);
    await migrateMysqlAudit({ pool: database.pool() });
    await database.query("alter table tool_invocation drop column duration_ms, modify column success varchar(5)");
    const { healthy, of } = await examine(config);
    expect(healthy).toBe(false);
    expect(of("audit.schema")?.what).toContain("duration_ms is missing");
    expect(of("audit.schema")?.what).toContain("success is varchar(5), must be boolean");
    expect(await list(config)).toMatchObject({
      code: "CONFIG_INVALID",
      text: expect.stringContaining("add column duration_ms int null"),
    });
  });
});

describe("a wrong address or secret", () => {
  const { host, port } = { host: "127.0.0.1", port: () => mysqlAddress().port };
  const unused = 1;

  it.each([
    ["no server", () => `redis://127.0.0.1:${unused}`, "Nothing listens at this address"],
    ["no such host", () => "redis://no-such-host.invalid", "The host name"],
    ["TLS to a plain port", () => redis.url.replace("redis:", "rediss:"), "TLS"],
    ["a password that the server refuses", () => redis.url.replace("//", `//app:${SECRET}@`), "WRONGPASS"],
    ["a server that is no Redis", () => `redis://127.0.0.1:${mysqlAddress().port}`, "speaks this protocol"],
  ])("of the store is told with its remedy by doctor and refused by serve: %s", async (_, url, remedy) => {
    const config = `store: { driver: redis, url: "${url()}", commandTimeoutMs: 900 }\n${TOOLS}`;
    expect((await examine(config)).of("store.connection")).toMatchObject({
      severity: "error",
      what: expect.stringMatching(new RegExp(`^STORE_UNAVAILABLE: .*${remedy}`)),
    });
    expect(await serve(config)).toMatchObject({ code: "STORE_UNAVAILABLE", text: expect.stringMatching(remedy) });
  });

  it.each([
    ["no server", () => `mysql://a:${SECRET}@${host}:${unused}/x`, "Nothing listens at this address"],
    ["a wrong password", () => `mysql://administrator:${SECRET}@${host}:${port()}/x`, "user or the password"],
    ["no such database", () => mysqlUrl("absent_database"), "no database of this name"],
    ["TLS to a plain port", () => mysqlUrl("mysql"), "does not offer TLS", ", tls: true"],
    ["a server that is no MySQL", () => `mysql://a:${SECRET}@${host}:${redis.port}/x`, "server"],
  ])(
    "of the audit is told with its remedy by doctor and refused by audit list: %s",
    async (name, url, plain, more = "") => {
      // where the server does offer TLS, its certificate is its own
      const remedy = name.startsWith("TLS") && (await hasTls()) ? "certificate" : plain;
      const config = `audit: { driver: mysql, url: "${url()}"${more} }\n${TOOLS}`;
      const [{ of }, listed] = await Promise.all([examine(config), list(config)]);
      expect(of("audit.connection")).toMatchObject({
        severity: "error",
        what: expect.stringMatching(new RegExp(`^AUDIT_UNAVAILABLE: .*${remedy}`)),
      });
      expect(of("config.audit.url")?.severity).toBe("warning");
      expect(listed).toMatchObject({ code: "AUDIT_UNAVAILABLE", text: expect.stringMatching(remedy) });
    },
  );

  it.each([
    ["store: { driver: redis, url: 'http://cache' }", "'store.url' is no usable URL: write redis://host:port"],
    ["store: { driver: redis, url: 'redis://cache/name' }", "a database's number"],
    ["store: { driver: redis, url: 'redis://a:%zz@cache' }", "write it as %25"],
    ["store: { driver: redis, url: { env: DV_ABSENT } }", "'store.url': the environment variable DV_ABSENT is not set"],
    ["store: { driver: redis, socket: /no/such/socket }", "There is no socket at this path"],
    ["audit: { driver: mysql, url: 'mysql://cache' }", "names no user or no database"],
    ["audit: { driver: mysql, url: 'mysql://a@db/x?ssl=1' }", "takes no options"],
    ["audit: { driver: mysql, host: db, user: a, database: b, password: { env: DV_ABSENT } }", "DV_ABSENT is not set"],
  ])("is told before anything is connected: %s", async (part, message) => {
    expect(await serve(`${part}\n${TOOLS}`)).toMatchObject({ text: expect.stringContaining(message) });
    const { healthy, findings } = await examine(`${part}\n${TOOLS}`);
    expect(healthy).toBe(false);
    expect(findings.find(({ severity }) => severity === "error")?.what).toContain(message);
  });

  it("is not waited for longer than a few seconds when a server accepts and says nothing", async () => {
    redis.freeze();
    try {
      const began = performance.now();
      const { of } = await examine(`store: { driver: redis, url: "${redis.url}", commandTimeoutMs: 900 }\n${TOOLS}`);
      expect(of("store.connection")?.what).toContain("did not answer in time");
      expect(performance.now() - began).toBeLessThan(5_000);
    } finally {
      redis.thaw();
    }
  });
});

function mysqlUrl(name: string): string {
  const { user, password, host, port } = mysqlAddress();
  return `mysql://${user}:${password}@${host}:${port}/${name}`;
}

async function hasTls(): Promise<boolean> {
  const rows = await database.query<{ Value: string }>("show global variables like 'ssl_cert'");
  return rows.some(({ Value }) => Value !== "");
}
