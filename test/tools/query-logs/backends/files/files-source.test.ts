import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as zlib from "node:zlib";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type FilesSourceOptions,
  filesSource,
} from "../../../../../src/tools/query-logs/backends/files/files-source.ts";
import { searchLines } from "../../../../../src/tools/query-logs/backends/lines.ts";
import type { LogQuery } from "../../../../../src/tools/query-logs/match/filter.ts";
import type { RawLogs } from "../../../../../src/tools/query-logs/raw.ts";
import { EVERYTHING } from "../../fixture.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "query-logs-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const at = (second: number): string => new Date(Date.UTC(2026, 6, 29, 10) + second * 1000).toISOString();
const put = async (name: string, data: string | Uint8Array): Promise<void> => {
  const path = join(folder, name);
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, data);
};

async function search(
  query: Partial<LogQuery> = {},
  options: Partial<FilesSourceOptions> = {},
  limits: { readonly maxRawBytes?: number; readonly signal?: AbortSignal } = {},
): Promise<RawLogs> {
  const source = filesSource({ name: "app", files: [join(folder, "*.log")], ...options });
  return await source.search(
    { ...EVERYTHING, ...query },
    { signal: limits.signal ?? new AbortController().signal, maxRawBytes: limits.maxRawBytes ?? 8 * 1024 * 1024 },
  );
}
const textsOf = ({ events }: RawLogs): string[] => events.map(({ text }) => text);

describe("finding files", () => {
  it("says that a glob matching nothing is no source, rather than that nothing happened", async () => {
    await expect(search()).rejects.toMatchObject({ code: "SOURCE_NOT_FOUND" });
  });

  it("matches names with every sign of a glob", async () => {
    for (const name of ["a/one.log", "a/b/two.log", "a/three.txt", "a/.hidden.log", "x1.log", "x2.log", "x[3].log"])
      await put(name, `${name}\n`);
    const found = async (...files: string[]): Promise<string[]> =>
      textsOf(await search({}, { files: files.map((glob) => join(folder, glob)) })).sort();
    expect(await found("a/*.log")).toEqual(["a/one.log"]);
    expect(await found("a/**/*.log")).toEqual(["a/b/two.log", "a/one.log"]);
    expect(await found("x[12].log")).toEqual(["x1.log", "x2.log"]);
    expect(await found("x[!1].log")).toEqual(["x2.log"]);
    expect(await found("x?.log")).toEqual(["x1.log", "x2.log"]);
    expect(await found("a/{one,three}.{log,txt}")).toEqual(["a/one.log", "a/three.txt"]);
    expect(await found("a/**")).toEqual(["a/b/two.log", "a/one.log", "a/three.txt"]);
    expect(await found("x1.log", "x*.log", "x1.log")).toHaveLength(3);
  });

  it("is led out of the folder by neither a link nor dots", async () => {
    await put("secret/key.log", "outside\n");
    await put("logs/app.log", "inside\n");
    await symlink(join(folder, "secret/key.log"), join(folder, "logs/link.log"));
    await symlink(join(folder, "secret"), join(folder, "logs/linked"));
    expect(textsOf(await search({}, { files: [join(folder, "logs/*.log")] }))).toEqual(["inside"]);
    await expect(search({}, { files: [join(folder, "logs/linked/*.log")] })).resolves.toMatchObject({
      events: [{ text: "outside" }],
    });
    await expect(search({}, { files: [`${folder}/logs/*/../../secret/*.log`] })).rejects.toMatchObject({
      code: "SOURCE_NOT_FOUND",
    });
    const inLogs = { root: join(folder, "logs") };
    await expect(search({}, { ...inLogs, files: ["../secret/*.log"] })).rejects.toMatchObject({
      code: "SOURCE_NOT_FOUND",
    });
    await expect(search({}, { ...inLogs, files: ["linked/*.log"] })).rejects.toMatchObject({
      code: "SOURCE_NOT_FOUND",
    });
    expect(textsOf(await search({}, { root: folder, files: ["logs/*.log"] })).sort()).toEqual(["inside", "outside"]);
  });

  it("reads rotated files from the oldest on, compressed or not", async () => {
    await put("app.log", "newest\n");
    await put("app.log.1", "newer\n");
    await put("app.log.2.gz", zlib.gzipSync("older\n"));
    await put("app.log.10.gz", zlib.gzipSync("oldest\n"));
    const raw = await search({}, { files: [join(folder, "app.log*")] });
    expect(textsOf(raw)).toEqual(["oldest", "older", "newer", "newest"]);
    expect(raw.events.map(({ file }) => file)).toEqual(["app.log.10.gz", "app.log.2.gz", "app.log.1", "app.log"]);
  });

  it("orders files by the dates in their names", async () => {
    for (const date of ["2026-07-28", "2026-07-30", "2026-07-29"]) await put(`app-${date}.log`, `${date}\n`);
    expect(textsOf(await search())).toEqual(["2026-07-28", "2026-07-29", "2026-07-30"]);
  });
});

