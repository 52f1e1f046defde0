import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "../../../src/cli/try/sql.ts";

const policy = resolve(import.meta.dirname, "../../fixtures/query-mysql/policy.json");
const folder = mkdtempSync(join(tmpdir(), "try-sql-"));

async function runWith(input: string, options: Readonly<Record<string, unknown>> = {}) {
  const stdout = new PassThrough();
  const io = { stdin: Readable.from([Buffer.from(input)]), stdout, stderr: new PassThrough() };
  const code = await run({ policy, ...options }, io);
  stdout.end();
  let text = "";
  for await (const chunk of stdout) text += String(chunk);
  return { code, text };
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("dualview try sql", () => {
  it("answers one line for one line, with a plan or a code", async () => {
    const lines = [
      { id: 1, sql: "SELECT id FROM books WHERE title = 'x'" },
      { id: 2, sql: "SELECT pass_hash FROM customers" },
      { id: 3 },
    ];
    const { code, text } = await runWith(`${lines.map((line) => JSON.stringify(line)).join("\n")}\n`, { ndjson: true });
    const answers = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(code).toBe(0);
    expect(answers[0]).toMatchObject({
      id: 1,
      decision: "ALLOW",
      code: null,
      plan: { params: ["x"], tables: ["main_shop.books"], max_rows: 20, columns: [{ name: "id" }] },
    });
    expect(answers[1]).toMatchObject({ id: 2, decision: "REJECT", code: "SQL_COLUMN" });
    expect(answers[2]).toMatchObject({ id: 3, decision: "REJECT", code: "REQUEST_INVALID" });
  });

  it("explains a plan to people", async () => {
    const { code, text } = await runWith("SELECT mail AS m FROM customers");
    expect(code).toBe(0);
    expect(text).toContain("ALLOW  at most 20 rows of main_shop.customers");
    expect(text).toContain("m  from main_shop.customers.mail  (sensitive: shown masked)");
  });

  it("points at the place of a refusal, also behind wide characters", async () => {
    const { code, text } = await runWith("SELECT 书名\nFROM 库存 WHERE 书名 = 'a' AND nope = 1");
    expect(code).toBe(1);
    const [, , line = "", caret = ""] = text.split("\n");
    expect(line).toBe("  FROM 库存 WHERE 书名 = 'a' AND nope = 1");
    // two columns for each of the four wide characters before the place
    expect(caret.indexOf("^")).toBe(line.indexOf("nope") + 4);
  });

  it("reads YAML, and names the file and the field of a bad policy", async () => {
    const good = join(folder, "good.yaml");
    writeFileSync(good, "datasource: d\ndefaultSchema: s\ntables:\n  s.t: [a]\n");
    expect((await runWith("SELECT a FROM t", { policy: good })).code).toBe(0);
    const bad = join(folder, "bad.yaml");
    writeFileSync(bad, "datasource: d\ndefaultSchema: s\ntables: {s.t: [a]}\nmaxRow: 3\n");
    await expect(runWith("SELECT 1", { policy: bad })).rejects.toThrowError(/bad\.yaml.*maxRow.*did you mean maxRows/);
    await expect(runWith("SELECT 1", { policy: join(folder, "none.yaml") })).rejects.toThrowError(/does not exist/);
  });
});
