import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { SQLITE_DIALECT } from "../../../../src/tools/query-mysql/sqlite/sqlite-dialect.ts";
import { SqliteReadOnlyExecutor } from "../../../../src/tools/query-mysql/sqlite/sqlite-executor.ts";
import { compileChild, createBookshopFile, planOf, removeChild, validatorFor } from "../bookshop.ts";

const file = createBookshopFile();
const childModule = compileChild();
const sqlite = validatorFor(SQLITE_DIALECT);
let executor: SqliteReadOnlyExecutor;

const run = (sql: string, { ms = 5_000, maxRawBytes = 1_000_000 } = {}) =>
  executor.execute(planOf(sql, sqlite), { signal: AbortSignal.timeout(ms), maxRawBytes });
const failure = (code: string) => expect.objectContaining({ code });
/** Never ends by itself: each row makes another. */
const ENDLESS = "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i > 0) SELECT COUNT(*) FROM n";

beforeAll(() => {
  executor = new SqliteReadOnlyExecutor(file.path, { childModule, children: 2 });
});
afterAll(async () => {
  await executor.close();
  removeChild(childModule);
  file.remove();
});

describe("SqliteReadOnlyExecutor", () => {
  it("gives numbers, texts and nulls as they are, and integers beyond 2^53-1 as text", async () => {
    const { rows, cutByBytes } = await run(
      "SELECT id, total, state, card FROM (SELECT id, total, state, NULL AS card FROM sales) s ORDER BY id DESC LIMIT 2",
    );
    expect(rows).toEqual([
      ["9007199254740993", 18, "open", null],
      [5, 54, "paid", null],
    ]);
    expect(cutByBytes).toBe(false);
  });

  it("reads one row more than may be shown", async () => {
    const { rows } = await run("SELECT a.id FROM books a, books b ORDER BY 1");
    expect(rows).toHaveLength(21);
  });

  it("stops at the byte cap and says so", async () => {
    const { rows, cutByBytes } = await run("SELECT title FROM books ORDER BY id", { maxRawBytes: 40 });
    expect([rows.length, cutByBytes]).toEqual([2, true]);
  });

  it("ends a statement at its deadline and goes on answering", async () => {
    await expect(run(ENDLESS, { ms: 300 })).rejects.toThrowError(failure("DEADLINE_EXCEEDED"));
    await expect(run("SELECT 1")).resolves.toMatchObject({ rows: [[1]] });
  });

  it("runs more plans than it has children, in turn", async () => {
    const answers = await Promise.all(Array.from({ length: 9 }, (_, i) => run(`SELECT ${i}`)));
    expect(answers.map(({ rows }) => rows[0]?.[0])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it("uses a child again instead of starting another", async () => {
    const started = join(dirname(file.path), "started");
    const counting = join(dirname(childModule), "counting-child.js");
    writeFileSync(
      counting,
      `import { appendFileSync } from "node:fs";\nappendFileSync(${JSON.stringify(started)}, ".");\nimport "./child.js";\n`,
    );
    const counted = new SqliteReadOnlyExecutor(file.path, { childModule: counting });
    const options = { signal: AbortSignal.timeout(30_000), maxRawBytes: 1_000 };
    for (let i = 0; i < 20; i++) await counted.execute(planOf("SELECT title FROM books", sqlite), options);
    await counted.close();
    expect(readFileSync(started, "utf8")).toBe(".");
  });

  it("answers with codes alone when the file is missing or no database, or the plan is for MySQL", async () => {
    const missing = new SqliteReadOnlyExecutor(`${file.path}.none`, { childModule });
    const options = { signal: AbortSignal.timeout(5_000), maxRawBytes: 1_000 };
    await expect(missing.execute(planOf("SELECT 1", sqlite), options)).rejects.toThrowError(
      failure("BACKEND_UNAVAILABLE"),
    );
    await missing.close();
    const text = join(file.path, "../text.db");
    writeFileSync(text, "this is no database, only a text that is long enough to be read as a header of one");
    const broken = new SqliteReadOnlyExecutor(text, { childModule });
    await expect(broken.execute(planOf("SELECT id FROM books", sqlite), options)).rejects.toThrowError(
      /BAD_QUERY|cannot be reached|refused the query/,
    );
    await broken.close();
    await expect(executor.execute(planOf("SELECT 1"), options)).rejects.toThrowError(failure("BAD_QUERY"));
  });

  it("opens the file for reading only", async () => {
    const write = { ...planOf("SELECT 1", sqlite), sql: "DELETE FROM books", params: [] };
    await expect(executor.execute(write, { signal: AbortSignal.timeout(5_000), maxRawBytes: 99 })).rejects.toThrowError(
      failure("BAD_QUERY"),
    );
    const attach = { ...write, sql: "ATTACH DATABASE '/tmp/other.db' AS other" };
    await executor.execute(attach, { signal: AbortSignal.timeout(5_000), maxRawBytes: 99 }).catch(() => undefined);
    await expect(run("SELECT COUNT(*) FROM books")).resolves.toMatchObject({ rows: [[5]] });
  });

  it("leaves no child behind when its parent is killed in the middle of a statement", async () => {
    const { sql, params } = planOf(ENDLESS, sqlite);
    const script = `
      import { fork } from "node:child_process";
      const child = fork(${JSON.stringify(childModule)}, [${JSON.stringify(file.path)}], { stdio: ["ignore", "ignore", "ignore", "ipc"], execArgv: [] });
      child.once("message", () => { child.send(${JSON.stringify({ sql, params, maxBytes: 99 })}); console.log(child.pid); });
      setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => {
      parent.kill("SIGKILL");
    });
    const pid = Number(await firstLine(parent));
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(isAlive(pid)).toBe(true);
    parent.kill("SIGKILL");
    for (let i = 0; i < 40 && isAlive(pid); i++) await new Promise((resolve) => setTimeout(resolve, 100));
    expect(isAlive(pid)).toBe(false);
  });
});

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => child.stdout?.once("data", (data) => resolve(String(data).trim())));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
