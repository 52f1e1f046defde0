import { describe, expect, it } from "vitest";
import { pairOf } from "../../../src/cli/demo/evidence-pair.ts";

describe("the pair of texts that the demo shows", () => {
  it("begins at the same words on both sides, before the held-back value", () => {
    const raw = { lines: ["a quiet line", `${"start ".repeat(20)}login with password=hunter2-x failed`] };
    const items = [
      { text: "a quiet line" },
      { text: `${"start ".repeat(20)}login with password=[[secret:pw]] failed` },
    ];
    const pair = pairOf(raw, { items });
    expect(pair?.returned).toMatch(/^….*login with password=hunter2-x failed$/);
    expect(pair?.seen).toBe(pair?.returned.replace("hunter2-x", "[[secret:pw]]"));
  });

  it("is rows where whole cells are masked", () => {
    const raw = { rows: [[1, "a@example.org"]], cutByBytes: false };
    const items = [{ item_id: "r1", cells: { id: 1, email: "[[secret:sensitive_column]]" } }];
    expect(pairOf(raw, { items })).toEqual({
      returned: "(1, a@example.org)",
      seen: "(1, [[secret:sensitive_column]])",
    });
  });

  it("is absent where the model was shown nothing", () => {
    expect(pairOf({ lines: [] }, { items: [] })).toBeNull();
  });
});
