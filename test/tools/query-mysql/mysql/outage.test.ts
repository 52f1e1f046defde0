import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MysqlServer, startMysql } from "../../../services/mysql-server.ts";
import { openTables, series, type Tables } from "./tables.ts";

const failure = (code: string) => expect.objectContaining({ code });
/** Gives 10,000 rows at once, and then counts for longer than any test. */
const ENDLESS =
  "SELECT id, note FROM records UNION ALL " +
  "SELECT COUNT(*), 'counted' FROM records a, records b, records c, records d WHERE a.id + b.id + c.id < d.id";
let server: MysqlServer;
let tables: Tables;

beforeAll(async () => {
  server = await startMysql();
  tables = await openTables(
    [
      "create table records (id int primary key auto_increment, note varchar(200))",
      `insert into records (note) select repeat('n', 200) from ${series(4)}`,
    ],
    { records: ["id", "note"] },
    { address: server, maxRows: 10_000 },
  );
});
afterAll(async () => {
  await server.stop();
});

describe("MysqlServerExecutor on a server that goes away", () => {
  it("answers with a code when the server dies in the middle, and goes on when it is back", async () => {
    const running = tables.run(ENDLESS, { ms: 30_000, maxRawBytes: 8_000_000 });
    running.catch(() => undefined);
    await expect.poll(async () => (await tables.busy()).length, { timeout: 5_000 }).toBe(1);
    await server.kill();
    await expect(running).rejects.toThrowError(failure("BACKEND_UNAVAILABLE"));
    await expect(tables.run("SELECT COUNT(*) FROM records")).rejects.toThrowError(failure("BACKEND_UNAVAILABLE"));
    await server.restart();
    expect((await tables.run("SELECT COUNT(*) FROM records")).rows).toEqual([[10_000]]);
  });

  it("keeps to its deadline while the server does not answer at all", async () => {
    server.freeze();
    const began = performance.now();
    // a server goes on for a moment after it was told to stop: long enough for a short statement
    const running = tables.run(ENDLESS, { ms: 400, maxRawBytes: 8_000_000 });
    await expect(running).rejects.toThrowError(failure("DEADLINE_EXCEEDED"));
    expect(performance.now() - began).toBeLessThan(5_000);
    server.thaw();
    expect((await tables.run("SELECT COUNT(*) FROM records")).rows).toEqual([[10_000]]);
  });
});
