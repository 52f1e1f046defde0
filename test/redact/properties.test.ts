import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/model/json.ts";
import { newRedactor, redactText } from "./redactor.ts";

const token = fc.string({
  unit: fc.constantFrom(..."abcdefghkmnpqrstuvwxyzABCDEFGHKMNPQRSTUVWXYZ23456789"),
  minLength: 12,
  maxLength: 24,
});
/** A value that is provably made up: letters of both cases and a digit. */
const secret = token.map((value) => `q${value}Z7`);
const address = fc
  .tuple(fc.integer({ min: 1, max: 250 }), fc.integer({ min: 1, max: 250 }))
  .map(([a, b]) => `10.${a}.8.${b}`);
const word = fc.constantFrom(
  "GET /orders 200",
  "retry 3 of 5",
  "took 12ms",
  "状态 正常",
  "user=app",
  "[main] INFO",
  "{}",
  "→",
  "a=b",
  "\\",
  '"',
);
const held = fc.oneof(
  secret.map((value) => ({ value, text: `password=${value}` })),
  secret.map((value) => ({ value, text: `{"api_key":"${value}","n":1}` })),
  secret.map((value) => ({ value, text: `Authorization: Bearer ${value}` })),
  secret.map((value) => ({ value, text: `https://app:${value}@depot.acme.lan/x` })),
  secret.map((value) => ({ value, text: `GET /cb?access_token=${value}&page=2` })),
  secret.map((value) => ({ value, text: `登录密码：${value}，失败` })),
  secret.map((value) => ({ value, text: `<token>${value}</token>` })),
  secret.map((value) => ({ value, text: JSON.stringify({ body: JSON.stringify({ secret: value }) }) })),
  address.map((value) => ({ value, text: `from ${value}:8080` })),
);
const lines = fc.array(
  fc.oneof(
    held,
    word.map((text) => ({ value: "", text })),
  ),
  { minLength: 1, maxLength: 8 },
);
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc
    .array(
      fc.constantFrom(
        "password",
        "=",
        ":",
        '"',
        "\\",
        "{",
        "}",
        "[[",
        "]]",
        "'",
        "@",
        "1.",
        "token ",
        "://",
        "%3D",
        "&quot;",
        "\n",
        "密码",
        "x9",
        "Bearer ",
      ),
      {
        maxLength: 60,
      },
    )
    .map((parts) => parts.join("")),
  lines.map((all) => all.map((line) => line.text).join("\n")),
);

describe("redaction of any text", () => {
  it("holds every planted value back and keeps the lines", () => {
    fc.assert(
      fc.property(lines, (all) => {
        const text = all.map((line) => line.text).join("\n");
        const output = redactText(text);
        for (const { value } of all) if (value !== "") expect(output).not.toContain(value);
        expect(output.split("\n")).toHaveLength(text.split("\n").length);
      }),
      { numRuns: 300 },
    );
  });

  it("changes nothing the second time, with a fresh redactor and with the run's own", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const redactor = newRedactor();
        const once = redactor.text(text);
        expect(redactor.text(once)).toBe(once);
        expect(redactText(once)).toBe(once);
      }),
      { numRuns: 800 },
    );
  });

  it("gives the same output for the same input", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(redactText(text)).toBe(redactText(text));
      }),
    );
  });

  it("leaves nothing that it would call a leak", () => {
    fc.assert(
      fc.property(lines, (all) => {
        const redactor = newRedactor();
        expect(redactor.leaks(redactor.text(all.map((line) => line.text).join("\n")))).toBe(false);
      }),
    );
  });
});

/** The form of a value: which members and elements it has. */
function shape(value: JsonValue): unknown {
  if (Array.isArray(value)) return value.map(shape);
  return value !== null && typeof value === "object" ? Object.values(value).map(shape) : null;
}

describe("redaction of JSON", () => {
  const leaf = fc.oneof(
    held.map((item) => item.text),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    secret,
    address,
  );
  const key = fc.oneof(
    fc.constantFrom("password", "token", "host", "pid", "msg", "name", "value", "mobile", "__proto__"),
    secret,
    address,
  );
  const tree = fc.letrec<{ node: JsonValue }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.array(tie("node"), { maxLength: 3 }),
      fc.dictionary(key, tie("node"), { maxKeys: 4 }),
    ),
  })).node;

  it("stays JSON with the same members, as a value and as text, on one line or on many", () => {
    fc.assert(
      fc.property(tree, fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const output = redactText(text);
        if (typeof value === "object" && value !== null)
          expect(shape(JSON.parse(output))).toEqual(shape(JSON.parse(text)));
        expect(shape(newRedactor().tree(value))).toEqual(shape(JSON.parse(text)));
        expect(redactText(output)).toBe(output);
      }),
      { numRuns: 300 },
    );
  });
});

describe("hostile texts of 256 KB", () => {
  const parts = [
    "password=",
    "=",
    '"',
    "'",
    "{",
    "[",
    "\\",
    "a@",
    "1.",
    "YWJjZGVm",
    "://a:",
    '{"secret":{',
    "%41",
    "a|",
    "token ",
    "密码",
    "values('a',",
  ];
  const more = [
    "[[",
    "-p ",
    "<password>",
    "-----BEGIN PRIVATE KEY-----",
    "Failing row contains (a, ",
    "Bearer ",
    "us:x1@",
    "&quot;",
    "\\u0041",
    "eyJ",
    "ab:",
  ];
  it.each([...parts, ...more])("%j again and again is read in linear time", (part) => {
    const read = (size: number): number => {
      const text = part.repeat(Math.ceil(size / part.length));
      const started = performance.now();
      redactText(text);
      return performance.now() - started;
    };
    read(16_384);
    const quarter = read(65_536);
    expect(read(262_144)).toBeLessThan(Math.max(600, quarter * 12));
  });
});
