import { describe, expect, it } from "vitest";
import { cleanLine } from "../../../../src/tools/query-logs/events/decode.ts";
import { cpuMs, rawOf } from "../fixture.ts";

const joined = (text: string): string[] => rawOf(text.split("\n")).events.map((event) => event.text);
const lines = (text: string): number[] =>
  rawOf(text.split("\n"))
    .events.map((event) => event.line)
    .sort((a, b) => a - b);

const JAVA = `2026-07-29 10:15:02,481 ERROR [exec-3] shop.Door - cannot open
shop.DoorException: jammed
\tat shop.Door.open(Door.java:8)
Caused by: java.io.IOException: rust
\tat shop.Hinge.turn(Hinge.java:3)
\t... 12 more
2026-07-29 10:15:03,000 INFO [exec-3] shop.Door - trying again`;
const PYTHON = `2026-07-29 10:15:03 ERROR door 7 stuck
Traceback (most recent call last):
  File "door.py", line 5, in open
    push(door)
KeyError: 'knob'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "door.py", line 9, in open
    kick(door)
RuntimeError: ouch
2026-07-29 10:15:04 INFO gave up`;
const GO = `door pushed
panic: runtime error: nil hinge

goroutine 18 [running]:
main.(*door).open(0xc0001, {0x1, 0x2})
\t/src/door.go:17 +0x1d3
created by main.main
\t/src/main.go:3 +0x85
exit status 2
door pushed again`;
const NODE = `door pushed
TypeError: Cannot read properties of undefined (reading 'knob')
    at open (/app/door.js:14:27)
    at async Promise.all (index 3)
door pushed again`;
const DOTNET = `Unhandled exception. System.InvalidOperationException: jammed
 ---> System.IO.IOException: rust
   at Shop.Hinge.Turn() in /src/Hinge.cs:line 3
   --- End of inner exception stack trace ---
   at Shop.Door.Open() in /src/Door.cs:line 8
door closed`;
const RUST = `thread 'main' panicked at src/door.rs:10:5:
called \`Option::unwrap()\` on a \`None\` value
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace
door closed`;

