import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, normalize, relative, resolve, sep } from "node:path";
import { BoundaryError } from "../../../../model/errors.ts";
import { byRotation } from "./rotation.ts";

/** A file that a source may read. */
export interface FoundFile {
  readonly path: string;
  /** Path below the source's folder, with `/`. */
  readonly name: string;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modified: number;
}

const MAGIC = /[*?[{]/;
const MAX_FILES = 10_000;
const MAX_DEPTH = 32;

/**
 * The files that globs name, oldest rotation first. Without `root` the folder of a glob is the part before its first
 * wildcard; neither `..` nor a symbolic link leads out of it.
 */
export async function findFiles(globs: readonly string[], root: string | undefined): Promise<FoundFile[]> {
  const found = new Map<string, FoundFile>();
  for (const glob of globs) {
    for (const file of await filesOfGlob(glob, root)) if (found.size < MAX_FILES) found.set(file.path, file);
  }
  return [...found.values()].sort(byRotation);
}

async function filesOfGlob(glob: string, root: string | undefined): Promise<FoundFile[]> {
  const { folder, segments } = splitGlob(glob, root);
  const home = await real(folder);
  const border = root === undefined ? home : await real(resolve(root));
  if (home === null || border === null) return [];
  const files: FoundFile[] = [];
  for (const path of await walk(home, segments)) {
    const file = await checked(path, border, home);
    if (file !== null) files.push(file);
  }
  return files;
}

function splitGlob(
  glob: string,
  root: string | undefined,
): { readonly folder: string; readonly segments: readonly string[] } {
  const full = isAbsolute(glob) ? glob : join(root ?? ".", glob);
  const parts = full.split(/[\\/]/);
  const magic = parts.findIndex((part) => MAGIC.test(part));
  const at = magic < 0 ? parts.length - 1 : magic;
  const segments = parts.slice(at).filter((part) => part !== "" && part !== ".");
  if (segments.at(-1) === "**") segments.push("*");
  if (segments.includes("..")) throw new BoundaryError("SOURCE_NOT_FOUND", "source", "A glob may not climb by '..'.");
  const folder = resolve(normalize(parts.slice(0, at).join("/") || "/"));
  if (root !== undefined && !isWithin(folder, resolve(root)))
    throw new BoundaryError("SOURCE_NOT_FOUND", "source", "A glob leads out of the source's root.");
  return { folder, segments };
}

interface Visit {
  readonly folder: string;
  readonly segments: readonly string[];
  readonly depth: number;
}

async function walk(folder: string, segments: readonly string[]): Promise<string[]> {
  const paths: string[] = [];
  const open: Visit[] = [{ folder, segments, depth: 0 }];
  for (let visit = open.pop(); visit !== undefined && paths.length < MAX_FILES; visit = open.pop()) {
    const entries = await readdir(visit.folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) if (stepInto(entry, visit) === "match") paths.push(join(visit.folder, entry.name));
    open.push(...deeper(entries, visit));
  }
  return paths;
}

function deeper(entries: readonly Dirent[], visit: Visit): Visit[] {
  const visits: Visit[] = [];
  if (visit.segments[0] === "**") visits.push({ ...visit, segments: visit.segments.slice(1) });
  for (const entry of visit.depth < MAX_DEPTH ? entries : []) {
    const step = stepInto(entry, visit);
    if (step !== "match" && step !== null)
      visits.push({ folder: join(visit.folder, entry.name), segments: step, depth: visit.depth + 1 });
  }
  return visits;
}

/** What an entry of a folder is to a glob: a match, a folder to go on in with these segments, or nothing. */
function stepInto(entry: Dirent, { segments }: Visit): "match" | readonly string[] | null {
  const [segment = "", ...rest] = segments;
  if (segment === "**") return entry.isDirectory() ? segments : null;
  if (!segmentExpression(segment).test(entry.name)) return null;
  if (rest.length === 0) return "match";
  return entry.isDirectory() || entry.isSymbolicLink() ? rest : null;
}

const GLOB_SIGN = /\*{1,8}|\?|\[!?[^\]]{1,64}\]|\{[^{}]{0,200}\}|[\s\S]/g;

/** One path segment with `*`, `?`, `[…]` and `{a,b}`; a leading dot must be written. */
function segmentExpression(glob: string): RegExp {
  const body = (glob.match(GLOB_SIGN) ?? []).map(expressionOf).join("");
  return new RegExp(`^${glob.startsWith(".") ? "" : "(?!\\.)"}${body}$`);
}

function expressionOf(sign: string): string {
  if (sign.startsWith("*")) return ".*";
  if (sign === "?") return ".";
  if (sign.startsWith("[") && sign.length > 2)
    return `[${sign.slice(1, -1).replace(/^!/, "^").replace(/[\\[]/g, "\\$&")}]`;
  if (sign.startsWith("{") && sign.length > 1)
    return `(?:${sign
      .slice(1, -1)
      .split(",")
      .map((option) => (option.match(GLOB_SIGN) ?? []).map(expressionOf).join(""))
      .join("|")})`;
  return sign.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

async function real(path: string): Promise<string | null> {
  return await realpath(path).catch(() => null);
}

async function checked(path: string, root: string, home: string): Promise<FoundFile | null> {
  const target = await real(path);
  if (target === null || !isWithin(target, root)) return null;
  const info = await stat(target).catch(() => null);
  if (info === null || !info.isFile()) return null;
  return { path: target, name: relative(home, path).split(sep).join("/"), size: info.size, modified: info.mtimeMs };
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!way.startsWith("..") && !isAbsolute(way));
}
