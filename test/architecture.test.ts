import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const src = resolve(import.meta.dirname, "../src");

/**
 * What a folder of `src` may import from the others. `x/y.ts` allows one file alone. A folder may always import from itself,
 * except that a tool may not import another tool.
 */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  model: [],
  sqlite: [],
  redact: ["model"],
  tools: ["model", "redact", "sqlite"],
  progress: ["model"],
  store: ["model"],
  audit: ["model", "sqlite"],
  views: ["model", "progress"],
  guard: ["model", "store/store.ts"],
  boundary: [
    "model",
    "redact",
    "tools/tool.ts",
    "progress",
    "store/store.ts",
    "audit/audit.ts",
    "audit/drain.ts",
    "audit/row.ts",
    "views",
    "guard",
  ],
  mcp: ["boundary", "guard", "views", "model", "tools/tool.ts"],
  config: ["model", "boundary/limits.ts", "tools/query-mysql", "tools/query-logs", "tools/lookup-knowledge", "redact"],
  testing: ["model", "store/store.ts", "audit/audit.ts", "tools/tool.ts"],
};
/** Composition: these may import everything but `testing`. */
const ROOTS = ["cli", "index.ts"];

/** Packages a folder may load. `model`, `redact`, `progress`, `views`, `guard` and `boundary` are free of them. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  sqlite: ["@photostructure/sqlite"],
  tools: ["zod", "marked", "stemmer", "yaml"],
  audit: ["kysely"],
  mcp: ["@modelcontextprotocol/server", "zod"],
  config: ["zod", "yaml"],
  cli: ["commander", "yaml", "zod", "@modelcontextprotocol/server", "mysql2", "redis"],
  testing: ["vitest"],
};

/** Node modules of the pure middle: hashes alone. */
const PURE: Readonly<Record<string, readonly string[]>> = {
  model: ["node:crypto"],
  redact: ["node:crypto"],
  progress: [],
  views: [],
  guard: [],
};

interface Import {
  readonly from: string;
  readonly to: string;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : path.endsWith(".ts") ? [path] : [];
  });
}

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)"([^"\s]+)"/g;

/** Every import, type imports and dynamic ones included. */
function importsOf(path: string): Import[] {
  const text = readFileSync(path, "utf8").replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, "");
  const from = relative(src, path);
  return [...text.matchAll(IMPORT)].map(([, target = ""]) => ({
    from,
    to: target.startsWith(".") ? relative(src, resolve(dirname(path), target)) : target,
  }));
}

const all = filesBelow(src).flatMap(importsOf);
const isPackage = (to: string): boolean => !to.endsWith(".ts");
const folderOf = (path: string): string => path.split("/")[0] ?? path;
const show = ({ from, to }: Import): string => `${from} imports ${to}`;

function allowed({ from, to }: Import): boolean {
  const folder = folderOf(from);
  const target = folderOf(to);
  if (ROOTS.includes(folder)) return target !== "testing";
  if (folder === target) return folder !== "tools" || from === "tools/tools.ts" || sameTool(from, to);
  return (LAYERS[folder] ?? []).some((entry) => to === entry || to.startsWith(`${entry}/`));
}

/** `tools/tool.ts` and `tools/define-tool.ts` belong to all tools; a tool's own folder to itself alone. */
function sameTool(from: string, to: string): boolean {
  const [, fromTool = ""] = from.split("/");
  const [, toTool = ""] = to.split("/");
  return toTool.endsWith(".ts") || fromTool === toTool;
}

describe("the layers", () => {
  it("finds the imports of the whole source tree", () => {
    expect(all.length).toBeGreaterThan(100);
    expect(all).toContainEqual({ from: "boundary/execute.ts", to: "model/codec.ts" });
  });

  it("imports only what stands above, type imports included", () => {
    expect(all.filter((one) => !isPackage(one.to) && !allowed(one)).map(show)).toEqual([]);
  });

  it("knows every folder", () => {
    const folders = new Set(filesBelow(src).map((path) => folderOf(relative(src, path))));
    expect([...folders].filter((folder) => !(folder in LAYERS) && !ROOTS.includes(folder))).toEqual([]);
  });

  it("loads a package only where it belongs", () => {
    const packages = all.filter(({ to }) => isPackage(to) && !to.startsWith("node:"));
    const stray = packages.filter(({ from, to }) => {
      return !(PACKAGES[folderOf(from)] ?? []).some((name) => to === name || to.startsWith(`${name}/`));
    });
    expect(stray.map(show)).toEqual([]);
  });

  it("keeps the middle pure: no I/O, no clock, no chance", () => {
    const impure = all.filter(({ from, to }) => {
      const pure = PURE[folderOf(from)];
      return pure !== undefined && to.startsWith("node:") && !pure.includes(to);
    });
    expect(impure.map(show)).toEqual([]);
    const touching = filesBelow(src)
      .filter((path) => folderOf(relative(src, path)) in PURE)
      .filter((path) =>
        /\bDate\.now\(|\bnew Date\(\)|Math\.random\(|\brandomUUID\b|\brandomBytes\b/.test(readFileSync(path, "utf8")),
      )
      .map((path) => relative(src, path));
    expect(touching).toEqual([]);
  });

  it("keeps every file under 250 lines", () => {
    const long = filesBelow(src)
      .map((path) => [relative(src, path), readFileSync(path, "utf8").split("\n").length] as const)
      .filter(([path, lines]) => lines > 250 && !path.startsWith("testing/"));
    expect(long).toEqual([]);
  });
});
