import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../../../../src/sqlite/sqlite.ts";
import type { KnowledgeFilters } from "../../../../../src/tools/lookup-knowledge/backends/backend.ts";
import {
  type FolderKnowledge,
  folderKnowledge,
} from "../../../../../src/tools/lookup-knowledge/backends/folder/folder-knowledge.ts";

const documents = join(import.meta.dirname, "../../../../fixtures/lookup-knowledge");
let root: string;
const opened: FolderKnowledge[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "knowledge-backend-"));
});
afterEach(async () => {
  for (const backend of opened.splice(0)) await backend.close();
  rmSync(root, { recursive: true });
});

function open(folder = documents, indexFile?: string): FolderKnowledge {
  const backend = folderKnowledge({
    folder,
    collection: "runbooks",
    ...(indexFile === undefined ? {} : { indexFile }),
  });
  opened.push(backend);
  return backend;
}

interface Answer {
  readonly hits: readonly { readonly document_id: string; readonly text: string; readonly relevance_level: string }[];
  readonly l0_match_count: number;
  readonly l1_match_count: number;
  readonly more: boolean;
}

async function ask(
  backend: FolderKnowledge,
  query: string,
  topK = 5,
  filters: KnowledgeFilters = {},
  maxRawBytes = 1e6,
): Promise<Answer> {
  const signal = new AbortController().signal;
  return (await backend.search(query, { topK, filters, signal, maxRawBytes })) as Answer;
}

describe("folderKnowledge", () => {
  it("answers with passages, their place, revision and level, and no score", async () => {
    const answer = await ask(open(), "disk full ENOSPC on a log volume");
    expect(answer.hits[0]).toEqual({
      document_id: "rb-disk",
      title: "Disk full on a log volume",
      section: "Signs",
      section_id: expect.stringMatching(/^[0-9a-f]{12}$/),
      rev: expect.stringMatching(/^[0-9a-f]{8}$/),
      text: expect.stringContaining("ENOSPC"),
      relevance_level: "HIGH",
    });
    expect(JSON.stringify(answer)).not.toMatch(/score|coverage|rank/);
  });

  it("answers the same from a file as from memory", async () => {
    const [memory, file] = [open(), open(documents, join(root, "index.db"))];
    for (const query of [
      "connection pool exhausted on order-api",
      "数据库锁等待怎么处理",
      "ORA-00060",
      "nothing of the kind",
    ]) {
      expect(await ask(file, query)).toEqual(await ask(memory, query));
    }
  });

  it("says exactly whether relevant passages were left out", async () => {
    const backend = open();
    const all = await ask(backend, "connection pool", 10);
    expect(all.more).toBe(false);
    expect(all.hits.length).toBeGreaterThan(2);
    expect((await ask(backend, "connection pool", all.hits.length)).more).toBe(false);
    expect((await ask(backend, "connection pool", all.hits.length - 1)).more).toBe(true);
  });

  it("keeps a place for the document that an error code names", async () => {
    const answer = await ask(open(), "connection pool exhausted, requests time out, then ENOSPC", 2);
    expect(answer.hits.map((hit) => hit.document_id).sort()).toEqual(["rb-disk", "rb-pool"]);
  });

  it("searches only documents that declare what is asked for", async () => {
    const backend = open();
    const of = async (query: string, filters: KnowledgeFilters): Promise<Set<string>> =>
      new Set((await ask(backend, query, 10, filters)).hits.map((hit) => hit.document_id));
    expect(await of("ENOSPC ORA-00060", {})).toEqual(new Set(["rb-lock", "rb-disk"]));
    expect(await of("ENOSPC ORA-00060", { language: "ZH" })).toEqual(new Set(["rb-lock"]));
    expect(await of("ENOSPC ORA-00060", { service: "log-shipper" })).toEqual(new Set(["rb-disk"]));
    expect(await of("ENOSPC ORA-00060", { error_code: "1205" })).toEqual(new Set(["rb-lock"]));
    expect(await of("ENOSPC ORA-00060", { document_id: "rb-disk" })).toEqual(new Set(["rb-disk"]));
    expect(await of("ENOSPC ORA-00060", { service: "log-shipper", language: "zh" })).toEqual(new Set());
  });

  it("refuses to answer at all rather than call a hit that does not fit an absence", async () => {
    const backend = open();
    await expect(ask(backend, "disk full", 5, {}, 300)).rejects.toMatchObject({ code: "RAW_TOO_LARGE" });
    const some = await ask(backend, "connection pool", 5, {}, 1100);
    expect(some.hits.length).toBeGreaterThan(0);
    expect(some.more).toBe(true);
    expect(JSON.stringify(some).length).toBeLessThan(1100);
  });

  it("sees a file that has changed when it looks again", async () => {
    const backend = open(root);
    writeFileSync(join(root, "a.md"), "# Alpha\n\nalpha particles\n");
    expect((await ask(backend, "alpha particles")).hits).toHaveLength(1);
    writeFileSync(join(root, "a.md"), "# Beta\n\nbeta decay\n");
    expect(await backend.refresh()).toMatchObject({ updated: 1 });
    expect((await ask(backend, "alpha particles")).hits).toHaveLength(0);
    expect((await ask(backend, "beta decay")).hits).toHaveLength(1);
  });

  it("has a clear code for a folder that is missing and for a database that fails", async () => {
    await expect(ask(open(join(root, "nothing")), "pool")).rejects.toMatchObject({
      code: "SOURCE_NOT_FOUND",
      field: "collection",
    });
    const file = join(root, "index.db");
    const backend = open(documents, file);
    await ask(backend, "pool");
    const database = await openDatabase(file);
    database.exec("DROP TABLE passage_term; DROP TABLE passage_search");
    database.close();
    const failure = await ask(backend, "pool").catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "BACKEND_ERROR" });
    expect(String(failure)).not.toContain("passage_search");
  });

  it("stops when it is told to", async () => {
    const controller = new AbortController();
    controller.abort();
    const search = open().search("pool", { topK: 1, filters: {}, signal: controller.signal, maxRawBytes: 1e6 });
    await expect(search).rejects.toBe(controller.signal.reason);
  });
});

