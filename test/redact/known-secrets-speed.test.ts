import { expect, it } from "vitest";
import { EMPTY_MEMORY } from "../../src/model/memory.ts";
import { createRedaction } from "../../src/redact/redaction.ts";

it("stays quick in a run whose secrets begin alike, as somebody who writes log lines can make them", () => {
  const redaction = createRedaction();
  const salt = "00".repeat(32);
  const first = redaction.redactor({ salt, memory: EMPTY_MEMORY });
  for (let n = 0; n < 256; n += 1) first.text(`password=${"a1".repeat(100)}x${n}`);
  const later = redaction.redactor({ salt, memory: first.learned() });
  const startedAt = performance.now();
  later.text("a1".repeat(32 * 1024));
  expect(performance.now() - startedAt).toBeLessThan(500);
});
