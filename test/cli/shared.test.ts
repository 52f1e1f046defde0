import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openFromFile } from "../../src/cli/open-harness.ts";
import { createDatabase, mysqlAddress, type TestDatabase } from "../services/mysql.ts";
import { type RedisServer, startRedis } from "../services/redis-server.ts";
import { runCommand } from "./command.ts";

describe("a configuration with a shared store and an audit in MySQL", () => {
  let folder: string;
  let redis: RedisServer;
  let database: TestDatabase;
  let file: string;
  let environment: Readonly<Record<string, string>>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "dualview-shared-"));
    redis = await startRedis();
    database = await createDatabase();
    const { host, port, user, password } = mysqlAddress();
    environment = { DV_AUDIT_URL: `mysql://${user}:${password}@${host}:${port}/${database.name}` };
    Object.assign(process.env, environment);
    await mkdir(join(folder, "docs"));
    await writeFile(join(folder, "docs", "pool.md"), "# Pool exhausted\n\nRaise the pool's limit after a failover.\n");
    file = join(folder, "dualview.yaml");
    await writeFile(
      file,
      `store: { driver: redis, socket: ${redis.socketPath}, partitions: 4 }
audit: { driver: mysql, url: { env: DV_AUDIT_URL } }
tools: { lookup_knowledge: { collections: { runbooks: { folder: docs } } } }
`,
    );
  });
  afterAll(async () => {
    await redis.stop();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it("keeps a call's record for other processes and its row for good", async () => {
    const [first, second] = [await openFromFile(file), await openFromFile(file)];
    const run = await first.harness.openRun({ sessionId: "s1", runId: "r1" });
    const request = { query: "pool exhausted" };
    const { observation } = await run.call({ toolCallId: "c1", toolName: "lookup_knowledge", request });
    expect(observation).toMatchObject({ outcome: "OK", evidence_status: "EVIDENCE_FOUND" });
    const [lookup] = await second.store.read("r1", ["c1"]);
    expect(lookup).toMatchObject({ kind: "found", record: { status: "READY" } });
    await first.close();
    await second.close();
    const listed = await runCommand(folder, ["audit", "list", "--json"], environment);
    const rows = listed.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows).toMatchObject([{ run_id: "r1", tool_name: "lookup_knowledge", success: true }]);
  });

  it("is summed up, pruned and migrated from the command line", async () => {
    const summed = await runCommand(folder, ["audit", "stats"], environment);
    expect(summed.stdout).toMatch(/^1 calls from .* UTC$/m);
    expect(summed.stdout).toMatch(/^lookup_knowledge +1 +0 +0 +0$/m);
    const kept = await runCommand(folder, ["audit", "prune", "--older-than", "180d"], environment);
    expect(kept).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Deleted 0 calls from before .* UTC\.\n$/) });
    await database.query("update tool_invocation set created_at = '2020-01-01 00:00:00'");
    const pruned = await runCommand(folder, ["audit", "prune", "--older-than", "26w", "--json"], environment);
    expect(JSON.parse(pruned.stdout)).toMatchObject({ deleted: 1 });
    expect((await runCommand(folder, ["audit", "migrate"], environment)).stdout).toContain("Up to date");
    for (const span of ["180", "0d", "many", "1y", "-1d"]) {
      const refused = await runCommand(folder, ["audit", "prune", "--older-than", span], environment);
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("such as 180d") });
    }
  });
});