describe("reading files", () => {
  it("says when a part could not be read, and that a source is unreadable when no part could", async () => {
    await put("good.log", "fine\n");
    await put("bad.log.gz", zlib.gzipSync("cut in the middle\n".repeat(1000)).subarray(0, 60));
    const raw = await search({}, { files: [join(folder, "*.log*")] });
    expect(raw.partial).toBe(true);
    expect(textsOf(raw)).toContain("fine");
    await expect(search({}, { files: [join(folder, "bad*")] })).rejects.toMatchObject({ code: "SOURCE_UNREADABLE" });
  });

  it.each([
    [
      "UTF-16 with a mark",
      Buffer.from("\ufeff2026-07-29 10:00:00 ERROR 服务停止\r\nx", "utf16le"),
      {},
      "2026-07-29 10:00:00 ERROR 服务停止",
    ],
    ["UTF-8 with a mark", Buffer.from("\ufeffERROR a\n"), {}, "ERROR a"],
    [
      "declared GB 18030",
      Buffer.from([0x57, 0x41, 0x52, 0x4e, 0x20, 0xb4, 0xed, 0xce, 0xf3, 0x0a]),
      { encoding: "gb18030" as const },
      "WARN 错误",
    ],
    ["invalid bytes", Buffer.from([0x57, 0x41, 0x52, 0x4e, 0x20, 0xb4, 0x41, 0x0a]), {}, "WARN \ufffdA"],
    [
      "holes of NULs",
      Buffer.concat([Buffer.alloc(5000), Buffer.from("INFO after rotation\n")]),
      {},
      "INFO after rotation",
    ],
  ])("decodes %s", async (_, bytes, options, expected) => {
    await put("app.log", bytes);
    expect(textsOf(await search({}, options))[0]).toBe(expected);
  });

  it("reads zstd where Node can, and says that it cannot where not", async () => {
    const compress: unknown = Reflect.get(zlib, "zstdCompressSync");
    await put("app.log.zst", typeof compress === "function" ? compress("packed\n") : "packed\n");
    const found = search({}, { files: [join(folder, "*.zst")] });
    if (typeof compress === "function") expect(textsOf(await found)).toEqual(["packed"]);
    else await expect(found).rejects.toMatchObject({ code: "SOURCE_UNREADABLE" });
  });

  it("keeps a line of a megabyte whole and counts the lines after it", async () => {
    await put("app.log", `ERROR payload=${"QUJD".repeat(262_144)}\nERROR next\n`);
    const raw = await search();
    expect(raw.events.map(({ text, line }) => [text.length, line])).toEqual([
      [1_048_590, 1],
      [10, 2],
    ]);
  });

  it("stops before the byte budget and says so", async () => {
    await put("app.log", Array.from({ length: 1000 }, (_, i) => `${at(i)} INFO row ${i}`).join("\n"));
    const raw = await search({}, {}, { maxRawBytes: 20_000 });
    expect(raw.backend_truncated).toBe(true);
    expect(raw.events.length).toBeGreaterThan(50);
    expect(Buffer.byteLength(JSON.stringify(raw))).toBeLessThanOrEqual(20_000);
  });

  it("is cut by a limit only when one more event matches", async () => {
    await put("app.log", Array.from({ length: 10 }, (_, i) => `${at(i)} INFO row ${i}`).join("\n"));
    expect((await search({ limit: 10 })).backend_truncated).toBe(false);
    const cut = await search({ limit: 9 });
    expect(cut).toMatchObject({ backend_truncated: true });
    expect(cut.events).toHaveLength(9);
  });

  it("stops when it is told to", async () => {
    await put("app.log", "a\n");
    await expect(search({}, {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
  });

  it("merges files by time and keeps lines of one time in their order", async () => {
    await put("a.log", `${at(1)} INFO a1\n${at(3)} INFO a3\n${at(3)} INFO a3b\n`);
    await put("b.log", `${at(2)} INFO b2\n${at(4)} INFO b4\n`);
    expect(textsOf(await search()).map((text) => text.split(" ").at(-1))).toEqual(["a1", "b2", "a3", "a3b", "b4"]);
  });

  it("uses a pattern of its user's own", async () => {
    await put("app.log", "1785320110 | 3 | door | shut\n1785320111 | E | door | open\n");
    const linePattern = "^(?<time>\\d+) \\| (?<level>\\w) \\| (?<service>\\w+) \\| (?<message>.*)$";
    const raw = await search({ level: "ERROR" }, { linePattern });
    expect(raw.events).toMatchObject([{ level: "ERROR", service: "door", time: "2026-07-29T10:15:11.000Z", at: 24 }]);
    expect(() => filesSource({ name: "x", files: [], linePattern: "(" })).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
    expect(() => filesSource({ name: "x", files: [], linePattern: "^a" })).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
    expect(() => filesSource({ name: "x", files: [], timeZone: "Moon" })).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
  });

  it("guesses the year of a line by when its file was written", async () => {
    await put("app.log", "Dec 31 23:59:58 gate sshd[1]: bye\n");
    await utimes(join(folder, "app.log"), new Date(), new Date("2025-01-02T00:00:00Z"));
    expect((await search()).events[0]?.time).toBe("2024-12-31T23:59:58.000Z");
  });
});

describe("filters", () => {
  const lines = [
    '{"ts":"2026-07-29T10:00:01Z","level":"info","service":"cart","msg":"Payment accepted"}',
    '{"ts":"2026-07-29T10:00:02Z","level":"error","service":"cart","msg":"payment timeout caf\\u00e9"}',
    '{"ts":"2026-07-29T10:00:03Z","level":"fatal","service":"stock","msg":"支付 ｔｉｍｅｏｕｔ"}',
    '{"ts":"2026-07-29T10:00:04Z","service":"stock","msg":"no level at all: payment timeout"}',
  ];
  const count = async (query: Partial<LogQuery>): Promise<number> => {
    await put("app.log", lines.join("\n"));
    return (await search(query)).events.length;
  };

  it("finds by level this one and those more severe", async () => {
    expect(await count({ level: "INFO" })).toBe(3);
    expect(await count({ level: "ERROR" })).toBe(2);
    expect(await count({ level: "FATAL" })).toBe(1);
  });

  it("needs every keyword, in any case, width and JSON spelling", async () => {
    expect(await count({ keywords: ["payment"] })).toBe(3);
    expect(await count({ keywords: ["payment", "timeout"] })).toBe(2);
    expect(await count({ keywords: ["timeout"] })).toBe(3);
    expect(await count({ keywords: ["café"] })).toBe(1);
    expect(await count({ keywords: ["支付"] })).toBe(1);
    expect(await count({ keywords: ["absent"] })).toBe(0);
  });

  it("finds by service and by pattern", async () => {
    expect(await count({ service: "Cart" })).toBe(2);
    expect(await count({ service: "car" })).toBe(0);
    expect(await count({ pattern: "payment (accepted|refused)" })).toBe(1);
  });

  it("takes the window half open", async () => {
    const from = Date.parse("2026-07-29T10:00:01Z");
    expect(await count({ from, to: from + 2000 })).toBe(2);
    expect(await count({ from: from + 1, to: from + 2000 })).toBe(1);
  });

  it("names the service of an event that says none after its configuration or its file", async () => {
    await put("checkout.log", `${at(1)} ERROR a\n`);
    await put("stock.log", `${at(2)} ERROR b\n`);
    expect(textsOf(await search({ service: "stock" }))).toHaveLength(1);
    expect(textsOf(await search({ service: "shop" }, { service: "shop" }))).toHaveLength(2);
    expect(await search({ service: "billing" })).toMatchObject({ service_unknown: true });
    expect(await search({ service: "billing" }, { service: "shop" })).toMatchObject({ service_unknown: false });
    expect(await search({ service: "stock", keywords: ["none"] })).toMatchObject({
      service_unknown: false,
      events: [],
    });
  });

  it("marks what another zone could bring into the window, where none is declared", async () => {
    await put("app.log", "2026-07-29 18:00:00 ERROR late\n");
    const window = { from: Date.parse("2026-07-29T09:55:00Z"), to: Date.parse("2026-07-29T10:05:00Z") };
    expect(await search(window)).toMatchObject({ events: [], undecided: [{ text: "2026-07-29 18:00:00 ERROR late" }] });
    const declared = await search(window, { timeZone: "Asia/Shanghai" });
    expect(declared).toMatchObject({ undecided: [], events: [{ assumed: true }] });
  });

  it("keeps apart what a filter by level cannot see", async () => {
    await put("app.log", "worker started\n");
    expect(await search({ level: "ERROR" })).toMatchObject({ events: [], undecided: [{ text: "worker started" }] });
  });
});

describe("large files", () => {
  const row = (i: number, extra = ""): string =>
    `${at(i)} INFO [worker-${i % 7}] shop.Door - row ${i} ${"x".repeat(60)}${extra}`;

  it("finds the events around a binary search, with their line numbers", async () => {
    const lines = Array.from({ length: 60_000 }, (_, i) => row(i));
    await put("app.log", lines.join("\n"));
    const from = Date.parse(at(41_000));
    const raw = await search({ from, to: from + 3000 });
    expect(raw.events.map(({ line }) => line)).toEqual([41_001, 41_002, 41_003]);
    expect((await search({ from: Date.parse(at(59_999)) })).events).toHaveLength(1);
    expect((await search({ to: Date.parse(at(1)) })).events).toHaveLength(1);
  });

  it("reads a file that is out of order from its beginning", async () => {
    const lines = Array.from({ length: 60_000 }, (_, i) => row((i * 7919) % 60_000));
    await put("app.log", lines.join("\n"));
    const from = Date.parse(at(41_000));
    expect((await search({ from, to: from + 3000 })).events).toHaveLength(3);
  });

  it("finds by skipping what a full reading finds, also where an event lies across blocks", async () => {
    const traces = Array.from({ length: 12_000 }, (_, i) =>
      i % 5 === 0
        ? `${row(i)}\nshop.DoorException: jammed ${i}\n\tat shop.Door.open(Door.java:${i})\n\tat shop.Key.turn${"y".repeat(i % 90)}(Key.java:1)`
        : row(i),
    );
    const text = traces.join("\n");
    await put("app.log", text);
    const needles = [
      ["jammed 4000"],
      ["row 4005", "jammed"],
      ["door.java:11995"],
      ["key.java:1)", "row 7770 "],
      ["nowhere"],
      ["exception", "row 10"],
    ];
    for (const keywords of needles) {
      const found = await search({ keywords }, { files: [join(folder, "app.log")] });
      const all = searchLines(
        text.split("\n"),
        { ...EVERYTHING, keywords },
        Date.UTC(2026, 6, 30),
        Number.MAX_SAFE_INTEGER,
      );
      expect(found.events.map(({ line, text: event }) => [line, event])).toEqual(
        all.events.map(({ line, text: event }) => [line, event]),
      );
    }
  });

  it("finds a whole crash among JSON lines", async () => {
    const json = (i: number): string => JSON.stringify({ ts: at(i), level: "info", msg: `row ${i}` });
    const crash = ["panic: nil hinge", "", "goroutine 1 [running]:", "main.open()", "\t/src/door.go:1 +0x1"];
    await put("app.log", [json(0), json(1), json(2), ...crash, json(3)].join("\n"));
    expect(textsOf(await search({ keywords: ["door.go"] }))).toEqual([crash.join("\n")]);
    expect(textsOf(await search({ keywords: ["hinge", "door.go"] }))).toEqual([crash.join("\n")]);
    expect((await search({ keywords: ["row"] })).events.map(({ line }) => line)).toEqual([1, 2, 3, 9]);
  });

  it("finds in JSON lines by skipping what a full reading finds", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("plain", "ＡＢＣ", "a\\b", 'quo"te', "中文", "x/y", "\u001b[1mbold", "b\u0000old"), {
          minLength: 1,
          maxLength: 8,
        }),
        fc.constantFrom("plain", "abc", "a\\b", 'quo"te', "中文", "x/y", "bold", "ai"),
        async (words, keyword) => {
          const lines = words.map((word, i) => JSON.stringify({ ts: at(i), level: "info", msg: `${word} and more` }));
          await put("app.log", lines.join("\n"));
          const found = await search({ keywords: [keyword] });
          const all = searchLines(
            lines,
            { ...EVERYTHING, keywords: [keyword] },
            Date.UTC(2026, 6, 30),
            Number.MAX_SAFE_INTEGER,
          );
          expect(found.events.map(({ line }) => line)).toEqual(all.events.map(({ line }) => line));
        },
      ),
      { numRuns: 40 },
    );
  });
});
