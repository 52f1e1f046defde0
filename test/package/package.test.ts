import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const dist = join(root, "dist");

const STATIC_IMPORT = /^(?:import|export)\b[^"';]*\bfrom\s*"([^"]+)"|^import\s*"([^"]+)"/gm;

/** Files of dist that importing `entry` loads, and what it loads from elsewhere. Static imports alone: dynamic ones load later. */
function loadedBy(entry: string): { readonly files: ReadonlySet<string>; readonly others: ReadonlySet<string> } {
  const files = new Set<string>();
  const others = new Set<string>();
  const open = [entry];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (files.has(path)) continue;
    files.add(path);
    for (const [, from, bare] of readFileSync(path, "utf8").matchAll(STATIC_IMPORT)) {
      const target = from ?? bare ?? "";
      if (target.startsWith(".")) open.push(resolve(dirname(path), target));
      else others.add(target);
    }
  }
  return { files, others };
}

function bytesBelow(path: string): number {
  const entry = lstatSync(path);
  if (!entry.isDirectory()) return entry.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesBelow(join(path, name)), 0);
}

describe("the package", () => {
  it("has been built before its tests", () => {
    expect(existsSync(join(dist, "index.js")), "run `npm run build` first, or use `npm test`").toBe(true);
  });

  it("loads no driver, SDK or native module from its root entry", () => {
    const { files, others } = loadedBy(join(dist, "index.js"));
    expect([...others].filter((name) => !name.startsWith("node:"))).toEqual([]);
    expect(others).not.toContain("node:sqlite");
    const folders = new Set([...files].map((path) => relative(dist, path).split("/")[0]));
    for (const surface of ["mcp", "cli", "config", "testing"]) expect(folders).not.toContain(surface);
    expect([...files].filter((path) => /sqlite|mysql|redis/.test(relative(dist, path)))).toEqual([]);
  });

  it("names files that exist in every export", () => {
    const { exports, bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const targets = Object.values(exports as Record<string, string | Record<string, string>>)
      .flatMap((entry) => (typeof entry === "string" ? [entry] : Object.values(entry)))
      .concat(Object.values(bin as Record<string, string>));
    for (const target of targets) expect(existsSync(join(root, target)), target).toBe(true);
  });

  it("installs at most 70 packages and 100 MB for production", () => {
    const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
      packages: Record<string, { dev?: boolean; devOptional?: boolean; optional?: boolean }>;
    };
    const production = Object.entries(lock.packages).filter(([path, entry]) => path !== "" && entry.dev !== true);
    expect(production.length).toBeGreaterThan(5);
    expect(production.length).toBeLessThanOrEqual(70);
    const present = production.map(([path]) => join(root, path)).filter((path) => existsSync(path));
    const own = (path: string): number => bytesBelow(path) - nested(path);
    const nested = (path: string): number => {
      const inner = join(path, "node_modules");
      return existsSync(inner) ? bytesBelow(inner) : 0;
    };
    const bytes = present.reduce((sum, path) => sum + own(path), 0);
    expect(bytes).toBeLessThanOrEqual(100 * 1024 * 1024);
  });
});