describe("an index file shared by processes", () => {
  it("is built once and whole when several open it together", async () => {
    const file = join(root, "index.db");
    const backends = [open(documents, file), open(documents, file), open(documents, file)];
    const reports = await Promise.all(backends.map((backend) => backend.refresh()));
    for (const report of reports) expect(report).toMatchObject({ documents: 7, problemCounts: {} });
    for (const backend of backends) expect((await ask(backend, "数据库锁等待")).hits[0]?.document_id).toBe("rb-lock");
  });

  it("keeps the old index when its writer is killed", async () => {
    const file = join(root, "index.db");
    const backend = open(documents, file);
    const before = await ask(backend, "connection pool");
    const child = spawn(process.execPath, ["-e", WRITER, file], {
      stdio: ["ignore", "pipe", "inherit"],
      cwd: import.meta.dirname,
    });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));
    expect(await ask(open(documents, file), "connection pool")).toEqual(before);
    expect(await backend.refresh()).toMatchObject({ updated: 0, removed: 0, documents: 7 });
  });
});

/** Begins to empty an index and waits in the middle of it. */
const WRITER = `
  const [major, minor] = process.versions.node.split(".").map(Number);
  const name = major > 22 || (major === 22 && minor >= 13) ? "node:sqlite" : "@photostructure/sqlite";
  const { DatabaseSync } = require(name);
  const database = new DatabaseSync(process.argv[1]);
  database.exec("PRAGMA cache_size = 1; BEGIN IMMEDIATE; DELETE FROM card_key; DELETE FROM passage; DELETE FROM document");
  console.log("half way");
  setInterval(() => {}, 1000);
`;
