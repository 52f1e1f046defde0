import { describe, expect, it } from "vitest";
import { CALLS, DRAFTS } from "../../../../src/cli/demo/incident/script.ts";
import { GUARD_CODES } from "../../../../src/model/verdict.ts";

describe("the demo's script", () => {
  it("uses all three tools, an empty answer, repeats and a refused last call", () => {
    const answered = CALLS.filter(({ expect: expected }) => typeof expected === "string");
    expect(new Set(answered.map(({ toolName }) => toolName)).size).toBe(3);
    expect(answered.filter(({ expect: expected }) => expected === "NO_EVIDENCE")).toHaveLength(1);
    expect(CALLS.at(-1)?.expect).toEqual({ refused: ["STOP_REQUIRED"] });
    expect(new Set(CALLS.map(({ toolCallId }) => toolCallId)).size).toBe(CALLS.length);
  });

  it("cites calls of the script only, but for the forged id", () => {
    const answered = new Set(CALLS.filter((call) => typeof call.expect === "string").map((call) => call.toolCallId));
    for (const { name, claims } of DRAFTS) {
      const cited = claims.flatMap(({ citations }) => citations.map(({ tool_call_id }) => tool_call_id));
      expect(cited.length, name).toBeGreaterThan(0);
      expect(
        cited.every((id) => answered.has(id)),
        name,
      ).toBe(name !== "forged id");
    }
  });

  it("expects codes that the guard has", () => {
    for (const { expect: expected } of DRAFTS) {
      if (expected.verdict === "REJECT") expect(GUARD_CODES).toContain(expected.code);
    }
  });
});
