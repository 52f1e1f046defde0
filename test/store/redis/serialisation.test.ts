import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHarness } from "../../../src/boundary/harness.ts";
import { canonical } from "../../../src/model/codec.ts";
import { BoundaryError } from "../../../src/model/errors.ts";
import { linesTool } from "../../boundary/fixture.ts";
import { type RedisServer, startRedis } from "../../services/redis-server.ts";
import { type OpenStore, openStore } from "./fixture.ts";

let server: RedisServer;
let open: OpenStore;

beforeAll(async () => {
  server = await startRedis();
  open = await openStore(server.url);
});
afterAll(async () => {
  await open.close();
  await server.stop();
});

let calls = 0;

/** A backend's answer through harness, boundary and Redis: what was projected from it, and what is stored. */
async function through(raw: unknown): Promise<{ seen: unknown; stored: unknown; code: string | null }> {
  let seen: unknown;
  const tool = linesTool({
    execute: async () => raw,
    projector: {
      id: "any",
      version: "1",
      project: (value) => {
        seen = value;
        return { items: [{ item_id: "e1", text: "seen" }], truncated: false };
      },
    },
  });
  const harness = createHarness({ store: open.store, tools: [tool] });
  const run = await harness.openRun({ sessionId: "codec" });
  calls += 1;
  const { control } = await run.call({ toolCallId: `c${calls}`, toolName: tool.name, request: { service: "a" } });
  const found = await open.store.readRaw(run.runId, `c${calls}`);
  await harness.close();
  return { seen, stored: found.kind === "found" ? JSON.parse(found.record.raw) : undefined, code: control.code };
}

describe("raw through the whole assembly over Redis", () => {
  it.each([
    ["a date", { at: new Date(Date.UTC(2026, 1, 28, 23, 59, 59, 999)) }, { at: "2026-02-28T23:59:59.999Z" }],
    [
      "big integers",
      { a: 9007199254740993n, b: -(2n ** 70n), c: 2 ** 53 },
      { a: "9007199254740993", b: "-1180591620717411303424", c: "9007199254740992" },
    ],
    ["decimals as the driver gave them", { price: "199.9900" }, { price: "199.9900" }],
    ["bytes", { b: Buffer.from([0, 0xff, 0x80]) }, { b: "AP+A" }],
    ["emoji and every kind of line end", { s: "🔥\u2028\r\n\0\u0007" }, { s: "🔥\u2028\r\n\0\u0007" }],
    ["lone surrogates", { s: "\ud83d|\ude00" }, { s: "\ufffd|\ufffd" }],
    [
      "members of odd names",
      JSON.parse('{"__proto__":1,"":2,"constructor":3}'),
      JSON.parse('{"__proto__":1,"":2,"constructor":3}'),
    ],
  ])("keeps %s in one form", async (_, raw, expected) => {
    const { seen, stored } = await through(raw);
    expect(seen).toEqual(expected);
    expect(stored).toEqual(expected);
  });

  it("keeps deep and wide values, and refuses what is deeper than it stores", async () => {
    const nest = (depth: number): unknown => (depth === 0 ? "end" : [nest(depth - 1)]);
    expect((await through(nest(100))).stored).toEqual(nest(100));
    expect((await through(nest(200))).code).toBe("RAW_NOT_SERIALIZABLE");
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, i]));
    expect((await through(wide)).stored).toEqual(wide);
  });

  it("is the codec's form and stays it, for any value", async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything({ withBigInt: true, withDate: true, withTypedArray: true }), async (raw) => {
        const { seen, stored, code } = await through(raw);
        let form: unknown;
        try {
          form = canonical(raw, 8 * 1024 * 1024).value;
        } catch (error) {
          expect(code).toBe(BoundaryError.is(error) ? error.code : "none");
          return;
        }
        expect(seen).toEqual(form);
        expect(stored).toEqual(JSON.parse(JSON.stringify(form)));
        expect(canonical(stored, 8 * 1024 * 1024).text).toBe(JSON.stringify(form));
      }),
      { numRuns: 100 },
    );
  });
});
