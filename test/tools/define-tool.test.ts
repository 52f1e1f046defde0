import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fixture, linesTool } from "../boundary/fixture.ts";

type AnyRequest = { readonly service: string };

describe("a tool that was defined without more than it needs", () => {
  it("never shows the beginning of a value that an alias stands for, however long the request is", async () => {
    const anything = z.any() as z.ZodType<AnyRequest>;
    let calls = 0;
    const execute = async () => ({ lines: [`login ${calls++} from 10.11.12.13`] });
    const { call } = await fixture([linesTool({ request: anything, aliasFields: ["filter.ip"], execute })]);
    const [alias] = /\[\[ip:[a-z2-7]+\]\]/.exec(JSON.stringify((await call()).observation)) ?? [];
    for (let length = 485; length < 500; length += 1) {
      const { observation } = await call({ filter: { a: "x".repeat(length), ip: alias } });
      expect(observation.outcome).toBe("OK");
      expect(JSON.stringify(observation)).not.toContain('x\\",\\"ip\\":\\"1');
    }
  });

  it("does not name a key of the backend when its answer does not fit the result's schema", async () => {
    const items = z.array(z.object({ item_id: z.string(), cells: z.record(z.string(), z.number()) }));
    const projector = {
      id: "cells",
      version: "1",
      project: () => ({ items: [{ item_id: "a", cells: { "customer-4711-acme": "text" } }], truncated: false }),
    };
    const { call } = await fixture([linesTool({ result: z.object({ items, truncated: z.boolean() }), projector })]);
    const { observation } = await call();
    expect(observation).toMatchObject({ outcome: "ERROR", code: "PROJECTION_INVALID" });
    expect(JSON.stringify(observation)).not.toContain("acme");
  });
});
