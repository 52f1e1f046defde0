import { describe, expect, it } from "vitest";
import { detectFormat, PARSERS } from "../../../../src/tools/query-logs/events/detect.ts";
import { cpuMs, rawOf, WRITTEN } from "../fixture.ts";

const REFERENCE = { zone: null, written: WRITTEN };

interface Read {
  readonly format: string;
  readonly time: string | null;
  readonly level: string | null;
  readonly service: string | null;
  readonly logger: string | null;
  readonly message: string;
}

function read(line: string): Read | null {
  const format = detectFormat([line], REFERENCE);
  const parsed = PARSERS[format](line, REFERENCE);
  if (parsed === null) return null;
  const { time, level, service, logger, at, fields } = parsed;
  const message = String(fields?.["msg"] ?? fields?.["message"] ?? (parsed.line ?? line).slice(at));
  return { format, time: time?.iso ?? null, level, service, logger, message };
}

describe("headers", () => {
  it.each([
    [
      "2026-07-29 10:15:02,481 WARN [exec-3] shop.cart.Basket - basket is empty",
      "WARN",
      "shop.cart.Basket",
      "basket is empty",
    ],
    [
      "2026-07-29 10:15:02.481 [exec-3] WARN  shop.cart.Basket - basket is empty",
      "WARN",
      "shop.cart.Basket",
      "basket is empty",
    ],
    [
      "2026-07-29T10:15:02.481Z  INFO 4711 --- [shop] [nio-80-exec-1] s.cart.Basket : basket is empty",
      "INFO",
      "s.cart.Basket",
      "basket is empty",
    ],
    ["2026-07-29 10:15:02,481 - shop.cart - ERROR - basket is empty", "ERROR", "shop.cart", "basket is empty"],
    ["ERROR:shop.cart:basket is empty", "ERROR", "shop.cart", "basket is empty"],
    ["E0729 10:15:02.481000   12345 basket.go:138] basket is empty", "ERROR", "basket.go", "basket is empty"],
    ["26/07/29 10:15:02 INFO cart.Basket: basket is empty", "INFO", "cart.Basket", "basket is empty"],
    ["2026-07-29T10:15:02.481Z [info] basket is empty", "INFO", null, "basket is empty"],
    ["2026-07-29T10:15:02.481Z warn: basket is empty", "WARN", null, "basket is empty"],
    ["2026/07/29 10:15:02 [error] 31#31: *5 basket is empty", "ERROR", null, "basket is empty"],
    ["[Wed Jul 29 10:15:02.481 2026] [core:error] [pid 35:tid 4] basket is empty", "ERROR", null, "basket is empty"],
    ["2026-07-29 10:15:02.481 UTC [4711] FATAL:  basket is empty", "FATAL", null, "basket is empty"],
    ["I, [2026-07-29T10:15:02.481 #4711]  INFO -- : basket is empty", "INFO", null, "basket is empty"],
    ["07-29 10:15:02.481  1702  2395 D Basket: basket is empty", "DEBUG", "Basket", "basket is empty"],
    ["2026-07-29 10:15:02 错误 购物篮为空", "ERROR", null, "购物篮为空"],
    ["[t1] ERROR basket is empty", "ERROR", null, "basket is empty"],
    ["2026-07-29 10:15:02.4810|ERROR|Shop.Basket|basket is | empty", "ERROR", "Shop.Basket", "basket is | empty"],
    [
      "2026-07-29 10:15:02.481 4711 INFO shop.api.basket [req-7 a b - -] basket is empty",
      "INFO",
      "shop.api.basket",
      "basket is empty",
    ],
    ["ERROR 2026-07-29 10:15:02,481 basket is empty", "ERROR", null, "basket is empty"],
    ["[ERROR] 2026-07-29 10:15:02 basket is empty", "ERROR", null, "basket is empty"],
    ["[10:15:02 ERR] basket is empty", "ERROR", null, "basket is empty"],
    ["[2026-07-29 10:15:02] shop.ERROR: basket is empty", "ERROR", null, "basket is empty"],
    [
      "2026-07-29 10:15:02.481 | ERROR    | shop.basket:fill:42 - basket is empty",
      "ERROR",
      "shop.basket",
      "basket is empty",
    ],
    ["2026-07-29 10:15:02.481+00 [71] app@shop ERROR:  basket is empty", "ERROR", null, "basket is empty"],
    ["2026-07-29T10:15:02.481Z\tb9000564-fe1a\tERROR\tbasket is empty", "ERROR", null, "basket is empty"],
    ["Wed Jul 29 10:15:02 2026 : Info: basket is empty", "INFO", null, "basket is empty"],
    ["warn: basket is empty", "WARN", null, "basket is empty"],
    ["web-1  | 2026-07-29 10:15:02 ERROR basket is empty", "ERROR", null, "basket is empty"],
  ])("reads %j", (line, level, logger, message) => {
    expect(read(line)).toMatchObject({ level, logger, message });
  });

  it("finds the header behind columns of the system's own, where all lines have them", () => {
    const lines = Array.from(
      { length: 20 },
      (_, i) => `job-${i} node ${i} 2026-07-29 10:15:${10 + i} ERROR basket ${i} is empty`,
    );
    const { events } = rawOf(lines);
    expect(events.map(({ time, level, text, at }) => [time, level, text.slice(at)])).toEqual(
      lines.map((_, i) => [`2026-07-29T10:15:${10 + i}.000Z`, "ERROR", `basket ${i} is empty`]),
    );
    expect(events.map(({ text, body }) => text.slice(body))).toEqual(lines);
  });

  it("does not take a time within a sentence for a header", () => {
    const sentences = [
      "backup finished at 2026-07-29 10:15:02",
      "nothing to do",
      "restore of 7 began 2026-07-29 10:15:02",
    ];
    expect(rawOf(sentences).events.map(({ time }) => time)).toEqual([null, null, null]);
  });

  it("takes level words for levels only where a level stands", () => {
    expect(read("2026-07-29 10:15:02 INFO done: 0 errors, last error=null")?.level).toBe("INFO");
    expect(read("2026-07-29 10:15:02 failed to open the door")?.level).toBeNull();
    expect(read("Error: the door is shut")).toBeNull();
    expect(read("Information for the curious")).toBeNull();
  });

  it("keeps in the message a level word that may be its first word", () => {
    expect(read("2026-07-29 10:15:02 error reading the door")).toMatchObject({
      level: "ERROR",
      message: "error reading the door",
    });
  });

  it("reads syslog of both kinds, with its severity", () => {
    expect(read("Jul 29 10:15:02 gate sshd[24]: door opened")).toMatchObject({
      service: "sshd",
      level: null,
      message: "door opened",
    });
    expect(read("<11>Jul 29 10:15:02 gate sshd[24]: door opened")).toMatchObject({ service: "sshd", level: "ERROR" });
    const line = '<165>1 2026-07-29T10:15:02.003Z gate door 8 ID47 [x@1 a="3" b="c\\]d"] door opened';
    expect(read(line)).toMatchObject({ format: "syslog5424", service: "door", level: "INFO", message: "door opened" });
  });

  it("reads JSON behind another header, and JSON that keeps its values in a member of its own", () => {
    const line = '<14>Jul 29 10:15:02 gate door: {"level":"error","msg":"jammed","key":7}';
    expect(read(line)).toMatchObject({
      time: "2026-07-29T10:15:02.000Z",
      level: "ERROR",
      service: "door",
      message: "jammed",
    });
    expect(read('{"t":{"$date":"2026-07-29T10:15:02.481Z"},"s":"E","msg":"jammed"}')).toMatchObject({
      level: "ERROR",
      time: "2026-07-29T10:15:02.481Z",
    });
    expect(read('{"timestamp":"2026-07-29T10:15:02Z","level":"WARN","fields":{"message":"jammed"}}')).toMatchObject({
      message: "jammed",
    });
  });

  it("reads access logs and counts a status as a level", () => {
    const line = (status: number): string =>
      `198.51.100.7 - ann [29/Jul/2026:10:15:02 +0000] "GET /door?x=1 HTTP/1.1" ${status} 0 "-" "curl/8 (\\x22x\\x22)"`;
    expect(read(line(503))).toMatchObject({ format: "access", level: "ERROR", time: "2026-07-29T10:15:02.000Z" });
    expect(read(line(404))?.level).toBe("WARN");
    expect(read(line(200))?.message).toBe('"GET /door?x=1 HTTP/1.1" 200 0 "-" "curl/8 (\\x22x\\x22)"');
  });

  it("reads JSON lines by the names loggers use, and keeps the digits of long numbers", () => {
    expect(
      read('{"@timestamp":"2026-07-29T10:15:02Z","log.level":"warn","service":{"name":"door"},"message":"shut"}'),
    ).toMatchObject({
      level: "WARN",
      service: "door",
      message: "shut",
    });
    expect(read('{"time":1785320102481,"level":50,"msg":"shut"}')).toMatchObject({
      level: "ERROR",
      time: "2026-07-29T10:15:02.481Z",
    });
    const fields = PARSERS.ndjson('{"msg":"x","id":12345678901234567890,"s":"\\"1234567890123456"}', REFERENCE)?.fields;
    expect(fields).toMatchObject({ id: "12345678901234567890", s: '"1234567890123456' });
  });

  it("reads logfmt with blanks and quotes in its values", () => {
    const line = 'ts=2026-07-29T10:15:02Z level=warn msg="slow \\"GET /a\\" today" pid=4711';
    expect(read(line)).toMatchObject({ format: "logfmt", level: "WARN", message: 'slow "GET /a" today' });
  });

  it("takes the format that most lines have", () => {
    const lines = ['{"msg":"a","level":"info"}', "not json at all", '{"msg":"b","level":"info"}'];
    expect(detectFormat(lines, REFERENCE)).toBe("ndjson");
    expect(detectFormat(["worker started", "queue depth 7"], REFERENCE)).toBe("text");
  });

  it("reads a line of hostile repetition in linear time", () => {
    for (const piece of ["[a", "{", "a=", '"', "1 ", "a.b:", " - ", "<1>", "2026-07-29 ", "a::", "[[", 'a="\\']) {
      const line = piece.repeat(60_000);
      const parseAll = (): void => {
        for (const parse of Object.values(PARSERS)) parse(line, REFERENCE);
      };
      expect(cpuMs(parseAll)).toBeLessThan(500);
    }
  });
});
