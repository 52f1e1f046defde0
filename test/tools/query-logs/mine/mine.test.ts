import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { minePatterns, OVERFLOW_TEXT } from "../../../../src/tools/query-logs/mine/mine.ts";

const texts = (messages: readonly string[]): string[] => minePatterns(messages).map(({ text }) => text);

describe("mining patterns", () => {
  it("groups messages that differ in their values and keeps the separators of a line", () => {
    const messages = ['lock=17, flags=0x1, tag="a" (uid=3)', 'lock=99, flags=0x2, tag="a" (uid=4)'];
    expect(texts(messages)).toEqual(['lock=<*>, flags=<*>, tag="a" (uid=<*>)']);
  });

  it("never makes a wildcard of words that say what happened", () => {
    const words = ["started", "stopped", "paused", "resumed", "failed", "crashed"];
    expect(texts(words.map((word, i) => `instance ${i} was ${word} by the scheduler`))).toHaveLength(words.length);
    const states = ["NEW", "QUEUED", "RUNNING", "DONE", "FAILED"];
    expect(texts(states.map((state) => `task moved to ${state} now`))).toHaveLength(states.length);
  });

  it("keeps a state apart that stands among many other words", () => {
    const words = ["alpha", "beta", "gamma", "delta", "failed", "omega"];
    expect(texts(words.map((word) => `the last step of job was ${word} at once`)).sort()).toEqual([
      "the last step of job was <*> at once",
      "the last step of job was failed at once",
    ]);
  });

  it("counts quoted text as one value, however many words it has", () => {
    const queries = ["shoes", "red shoes", "warm winter coat", "x"];
    expect(texts(queries.map((query, i) => `search for "${query}" found ${i} items`))).toEqual([
      "search for <*> found <*> items",
    ]);
  });

  it("keeps two values apart that say different things, and joins those of a list", () => {
    expect(texts(["answered 200 512", "answered 503 0"])).toEqual(["answered <*> <*>"]);
    expect(texts(["freed 1, 2", "freed 1, 2, 3, 4", "freed 7"])).toEqual(["freed <*>"]);
  });

  it("takes the lack of a value for a value", () => {
    expect(texts(["lock=1, owner=null, tag=a", "lock=2, owner=ann, tag=a"])).toEqual(["lock=<*>, owner=<*> tag=a"]);
  });

  it("makes a wildcard of a column with many different words", () => {
    const names = ["alpha", "beta", "gamma", "delta", "omega"];
    expect(texts(names.map((name) => `loaded plugin ${name} without complaint`))).toEqual([
      "loaded plugin <*> without complaint",
    ]);
  });

  it("takes a word for a value where another line has a value in its place", () => {
    expect(texts(["synced with 10.0.0.7 just now", "synced with LOCAL(0) just now"])).toEqual([
      "synced with <*> just now",
    ]);
    expect(texts(["synced with [[ip:abcdefgh]] just now", "synced with gateway-a.example just now"])).toHaveLength(1);
  });

  it("takes names after the nouns that introduce them for values", () => {
    expect(texts(["session opened for user ann", "session opened for user bob"])).toEqual([
      "session opened for user <*>",
    ]);
  });

  it("does not take what such a noun does for its name", () => {
    expect(texts(["container launched at last", "container released at last"])).toHaveLength(2);
    expect(texts(["server is gone now", "server was gone now"])).toHaveLength(2);
  });

  it("keeps messages apart that begin with another verb", () => {
    expect(
      texts(["boot (command 1)", "wait (command 2)", "halt (command 3)", "reset (command 4)", "probe (command 5)"]),
    ).toHaveLength(5);
  });

  it("counts a list as one value, however long it is", () => {
    expect(texts(["dead nodes: n1 n2 n3", "dead nodes: n4", "dead nodes: n5 n6"])).toEqual(["dead nodes: n<*>"]);
  });

  it("gives every message exactly one pattern, the empty one too", () => {
    fc.assert(
      fc.property(fc.array(message(), { maxLength: 60 }), (messages) => {
        const members = minePatterns(messages).flatMap((pattern) => pattern.members);
        expect([...members].sort((a, b) => a - b)).toEqual(messages.map((_, i) => i));
      }),
    );
  });

  it("finds the same patterns in whatever order the messages come", () => {
    fc.assert(
      fc.property(fc.array(message(), { maxLength: 60 }), fc.infiniteStream(fc.nat()), (messages, keys) => {
        const shuffled = messages
          .map((text) => ({ text, key: keys.next().value as number }))
          .sort((a, b) => a.key - b.key)
          .map(({ text }) => text);
        expect(summary(shuffled)).toBe(summary(messages));
      }),
    );
  });

  it("can tell the values of each message of a pattern, one for each wildcard", () => {
    fc.assert(
      fc.property(fc.array(message(), { maxLength: 40 }), (messages) => {
        for (const pattern of minePatterns(messages)) {
          const wildcards = pattern.text.split("<*>").length - 1;
          for (const member of pattern.members) expect(pattern.valuesOf(messages[member] ?? "").length).toBe(wildcards);
        }
      }),
    );
  });

  it("puts what is beyond the limit of shapes into one honest pattern, whatever the order", () => {
    const messages = Array.from({ length: 40 }, (_, i) => `${"ab".repeat(i + 1)} happened`);
    const frequent = [...messages, ...messages.slice(0, 5)];
    const mined = minePatterns(frequent, { maxShapes: 10 });
    const overflow = mined.find(({ text }) => text === OVERFLOW_TEXT);
    expect(overflow?.members).toHaveLength(30);
    const reversed = minePatterns([...frequent].reverse(), { maxShapes: 10 });
    expect(reversed.map(({ id }) => id)).toEqual(mined.map(({ id }) => id));
  });

  it("names a pattern by its text alone", () => {
    const [first] = minePatterns(["took 3 ms"]);
    const again = minePatterns(["took 900 ms", "something else"]).find(({ text }) => text === first?.text);
    expect(again?.id).toBe(first?.id);
  });
});

function summary(messages: readonly string[]): string {
  return JSON.stringify(minePatterns(messages).map(({ id, text, members }) => [id, text, members.length]));
}

function message(): fc.Arbitrary<string> {
  const word = fc.constantFrom(
    "user",
    "ann",
    "opened",
    "closed",
    "7",
    "10.0.0.7",
    "id=42",
    "(x)",
    '"q r"',
    "[[ip:abcdefgh]]",
    "订单9",
    "",
  );
  return fc.array(word, { maxLength: 6 }).map((words) => words.join(" "));
}
