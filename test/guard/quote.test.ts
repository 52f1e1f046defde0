import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cite, codesOf, logs, rows } from "./evidence-fixture.ts";

const tls = logs([
  "09:02:11 ERROR TLS handshake with “ledger” failed: invalid certificate, chain is not trusted … giving up",
  "09:02:12 INFO  fallback took 2600 ms",
  "09:03:40 WARN 账务服务尚未恢复，请不要重启网关，已重试 4 次",
]);
const quoted = (quote: string, item = "e1", record = tls) =>
  codesOf(record, { text: "It failed.", citations: cite(record, item).map((citation) => ({ ...citation, quote })) });

describe("a quote", () => {
  it.each([
    ["word for word", "TLS handshake with"],
    ["with other white space", "TLS   handshake\n with"],
    ["with other quotation marks and dashes", '"ledger" failed'],
    ["in quotation marks of its own", "“invalid certificate”"],
    ["with invisible characters", "invalid\u200b certi\u00adficate"],
    ["with an ellipsis of the source", "not trusted … giving up"],
    ["with an ellipsis that leaves out no negation", "TLS handshake ... invalid certificate"],
    ["with an ellipsis at its ends", "…handshake with…"],
  ])("stands %s", async (_, quote) => {
    expect(await quoted(quote)).toEqual([]);
  });

  it("stands with wide punctuation and other gaps around Chinese", async () => {
    expect(await quoted("账务服务尚未恢复,请不要重启网关", "e3")).toEqual([]);
    expect(await quoted("已重试4次", "e3")).toEqual([]);
    expect(await quoted("took 2600ms", "e2")).toEqual([]);
  });

  it.each([
    ["EG_QUOTE_NOT_FOUND", "TLS handshake broke down"],
    ["EG_QUOTE_NOT_FOUND", "tls handshake with"],
    ["EG_QUOTE_NOT_FOUND", "valid certificate"],
    ["EG_QUOTE_NOT_FOUND", "invalid certificate … TLS handshake"],
    ["EG_QUOTE_WRONG_ITEM", "fallback took 2600 ms"],
    ["EG_QUOTE_SPANS_ITEMS", "TLS handshake … fallback took 2600 ms"],
    ["EG_QUOTE_ELLIPSIS_DROPS_NEGATION", "chain is … trusted"],
    ["EG_QUOTE_ELLIPSIS_DROPS_NEGATION", "trusted … giving up"],
    ["EG_QUOTE_CONFUSABLE", "invаlid certificate"],
    ["EG_QUOTE_TOO_SHORT", "TLS"],
    ["EG_QUOTE_TOO_SHORT", " … "],
  ])("is found out: %s for %s", async (code, quote) => {
    expect(await quoted(quote)).toEqual([code]);
  });

  it("does not end inside a number or begin behind a negator", async () => {
    expect(await quoted("fallback took 26", "e2")).toEqual(["EG_QUOTE_NOT_FOUND"]);
    expect(await quoted("重启网关", "e3")).toEqual(["EG_QUOTE_ELLIPSIS_DROPS_NEGATION"]);
  });

  it("is looked for in rows by cell and as they are written out", async () => {
    const row = rows([
      { state: "CHARGED_BACK", tries: 3 },
      { state: "SETTLED", tries: 1 },
    ]);
    for (const quote of ["CHARGED_BACK", "state=CHARGED_BACK, tries=3", '"state":"CHARGED_BACK"']) {
      expect(await quoted(quote, "r1", row)).toEqual([]);
    }
    expect(await quoted("SETTLED", "r1", row)).toEqual(["EG_QUOTE_WRONG_ITEM"]);
  });

  it("is checked in a second citation of the same item, where it weighs more than the repetition", async () => {
    const [citation] = cite(tls, "e1");
    const twice = (quote: string) =>
      codesOf(tls, { text: "It failed.", citations: [{ ...citation }, { ...citation, quote }] });
    expect(await twice("TLS handshake")).toEqual(["EG_DUPLICATE_CITATION"]);
    expect(await twice("SSH handshake")).toEqual(["EG_QUOTE_NOT_FOUND"]);
  });

  it("without an item lies within one item of the call", async () => {
    const counted = (quote: string) =>
      codesOf(tls, { text: "It failed.", count: { op: "=", value: 3 }, citations: [{ tool_call_id: "logs", quote }] });
    expect(await counted("fallback took")).toEqual([]);
    expect(await counted("fallback gave")).toEqual(["EG_QUOTE_NOT_FOUND"]);
  });

  const word = fc.stringMatching(/^[a-z]{3,9}$/);
  const number = fc.integer({ min: 10, max: 99_999 }).map(String);
  const sentence = fc.array(fc.oneof(word, number), { minLength: 6, maxLength: 14 });

  it("of whole words that leaves out no negation always stands", async () => {
    const negators = new Set([
      "not",
      "nor",
      "non",
      "never",
      "none",
      "avoid",
      "except",
      "unless",
      "hardly",
      "rarely",
      "without",
      "cannot",
      "neither",
      "nothing",
      "nobody",
    ]);
    await fc.assert(
      fc.asyncProperty(sentence, fc.nat(3), async (words, from) => {
        fc.pre(!words.some((one) => negators.has(one)));
        const record = logs([words.join(" ")]);
        expect(await quoted(words.slice(from, from + 3).join(" "), "e1", record)).toEqual([]);
      }),
    );
  });

  it("with one digit changed never stands", async () => {
    await fc.assert(
      fc.asyncProperty(word, number, fc.nat(), async (name, digits, at) => {
        const i = at % digits.length;
        const changed = digits.slice(0, i) + ((Number(digits[i]) + 1) % 10) + digits.slice(i + 1);
        expect(await quoted(`${name} ${changed}`, "e1", logs([`${name} ${digits} units`]))).toEqual([
          "EG_QUOTE_NOT_FOUND",
        ]);
      }),
    );
  });
});
