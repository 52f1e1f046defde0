import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonical, MAX_DEPTH } from "../../src/model/codec.ts";
import { BoundaryError } from "../../src/model/errors.ts";

const MIB = 1024 * 1024;
const store = (raw: unknown, maxBytes = MIB) => canonical(raw, maxBytes);
const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return BoundaryError.is(error) ? error.code : "another error";
  }
  return "none";
};

describe("the codec", () => {
  it("normalises once: what it gives is the same for ever", () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true, withTypedArray: true }),
        (raw) => {
          let first: ReturnType<typeof canonical>;
          try {
            first = store(raw);
          } catch (error) {
            expect(BoundaryError.is(error)).toBe(true);
            return;
          }
          const again = store(JSON.parse(first.text));
          expect(again.text).toBe(first.text);
          expect(again.value).toEqual(JSON.parse(first.text));
          expect(first.bytes).toBe(Buffer.byteLength(first.text));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("keeps dates with their zone, big numbers digit by digit and bytes as base64", () => {
    const raw = {
      at: new Date(Date.UTC(2026, 2, 1, 8, 5, 12, 345)),
      big: 9007199254740993n,
      small: 42n,
      beyond: 2 ** 60,
      bytes: Buffer.from([0xff, 0x00, 0x10]),
      view: new Uint16Array([1]),
    };
    expect(store(raw).value).toEqual({
      at: "2026-03-01T08:05:12.345Z",
      big: "9007199254740993",
      small: 42,
      beyond: "1152921504606846976",
      bytes: "/wAQ",
      view: "AQA=",
    });
  });

  it("keeps what JSON would silently lose, or says that it cannot", () => {
    expect(store({ a: Number.NaN, b: Number.NEGATIVE_INFINITY, c: -0 }).value).toEqual({
      a: "NaN",
      b: "-Infinity",
      c: 0,
    });
    expect(store([1, undefined, 3]).value).toEqual([1, null, 3]);
    expect(store({ a: undefined, b: 1 }).text).toBe('{"b":1}');
    expect(codeOf(() => store({ when: new Date(Number.NaN) }))).toBe("RAW_NOT_SERIALIZABLE");
    expect(codeOf(() => store({ f: () => 1 }))).toBe("RAW_NOT_SERIALIZABLE");
    expect(codeOf(() => store(Symbol("x")))).toBe("RAW_NOT_SERIALIZABLE");
    expect(codeOf(() => store(new Map([["a", 1]])))).toBe("RAW_NOT_SERIALIZABLE");
  });

  it.each<[string, unknown]>([
    ["an error", new Error("pool timed out")],
    ["a regular expression", /a/],
    ["a map", new Map([["a", 1]])],
    ["a set", new Set([1])],
    ["a promise", Promise.resolve(1)],
    ["a weak map", new WeakMap()],
    ["a boxed text", Object("text")],
    ["a boxed integer", Object(1n)],
    ["headers", new Headers({ a: "b" })],
    ["an iterator", [1].values()],
  ])("refuses %s, of which nothing would be left", (_what, value) => {
    expect(codeOf(() => store({ rows: [{ value }] }))).toBe("RAW_NOT_SERIALIZABLE");
  });

  it("turns ill-formed text into well-formed text", () => {
    expect(store({ "k\ud800": "a\udc00b" }).value).toEqual({ "k\ufffd": "a\ufffdb" });
    expect(codeOf(() => store({ "k\ud800": 1, "k\udbff": 2 }))).toBe("RAW_NOT_SERIALIZABLE");
  });

  it("treats __proto__ as a member like any other", () => {
    const raw = JSON.parse('{"__proto__":{"admin":true},"constructor":1}');
    const { value, text } = store(raw);
    expect(text).toBe('{"__proto__":{"admin":true},"constructor":1}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect((value as { admin?: boolean }).admin).toBeUndefined();
  });

  it("refuses cycles and nesting that is too deep, and takes what is shared", () => {
    const cycle: Record<string, unknown> = {};
    cycle["self"] = { cycle };
    expect(codeOf(() => store(cycle))).toBe("RAW_NOT_SERIALIZABLE");
    let deep: unknown = 1;
    for (let n = 0; n < MAX_DEPTH; n += 1) deep = [deep];
    expect(codeOf(() => store(deep))).toBe("none");
    expect(codeOf(() => store([deep]))).toBe("RAW_NOT_SERIALIZABLE");
    const shared = { a: 1 };
    expect(store([shared, shared]).value).toEqual([{ a: 1 }, { a: 1 }]);
  });

  it("never lets a getter's or a toJSON's error text out", () => {
    const raw = {
      get secret(): string {
        throw new Error("password=hunter2");
      },
    };
    expect(() => store(raw)).toThrow(BoundaryError);
    expect(() => store(raw)).not.toThrow(/hunter2/);
    expect(store({ toJSON: () => ({ price: "1.50" }) }).value).toEqual({ price: "1.50" });
  });

  it("stops at the limit before it has copied a huge answer", () => {
    expect(codeOf(() => store("x".repeat(100), 101))).toBe("RAW_TOO_LARGE");
    expect(codeOf(() => store("x".repeat(99), 101))).toBe("none");
    expect(codeOf(() => store("é".repeat(60), 101))).toBe("RAW_TOO_LARGE");
    let touched = 0;
    const many = Array.from({ length: 1_000 }, () => ({
      toJSON: () => {
        touched += 1;
        return "x".repeat(1_000);
      },
    }));
    expect(codeOf(() => store(many, 10_000))).toBe("RAW_TOO_LARGE");
    expect(touched).toBeLessThan(20);
  });

  it("says when a backend returned nothing at all", () => {
    expect(codeOf(() => store(undefined))).toBe("RAW_MISSING");
    expect(store(null).text).toBe("null");
  });
});
