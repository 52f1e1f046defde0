import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MysqlServer, startMysql } from "../../../services/mysql-server.ts";
import { openTables, type Tables } from "./tables.ts";

const failure = (code: string) => expect.objectContaining({ code });
/** Gives its first rows at once and would go on for minutes. */
const LONG = "SELECT a.id, a.note FROM records a JOIN records b ON a.id > 0 WHERE SQRT(b.id) > 0";
let server: MysqlServer;
let tables: Tables;

beforeAll(async () => {
  server = await startMysql();
  tables = await openTables(
    [
      "create table records (id int primary key auto_increment, note varchar(200))",
      "insert into records (note) select repeat('n', 200) from seq_1_to_10000",
    ],
    { records: ["id", "note"] },
    { address: server, maxRows: 10_000 },
  );
});
afterAll(async () => {
  await server.stop();
});

/** A statement whose rows arrive slowly, since the server waits for what it counts. */
const slowRows = (ms = 10_000) => tables.run(`${LONG} AND (SELECT COUNT(*) FROM records c, records d) > 0`, { ms });

describe("MysqlServerExecutor on a server that goes away", () => {
  it("answers with a code when the server dies in the middle, and goes on when it is back", async () => {
    const running = slowRows();
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
    await expect(tables.run("SELECT COUNT(*) FROM records", { ms: 400 })).rejects.toThrowError(
      failure("DEADLINE_EXCEEDED"),
    );
    expect(performance.now() - began).toBeLessThan(5_000);
    server.thaw();
    expect((await tables.run("SELECT COUNT(*) FROM records")).rows).toEqual([[10_000]]);
  });
});