describe("joining lines into events", () => {
  it.each([
    ["Java", JAVA, [1, 7]],
    ["Python", PYTHON, [1, 13]],
    ["Go", GO, [1, 2, 10]],
    ["Node", NODE, [1, 2, 5]],
    [".NET", DOTNET, [1, 6]],
    ["Rust", RUST, [1, 4]],
  ])("keeps a trace of %s in one event and goes on after it", (_, text, starts) => {
    expect(lines(text)).toEqual(starts);
  });

  it("drops no line", () => {
    for (const text of [JAVA, PYTHON, GO, NODE, DOTNET, RUST]) expect(joined(text).join("\n")).toBe(text);
  });

  it("joins a private key and nothing after it", () => {
    const text = "key -----BEGIN PRIVATE KEY-----\nMIIE\nq3Zz\n-----END PRIVATE KEY-----\nready";
    expect(lines(text)).toEqual([1, 5]);
  });

  it("never glues a line with a time or a level to the one before", () => {
    expect(lines("2026-07-29T10:15:02Z a\n2026-07-29T10:15:03+02:00 b\nERROR c\nJul 29 10:15:04 h x: d")).toEqual([
      1, 2, 3, 4,
    ]);
  });

  it("leaves frames of another thread alone when they say whose they are", () => {
    expect(lines("[t1] ERROR boom\n[t2] INFO fine\n[t1]   at a.B.c(B.java:1)\n[t2] INFO still fine")).toEqual([
      1, 2, 3, 4,
    ]);
  });

  it("takes unheaded lines to the event before only where nearly every event has a time", () => {
    const timed = Array.from({ length: 20 }, (_, i) => `2026-07-29 10:15:${10 + i} INFO row ${i}`);
    expect(rawOf([...timed, "second line of the last", "third"]).events).toHaveLength(20);
    expect(lines("2026-07-29 10:15:02 INFO a\nplain line\nplain line")).toEqual([1, 2, 3]);
  });

  it("does not take written-out newlines for events", () => {
    expect(joined("INFO name=bob\\n2026-07-29 10:15:23 INFO name=admin")).toHaveLength(1);
  });

  it("keeps events without a time and says so", () => {
    const { events } = rawOf(["worker started", "worker started", "queue depth 9"]);
    expect(events.map(({ time }) => time)).toEqual([null, null, null]);
  });

  it("puts the parts of container lines together by stream", () => {
    const cri = [
      "2026-07-29T10:15:22.100000000Z stderr P first ",
      "2026-07-29T10:15:22.150000000Z stdout F other",
      "2026-07-29T10:15:22.200000000Z stderr F second",
    ];
    expect(joined(cri.join("\n")).sort()).toEqual(["first second", "other"]);
    const docker = [
      '{"log":"ERROR part one ","stream":"stdout","time":"2026-07-29T10:15:21Z"}',
      '{"log":"part two\\n","stream":"stdout","time":"2026-07-29T10:15:21Z"}',
      '{"log":"{\\"level\\":\\"warn\\",\\"msg\\":\\"inner\\"}\\n","stream":"stdout","time":"2026-07-29T10:15:22Z"}',
    ];
    const { events } = rawOf(docker);
    expect(events.map(({ text, level, form }) => [text, level, form])).toEqual([
      ["ERROR part one part two", "ERROR", "text"],
      ['{"level":"warn","msg":"inner"}', "WARN", "json"],
    ]);
  });

  it("reads a trace that no logger wrote as an error", () => {
    expect(rawOf(GO.split("\n")).events[1]?.level).toBe("FATAL");
    expect(rawOf(NODE.split("\n")).events[1]?.level).toBe("ERROR");
  });

  it("takes time linear in hostile lines", () => {
    for (const piece of ["-----BEGIN A-----", "a.", "at ", "  at x", "main.(", "[a", "Caused by: ", "goroutine 1 ["]) {
      const line = piece.repeat(100_000);
      expect(cpuMs(() => rawOf(["ERROR x", line, "Traceback (most recent call last):", line]))).toBeLessThan(1000);
    }
  });

  it("keeps a crash among JSON lines in one event", () => {
    const json = (i: number): string => `{"ts":"2026-07-29T10:15:${10 + i}Z","level":"info","msg":"row ${i}"}`;
    const { events } = rawOf([json(0), json(1), ...GO.split("\n").slice(1, -1), json(2)]);
    expect(events.map(({ form, level }) => [form, level])).toEqual([
      ["json", "INFO"],
      ["json", "INFO"],
      ["text", "FATAL"],
      ["json", "INFO"],
    ]);
  });

  it("bounds an event that never ends", () => {
    const endless = ["ERROR begin", ...Array.from({ length: 10_000 }, () => "  and on")];
    const { events } = rawOf(endless);
    expect(events.length).toBeGreaterThan(1);
    expect(events.map(({ text }) => text).join("\n")).toBe(endless.join("\n"));
  });
});

describe("cleaning lines", () => {
  it.each([
    ["colours and cursor codes", "\u001b[31mERR\u001b[1mOR\u001b[0m x\u001b[K", "ERROR x"],
    ["links and titles", "\u001b]8;;http://a\u0007text\u001b]8;;\u0007", "text"],
    ["NULs and other controls", "\u0000\u0000a\u0007b\u0000", "ab"],
    ["a byte order mark in the middle", "a \ufeffb", "a b"],
    ["the return of CRLF", "a\r", "a"],
    ["lone surrogates", "a\ud800b", "a\ufffdb"],
  ])("removes %s", (_, line, expected) => {
    expect(cleanLine(line)).toBe(expected);
  });

  it("hides nothing before a return", () => {
    expect(cleanLine("ERROR real\rINFO fake")).toBe("ERROR real INFO fake");
  });

  it("keeps tabs, emoji and Chinese", () => {
    expect(cleanLine("\ta 😀 超时")).toBe("\ta 😀 超时");
  });
});
