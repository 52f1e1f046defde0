import { describe, expect, it } from "vitest";
import { answering, fixture } from "./fixture.ts";

const later = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("a run", () => {
  it("does not lose the run to one request that is much too large", async () => {
    const { call } = await fixture();
    expect((await call({ service: "x".repeat(300_000) })).observation).toMatchObject({ code: "REQUEST_TOO_LARGE" });
    expect((await call({ service: "checkout" })).observation.outcome).toBe("OK");
  });

  it("audits a call that is still on its way when the harness is closed", async () => {
    const { call, rows } = await fixture([
      answering(async () => {
        await later();
        return { lines: ["a line"] };
      }),
    ]);
    const answer = call();
    await Promise.resolve();
    const written = await rows();
    await answer;
    expect(written).toHaveLength(1);
  });
});
