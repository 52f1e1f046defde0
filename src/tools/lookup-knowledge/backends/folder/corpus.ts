import { constants, type FileHandle, open, readdir, realpath, stat } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { BoundaryError } from "../../../../model/errors.ts";

const MARKDOWN = new Set([".md", ".markdown", ".mdown", ".mdx"]);
const PLAIN = new Set([".txt", ".text", ".rst", ".adoc", ".org"]);
/** Larger files are exports and dumps rather than documents. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_FILES = 50_000;

/** Why a file of the folder is not searched, or not as it asked to be. */
export type FileProblem =
  | "other_type"
  | "binary"
  | "not_utf8"
  | "too_large"
  | "too_many"
  | "outside_folder"
  | "unreadable"
  | "empty"
  | "broken_front_matter"
  | "duplicate_id";

export interface FoundFile {
  /** Within the folder, with `/` between names. */
  readonly path: string;
  readonly realPath: string;
  /** Changes whenever the file may have changed. */
  readonly stamp: string;
}

export interface Listing {
  readonly files: readonly FoundFile[];
  readonly problems: readonly { readonly path: string; readonly problem: FileProblem }[];
}

export interface FileText {
  readonly text: string;
  readonly format: "markdown" | "text";
}

/**
 * The documents of a folder, in order of their paths. Hidden names are left out. Links are followed while they stay inside,
 * so that a mounted ConfigMap works; one that leads out is named, never read.
 */
export async function listFolder(folder: string): Promise<Listing> {
  const root = await realpath(folder).catch(() => null);
  const stats = root === null ? null : await stat(root).catch(() => null);
  if (root === null || stats?.isDirectory() !== true) {
    throw new BoundaryError("SOURCE_NOT_FOUND", "collection", "The folder of this collection does not exist.");
  }
  const walk = new Walk(root);
  await walk.directory(root);
  return walk.listing();
}

/** The text of a file, or why there is none. */
export async function readFileText(file: FoundFile): Promise<FileText | FileProblem> {
  let handle: FileHandle | undefined;
  try {
    // what was a plain file when the folder was read must still be one
    handle = await open(file.realPath, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    if ((await handle.stat()).size > MAX_FILE_BYTES) return "too_large";
    const text = decode(await handle.readFile());
    if (typeof text !== "object") return text;
    return { ...text, format: MARKDOWN.has(extname(file.path).toLowerCase()) ? "markdown" : "text" };
  } catch {
    return "unreadable";
  } finally {
    await handle?.close();
  }
}

function decode(bytes: Buffer): { readonly text: string } | FileProblem {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8";
  if (encoding === "utf-8" && bytes.includes(0)) return "binary";
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    if (text.includes("\0")) return "binary";
    return text.trim() === "" ? "empty" : { text };
  } catch {
    return "not_utf8";
  }
}

/** One walk through a folder. */
class Walk {
  readonly #root: string;
  readonly #files: FoundFile[] = [];
  readonly #links: string[] = [];
  readonly #problems: { path: string; problem: FileProblem }[] = [];
  /** Real paths that were met, so that no link can lead round in a circle or give a file twice. */
  readonly #met = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  async directory(directory: string): Promise<void> {
    const pending = [directory];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      await this.#enter(next, pending);
      // what is reached without a link is known by that path
      if (pending.length === 0) await this.#follow(pending);
    }
  }

  listing(): Listing {
    const byPath = (a: { path: string }, b: { path: string }): number => (a.path < b.path ? -1 : 1);
    return { files: this.#files.sort(byPath), problems: this.#problems.sort(byPath) };
  }

  async #enter(directory: string, pending: string[]): Promise<void> {
    const real = await realpath(directory).catch(() => null);
    const entries = real === null ? null : await readdir(real, { withFileTypes: true }).catch(() => null);
    if (real === null || entries === null) return this.#report(directory, "unreadable");
    if (this.#met.has(real)) return;
    this.#met.add(real);
    for (const entry of entries.filter(({ name }) => !name.startsWith("."))) {
      const path = join(directory, entry.name);
      if (entry.isSymbolicLink()) this.#links.push(path);
      else if (entry.isDirectory()) pending.push(path);
      else await this.#file(path, join(real, entry.name));
    }
  }

  async #follow(pending: string[]): Promise<void> {
    for (const link of this.#links.splice(0).sort()) {
      const target = await realpath(link).catch(() => null);
      const stats = target === null ? null : await stat(target).catch(() => null);
      if (target === null || stats === null) this.#report(link, "unreadable");
      else if (target !== this.#root && !target.startsWith(`${this.#root}${sep}`)) this.#report(link, "outside_folder");
      else if (stats.isDirectory()) pending.push(link);
      else await this.#file(link, target);
    }
  }

  async #file(path: string, realPath: string): Promise<void> {
    const extension = extname(path).toLowerCase();
    if (!MARKDOWN.has(extension) && !PLAIN.has(extension)) return this.#report(path, "other_type");
    if (this.#files.length >= MAX_FILES) return this.#report(path, "too_many");
    if (this.#met.has(realPath)) return;
    this.#met.add(realPath);
    // it may have gone since the folder was read
    const stats = await stat(realPath).catch(() => null);
    if (stats === null) return this.#report(path, "unreadable");
    if (!stats.isFile()) return this.#report(path, "other_type");
    const stamp = [stats.mtimeMs, stats.ctimeMs, stats.size, stats.ino].join(":");
    this.#files.push({ path: this.#name(path), realPath, stamp });
  }

  #report(path: string, problem: FileProblem): void {
    this.#problems.push({ path: this.#name(path), problem });
  }

  #name(path: string): string {
    return relative(this.#root, path).split(sep).join("/");
  }
}
