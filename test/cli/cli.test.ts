import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadSqlite } from "../../src/sqlite/sqlite.ts";
import { type Ended, runCommand } from "./command.ts";

const main = resolve(import.meta.dirname, "../../dist/cli/main.js");
let folder: string;

const dualview = (args: readonly string[], input = ""): Promise<Ended> => runCommand(folder, args, {}, input);

const config = async (name: string, text: string): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dualview-cli-"));
  await mkdir(join(folder, "docs"));
  await writeFile(
    join(folder, "docs", "notes.md"),
    "# Notes\n\nThis is a text and no database, and long enough to be taken for one.\n",
  );
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("the command line", () => {
  it("teaches what there is, and where to start", async () => {
    const { code, stdout } = await dualview(["--help"]);
    expect(code).toBe(0);
    for (const word of ["demo", "serve", "try", "audit", "doctor", "Start here", "Exit codes"])
      expect(stdout).toContain(word);
    for (const command of [
      ["demo"],
      ["serve"],
      ["try", "redact"],
      ["try", "sql"],
      ["try", "logs"],
      ["audit", "list"],
      ["audit", "prune"],
      ["doctor"],
    ]) {
      const help = await dualview([...command, "--help"]);
      expect(help.code).toBe(0);
      expect(help.stdout.length).toBeGreaterThan(100);
    }
  });

  it.each(["guard", "progress"])("shows a line that dualview try %s understands", async (part) => {
    const { stdout: help } = await dualview(["try", part, "--help"]);
    const example = help.slice(help.indexOf('{"id"'), help.indexOf("\n\nAlso understood")).replace(/\n\s*/g, "");
    const { code, stdout } = await dualview(["try", part], example);
    const answer = JSON.parse(stdout);
    expect(code).toBe(0);
    if (part === "guard") expect(answer).toEqual({ id: 1, verdict: "PASS", codes: [] });
    else
      expect(answer.steps.map((step: { decisions: string[] }) => step.decisions)).toEqual([["EXECUTE"], ["DUPLICATE"]]);
  });

  it.each([
    [["dmeo"], "unknown command"],
    [["try", "sql"], "--policy"],
    [["demo", "--jsn"], "unknown option"],
    [["serve", "--config", "absent.yaml"], "absent.yaml does not exist"],
    [["serve"], "dualview.yaml does not exist"],
    [["audit", "list"], "dualview.yaml does not exist"],
    [["audit", "list", "--file", "docs/notes.md", "--limit", "many"], "--limit must be a whole number"],
    [
      ["try", "knowledge", "--docs", "absent.jsonl", "--queries", "absent.jsonl"],
      "--docs: absent.jsonl does not exist",
    ],
    [["try", "sql", "--policy", "absent.yaml"], "--policy: absent.yaml does not exist"],
    [["demo", "--keep", "."], "is not empty. Name a new or empty folder"],
    [["demo", "--keep", "docs/notes.md"], "notes.md is not a folder"],
    [["audit", "list", "--file", "absent.db"], "absent.db does not exist"],
    [["audit", "tail", "--file", "no-folder/absent.db"], "absent.db does not exist"],
    [["audit", "list", "--file", "docs/notes.md"], "notes.md: The file is no SQLite database"],
  ])("ends with 2 and says what to do: dualview %j", async (args, message) => {
    const { code, stdout, stderr } = await dualview(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it.each([
    ["an unknown key", "tools: { query_log: {} }", "did you mean 'query_logs'?"],
    ["no tool", "tools: {}", "name at least one"],
    [
      "a missing folder",
      "tools: { lookup_knowledge: { collections: { a: { folder: absent } } } }",
      "tools.lookup_knowledge.collections.a.folder",
    ],
    [
      "a file where a folder should be",
      "tools: { lookup_knowledge: { collections: { a: { folder: file.yaml } } } }",
      "is not a folder",
    ],
    [
      "a missing database",
      "tools: { query_mysql: { datasources: { shop: { driver: sqlite, file: no.db, policy: p.yaml } } } }",
      "no.db does not exist",
    ],
    [
      "a database that is none",
      "tools: { query_mysql: { datasources: { shop: { driver: sqlite, file: file.yaml, policy: policy.yaml } } } }",
      "is not a SQLite database",
    ],
    [
      "an audit that is no database",
      "audit: { driver: sqlite, file: docs }\ntools: { lookup_knowledge: { collections: { a: { folder: docs } } } }",
      "CONFIG_UNREADABLE",
    ],
    ["text that is no YAML", "tools: [", "file.yaml"],
    [
      "a value of another type",
      "limits: { noGain: many }\ntools: {}",
      "'limits.noGain': Invalid input: expected number",
    ],
    [
      "a policy of another form",
      "tools: { query_mysql: { datasources: { shop: { driver: sqlite, file: file.yaml, policy: file.yaml } } } }",
      "file.yaml: ",
    ],
  ])("names the place of a configuration with %s", async (_, text, message) => {
    await config("policy.yaml", "datasource: shop\ndefaultSchema: shop\ntables: { shop.orders: [id] }\n");
    const path = await config("file.yaml", text);
    const { code, stderr } = await dualview(["serve", "--config", path]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it("answers one line for one line, in order, also for a line that is no JSON", async () => {
    const lines = ['{"id":1,"text":"ok"}', "no json", '{"id":3,"text":"password=hunter2-xyz"}'];
    const { code, stdout } = await dualview(["try", "redact", "--ndjson"], `${lines.join("\n")}\n`);
    expect(code).toBe(0);
    const answers = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers).toHaveLength(3);
    expect(answers[0]).toMatchObject({ id: 1, text: "ok" });
    expect(answers[1]).toHaveProperty("error");
    expect(answers[2].text).not.toContain("hunter2");
  });

  it("redacts plain text", async () => {
    const { stdout } = await dualview(["try", "redact"], "login password=s3cr3t-value from 10.1.2.3\n");
    expect(stdout).toMatch(/^login password=\[\[secret:pw\]\] from \[\[ip:[a-z2-7]+\]\]\n$/);
  });

  it("creates, then reads an audit", async () => {
    const file = join(folder, "new.db");
    const migrated = await dualview(["audit", "migrate", "--file", file]);
    expect(migrated).toMatchObject({ code: 0 });
    expect(migrated.stdout).toContain("Applied");
    expect((await dualview(["audit", "migrate", "--file", file])).stdout).toContain("Up to date");
    expect(await dualview(["audit", "list", "--file", file, "--json"])).toMatchObject({ code: 0, stdout: "" });
    expect((await dualview(["audit", "list", "--file", file])).stdout).toContain("created_at");
  });

  it("never makes tables in a database that is no audit when it is asked to read one", async () => {
    const file = join(folder, "other.db");
    const { DatabaseSync } = await loadSqlite();
    const database = new DatabaseSync(file);
    database.exec("create table orders (id integer)");
    const { code, stderr } = await dualview(["audit", "list", "--file", file]);
    expect({ code, tables: database.prepare("select name from sqlite_master").all() }).toEqual({
      code: 2,
      tables: [{ name: "orders" }],
    });
    expect(stderr).toContain("other.db holds no audit");
    database.close();
  });

  it("stops quietly when its reader goes away", async () => {
    const lines = `${'{"id":1,"text":"a line"}\n'.repeat(20_000)}`;
    const child = execFile("sh", ["-c", `"${process.execPath}" "${main}" try redact --ndjson | head -n 1`]);
    let stderr = "";
    child.stderr?.on("data", (chunk) => {
      stderr += chunk;
    });
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(lines);
    await new Promise((done) => child.once("exit", done));
    expect(stderr).toBe("");
  });
});
