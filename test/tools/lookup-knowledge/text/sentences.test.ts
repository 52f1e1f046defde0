import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitSentences } from "../../../../src/tools/lookup-knowledge/text/sentences.ts";

describe("splitSentences", () => {
  it("cuts after English and Chinese sentences, with their closing quotes", () => {
    expect(splitSentences('Check the pool. "Restart it!" Then wait')).toEqual([
      "Check the pool. ",
      '"Restart it!" ',
      "Then wait",
    ]);
    expect(splitSentences("先查看连接数。不要重启！“确认？”再联系；最后恢复")).toEqual([
      "先查看连接数。",
      "不要重启！",
      "“确认？”",
      "再联系；",
      "最后恢复",
    ]);
  });

  it("does not cut inside a number, a version or a name", () => {
    expect(splitSentences("timeout 30.5 s on v1.2.3 of com.acme.Pay")).toHaveLength(1);
  });

  it("loses nothing", () => {
    const text = fc.string({
      unit: fc.constantFrom("a", " ", ".", "。", "!", "\n", "”", ";", "锁", "…"),
      maxLength: 60,
    });
    fc.assert(
      fc.property(text, (given) => {
        const parts = splitSentences(given);
        expect(parts.join("")).toBe(given);
        expect(parts).not.toContain("");
      }),
    );
  });
});
