import { describe, expect, it } from "vitest";
import { trimTraces } from "../../../../src/tools/query-logs/events/trace.ts";

describe("trimming traces", () => {
  it("keeps own frames of Java and counts those of frameworks in their place", () => {
    const frames = Array.from({ length: 30 }, (_, i) => `\tat org.springframework.aop.Proxy.call${i}(Proxy.java:${i})`);
    const text = [
      "boom",
      "shop.DoorException: jammed",
      "\tat shop.Door.open(Door.java:8)",
      ...frames,
      "Caused by: java.io.IOException: rust",
      "\tat java.base/java.io.File.read(File.java:1)",
      "\t... 12 more",
    ].join("\n");
    const { text: trimmed, cut } = trimTraces(text);
    expect(cut).toBe(30);
    expect(trimmed).toBe(
      "boom\nshop.DoorException: jammed\n\tat shop.Door.open(Door.java:8)\n\t... 30 frames cut\nCaused by: java.io.IOException: rust\n\tat java.base/java.io.File.read(File.java:1)\n\t... 12 more",
    );
  });

  it("keeps the last frames and the last line of Python", () => {
    const frames = Array.from({ length: 12 }, (_, i) => `  File "door.py", line ${i}, in f${i}\n    f${i + 1}()`);
    const { text, cut } = trimTraces(["Traceback (most recent call last):", ...frames, "KeyError: 'knob'"].join("\n"));
    expect(cut).toBe(8);
    expect(text.split("\n").at(-1)).toBe("KeyError: 'knob'");
    expect(text).toContain("in f11");
    expect(text).not.toContain("in f7\n");
  });

  it("keeps the goroutine that failed and counts the others", () => {
    const other = "goroutine 7 [select]:\nmain.wait()\n\t/src/w.go:1 +0x1\n";
    const { text } = trimTraces(
      `panic: nil hinge\n\ngoroutine 1 [running]:\nmain.open()\n\t/src/d.go:1 +0x1\n\n${other}\n${other}`,
    );
    expect(text).toBe(
      "panic: nil hinge\n\ngoroutine 1 [running]:\nmain.open()\n\t/src/d.go:1 +0x1\n\t... 2 goroutines cut",
    );
  });

  it("cuts what Node itself adds", () => {
    const text =
      "TypeError: no knob\n    at open (/app/door.js:1:2)\n    at Module._compile (node:internal/modules/cjs/loader:1:1)\n    at x (/app/node_modules/e/i.js:1:1)";
    expect(trimTraces(text)).toEqual({
      text: "TypeError: no knob\n    at open (/app/door.js:1:2)\n\t... 2 frames cut",
      cut: 2,
    });
  });

  it("changes nothing else", () => {
    const text = "one\n  two\nat the door\n\tthree";
    expect(trimTraces(text)).toEqual({ text, cut: 0 });
  });
});
