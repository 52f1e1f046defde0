import { describe, expect, it } from "vitest";
import { toDraft } from "../../../../src/cli/demo/incident/draft.ts";
import { DRAFTS, type ScriptedDraft } from "../../../../src/cli/demo/incident/script.ts";

const SCRIPTED: ScriptedDraft = {
  name: "one",
  intent: "",
  claims: [
    {
      kind: "observation",
      text: "137 orders wait.",
      citations: [
        { tool_call_id: "a", item: { includes: ["CAPTURED", 'say "137"'] }, quote: "137" },
        { tool_call_id: "a" },
        { tool_call_id: "never made", item: { includes: ["137"] } },
      ],
    },
  ],
  expect: { verdict: "PASS" },
};

describe("toDraft", () => {
  it("cites the first item that holds every part, in whichever field", () => {
    const items = [
      { item_id: "r1", cells: { state: "CAPTURED", note: "say 12" } },
      { item_id: "r2", cells: { state: "CAPTURED", note: 'say "137"' } },
    ];
    const { claims } = toDraft(SCRIPTED, new Map([["a", items]]));
    expect(claims).toEqual([
      {
        kind: "observation",
        text: "137 orders wait.",
        citations: [
          { tool_call_id: "a", item_id: "r2", quote: "137" },
          { tool_call_id: "a" },
          { tool_call_id: "never made", item_id: "r1" },
        ],
      },
    ]);
  });

  it("leaves nothing of the script in a draft", () => {
    for (const scripted of DRAFTS) expect(JSON.stringify(toDraft(scripted, new Map()))).not.toContain('"includes"');
  });
});
