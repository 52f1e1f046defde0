import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FolderIndex } from "../../../../../src/tools/lookup-knowledge/backends/folder/folder-index.ts";
import { MemoryIndex } from "../../../../../src/tools/lookup-knowledge/backends/folder/memory-index.ts";

let root: string;
let folder: string;
let index: MemoryIndex;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "knowledge-folder-"));
  folder = join(root, "docs");
  mkdirSync(folder);
  index = new MemoryIndex();
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

function write(path: string, content: string | Uint8Array, base = folder): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), content);
}
const ids = (): string[] =>
  index
    .documents()
    .map(({ documentId }) => documentId)
    .sort();

describe("FolderIndex", () => {
  it("indexes Markdown and text, calling files by their path or their own id", async () => {
    write("a.md", "---\nid: rb-a\n---\nalpha\n");
    write("deep/er/b.txt", "beta\n");
    write("锁.md", "锁等待\n");
    const report = await new FolderIndex(folder, index).refresh();
    expect(ids()).toEqual(["deep/er/b.txt", "rb-a", "锁.md"]);
    expect(report).toMatchObject({ documents: 3, passages: 3, updated: 3, removed: 0, problemCounts: {} });
  });

  it("names and counts what it does not search", async () => {
    write("fine.md", "fine\n");
    write("picture.png", "x");
    write("zeros.md", new Uint8Array([65, 0, 66]));
    write("gbk.md", new Uint8Array([0xb4, 0xed, 0xce, 0xf3]));
    write("blank.md", " \n\n");
    write("huge.md", "x".repeat(4 * 1024 * 1024 + 1));
    write("broken.md", "---\ntitle: [open\n---\nbody\n");
    const report = await new FolderIndex(folder, index).refresh();
    expect(report.problemCounts).toEqual({
      other_type: 1,
      binary: 1,
      not_utf8: 1,
      empty: 1,
      too_large: 1,
      broken_front_matter: 1,
    });
    expect(report.problems).toContainEqual({ path: "gbk.md", problem: "not_utf8" });
    expect(ids()).toEqual(["broken.md", "fine.md"]);
  });

  it("reads UTF-16 and UTF-8 with a byte order mark", async () => {
    write("wide.md", new Uint8Array([0xff, 0xfe, ...Buffer.from("wide words", "utf16le")]));
    write("mark.md", "\uFEFF---\nid: marked\n---\ntext\n");
    await new FolderIndex(folder, index).refresh();
    expect(ids()).toEqual(["marked", "wide.md"]);
    expect(index.match(["word"], { limit: 1 }).candidates).toHaveLength(1);
  });

  it("follows links that stay inside, once a file, and never one that leads out", async () => {
    write("secret.md", "outside\n", root);
    write("..data/mounted.md", "mounted\n");
    write("sub/real.md", "real\n");
    symlinkSync("..data/mounted.md", join(folder, "mounted.md"));
    symlinkSync("sub/real.md", join(folder, "again.md"));
    symlinkSync(folder, join(folder, "sub/loop"));
    symlinkSync(join(root, "secret.md"), join(folder, "leak.md"));
    symlinkSync(root, join(folder, "up"));
    symlinkSync("nowhere.md", join(folder, "dangling.md"));
    const report = await new FolderIndex(folder, index).refresh();
    expect(ids()).toEqual(["mounted.md", "sub/real.md"]);
    expect(report.problems).toEqual([
      { path: "dangling.md", problem: "unreadable" },
      { path: "leak.md", problem: "outside_folder" },
      { path: "up", problem: "outside_folder" },
    ]);
  });

  it("does not wait for a pipe that is called like a document", async () => {
    execFileSync("mkfifo", [join(folder, "pipe.md")]);
    symlinkSync("pipe.md", join(folder, "link.md"));
    expect((await new FolderIndex(folder, index).refresh()).problemCounts).toEqual({ other_type: 1 });
  });

  it("gives an id that two files claim to the first and calls the other by its path, until the first is gone", async () => {
    write("a.md", "---\nid: same\n---\nalpha\n");
    write("b.md", "---\nid: same\n---\nbeta\n");
    write("c.md", "---\nid: a.md\n---\ngamma\n");
    const folderIndex = new FolderIndex(folder, index);
    const report = await folderIndex.refresh();
    expect(ids()).toEqual(["a.md", "b.md", "same"].map((id) => (id === "a.md" ? "c.md" : id)).sort());
    expect(report.problemCounts).toEqual({ duplicate_id: 2 });
    rmSync(join(folder, "a.md"));
    expect((await folderIndex.refresh()).problemCounts).toEqual({});
    expect(ids()).toEqual(["a.md", "same"]);
    expect(index.match(["beta"], { limit: 1 }).candidates[0]?.passage.documentId).toBe("same");
  });

  it("reads only what has changed", async () => {
    write("a.md", "alpha\n");
    write("b.md", "beta\n");
    write("bad.md", new Uint8Array([0]));
    const folderIndex = new FolderIndex(folder, index);
    await folderIndex.refresh();
    expect(await folderIndex.refresh()).toMatchObject({ updated: 0, removed: 0, problemCounts: { binary: 1 } });
    write("b.md", "gamma\n");
    utimesSync(join(folder, "b.md"), 1, 1);
    write("bad.md", "good now\n");
    renameSync(join(folder, "a.md"), join(folder, "d.md"));
    expect(await folderIndex.refresh()).toMatchObject({ updated: 3, removed: 1, documents: 3, problemCounts: {} });
    expect(index.match(["beta"], { limit: 1 }).candidates).toEqual([]);
    expect(index.match(["gamma"], { limit: 1 }).candidates).toHaveLength(1);
  });

  it("puts right what another process wrote to a shared index from an older folder", async () => {
    write("a.md", "alpha\n");
    const folderIndex = new FolderIndex(folder, index);
    await folderIndex.refresh();
    const [document] = index.documents();
    if (document === undefined) throw new Error("nothing was indexed");
    index.apply({ put: [{ ...document, stamp: "older", passages: [] }], remove: [] });
    await folderIndex.refresh();
    expect(index.match(["alpha"], { limit: 1 }).candidates).toHaveLength(1);
  });

  it("has a clear code for a folder that is not there", async () => {
    for (const missing of [join(root, "nothing"), join(root, "file.md")]) {
      write("file.md", "x", root);
      await expect(new FolderIndex(missing, index).refresh()).rejects.toMatchObject({ code: "SOURCE_NOT_FOUND" });
    }
  });
});
