import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../../../../src/sqlite/sqlite.ts";
import { MemoryIndex } from "../../../../../src/tools/lookup-knowledge/backends/folder/memory-index.ts";
import { rankPassages } from "../../../../../src/tools/lookup-knowledge/backends/folder/search.ts";
import { openSqliteIndex } from "../../../../../src/tools/lookup-knowledge/backends/folder/sqlite-index.ts";
import { describePassageIndex, entry } from "./passage-index-contract.ts";

let folder: string;
let count = 0;
const newFile = (): string => join(folder, `index-${count++}.db`);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "knowledge-index-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describePassageIndex("SqliteIndex", async () => await openSqliteIndex(newFile(), "runbooks"));

describe("an index file", () => {
  it("keeps its passages", async () => {
    const file = newFile();
    const first = await openSqliteIndex(file, "runbooks");
    first.apply({ put: [entry("a.md", "# A\n\nalpha\n")], remove: [] });
    first.close();
    const second = await openSqliteIndex(file, "runbooks");
    expect(second.stats()).toEqual({ documents: 1, passages: 1 });
    second.close();
  });

  it("is refused when it belongs to another collection", async () => {
    const file = newFile();
    (await openSqliteIndex(file, "runbooks")).close();
    await expect(openSqliteIndex(file, "manuals")).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      field: "index_file",
    });
  });

  it("is refused, and left as it is, when it is something else", async () => {
    const text = newFile();
    writeFileSync(text, "not a database ".repeat(100));
    await expect(openSqliteIndex(text, "runbooks")).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    const other = newFile();
    const database = await openDatabase(other);
    database.exec("CREATE TABLE orders (id INTEGER)");
    await expect(openSqliteIndex(other, "runbooks")).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    expect(database.prepare("SELECT count(*) AS n FROM orders").get()).toMatchObject({ n: 0 });
    database.close();
    await expect(openSqliteIndex(join(folder, "no", "such", "place.db"), "runbooks")).rejects.toMatchObject({
      code: "CONFIG_INVALID",
    });
  });

  it("is built anew when it was written in another format", async () => {
    const file = newFile();
    const old = await openSqliteIndex(file, "runbooks");
    old.apply({ put: [entry("a.md", "alpha")], remove: [] });
    old.close();
    const database = await openDatabase(file);
    database.exec("UPDATE meta SET value = '0' WHERE name = 'format'");
    database.close();
    const anew = await openSqliteIndex(file, "runbooks");
    expect(anew.stats()).toEqual({ documents: 0, passages: 0 });
    anew.close();
  });

  it("is whole for one process while another writes, and says when it is locked", async () => {
    const file = newFile();
    const [reader, writer] = [await openSqliteIndex(file, "runbooks"), await openDatabase(file)];
    reader.apply({ put: [entry("a.md", "alpha")], remove: [] });
    writer.exec("BEGIN IMMEDIATE; DELETE FROM passage; DELETE FROM document;");
    expect(reader.match(["alpha"], { limit: 1 }).candidates).toHaveLength(1);
    expect(reader.apply({ put: [entry("b.md", "beta")], remove: [] })).toBe("busy");
    writer.close();
    expect(reader.stats()).toEqual({ documents: 1, passages: 1 });
    expect(reader.apply({ put: [entry("b.md", "beta")], remove: [] })).toBe("applied");
    reader.close();
  });

  it("keeps the old index when an update fails half way", async () => {
    const index = await openSqliteIndex(newFile(), "runbooks");
    index.apply({ put: [entry("a.md", "alpha")], remove: [] });
    const broken = { ...entry("b.md", "beta"), stamp: null as unknown as string };
    expect(() => index.apply({ put: [entry("a.md", "changed"), broken], remove: [] })).toThrow();
    expect(index.match(["alpha"], { limit: 1 }).candidates).toHaveLength(1);
    expect(index.stats()).toEqual({ documents: 1, passages: 1 });
    index.close();
  });
});

describe("the two indexes", () => {
  it("rank alike", async () => {
    const [memory, sqlite] = [new MemoryIndex(), await openSqliteIndex(newFile(), "runbooks")];
    const word = fc.constantFrom(
      "pool",
      "connection",
      "slow",
      "query",
      "ORA-00060",
      "order-api",
      "连接池",
      "锁等待",
      "超时",
      "disk",
    );
    const text = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(" "));
    const heading = fc.tuple(text, text).map(([title, body]) => `# ${title}\n\n${body}\n`);
    fc.assert(
      fc.property(fc.array(heading, { maxLength: 8 }), text, (documents, question) => {
        const known = memory.documents().map(({ path }) => path);
        const put = documents.map((document, i) => entry(`${i}.md`, document));
        for (const index of [memory, sqlite]) index.apply({ put, remove: known });
        const ranked = rankPassages(sqlite, question);
        expect(ranked.passages.map(({ path, level }) => [path, level])).toEqual(
          rankPassages(memory, question).passages.map(({ path, level }) => [path, level]),
        );
      }),
    );
    sqlite.close();
  });
});
