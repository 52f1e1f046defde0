import { describe, expect, it } from "vitest";
import { Masker } from "../../../../src/tools/query-logs/mine/mask.ts";
import { cpuMs } from "../fixture.ts";

const mask = (text: string): string => new Masker().mask(text).text.replaceAll("\0", "*");

describe("masking", () => {
  it.each([
    ["took 35 ms", "took *"],
    ["wrote 4.2 GB to /data/blob.bin", "wrote * to *"],
    ["peer 10.1.2.3:8080 left", "peer * left"],
    ["peer [2001:db8::7]:443 left", "peer [*]:* left"],
    ["mail to ann@corp.example bounced", "mail to * bounced"],
    ["job 7f1c2d3e-4b5a-6978-8899-aabbccddeeff done", "job * done"],
    ["block blk_-88123_1004 lost", "block * lost"],
    ["eth3 is up", "eth* is up"],
    ["open https://a.example/x?y=1 failed", "open * failed"],
    ["see (https://a.example/x?y=1&z=(2)), please", "see (*(*)), please"],
    ["fetched /v1/items?page=3&size=10 twice", "fetched * twice"],
    ["GET /v1/items/7 HTTP/1.1", "GET * HTTP/*"],
    ["started on Tue Mar 3 10:15:18 2026", "started on *"],
    ["at 0xdeadbeef", "at *"],
    ["connection from 10.0.0.7 (db-7.corp.example) at rack", "connection from * at rack"],
    ["connection from 10.0.0.7 () at rack", "connection from * at rack"],
    ["订单【20260729】超时，耗时352毫秒", "订单【*】超时，耗时*毫秒"],
    ["retries=3,limit=5", "retries=*,limit=*"],
  ])("takes the values out of %j", (text, expected) => {
    expect(mask(text)).toBe(expected);
  });

  it.each([
    "using IPv6 and SHA256 over TLSv1.3",
    "std::vector<int>::at Foo::bar",
    "java.net.SocketTimeoutException thrown by com.acme.Pay",
    "order.created and/or order.paid",
    "read/write lock upgraded",
  ])("leaves %j alone", (text) => {
    expect(mask(text)).toBe(text);
  });

  it("counts every kind of placeholder as one class of wildcard", () => {
    expect(mask("from [[ip:k3f9q2xa]] port 22")).toBe(mask("from 10.0.0.1 port 22"));
    expect(mask("from [[host:qwertyui]] port 22")).toBe(mask("from 10.0.0.1 port 22"));
    expect(mask("key [[secret:api_key]] rejected")).toBe("key * rejected");
  });

  it("keeps what each wildcard stands for, in order", () => {
    const { text, values } = new Masker().mask("user 7 from 10.0.0.7 (a.example) took 3 ms");
    expect(text.split("\0").length - 1).toBe(values.length);
    expect(values).toEqual(["7", "10.0.0.7 (a.example)", "3 ms"]);
  });

  it("cannot be given a wildcard by the text itself", () => {
    expect(new Masker().mask("a \0 b").values).toEqual([]);
  });

  const hostile: readonly (readonly [string, string])[] = [
    ["queries", "/a?b="],
    ["schemes", "ab://"],
    ["dots", "a.a."],
    ["mail", "a@a."],
    ["colons", "1:2:"],
    ["slashes", "a/b/"],
    ["back slashes", "C:\\a"],
    ["quotes", '="a'],
    ["brackets", "[({"],
    ["dashes", "ab-1"],
    ["digits", "1234"],
    ["numbers", "1 2 "],
    ["units", "7 ms"],
    ["placeholders", "[[a:"],
    ["months", "Jan "],
    ["parentheses", "1 () "],
    ["hex", "0xfe"],
    ["signs", "+-1e"],
    ["verbs", "GET "],
  ];
  it.each(hostile)("takes time linear in the length of hostile text: %s", (_, piece) => {
    const time = (n: number): number => {
      const text = piece.repeat(n / piece.length);
      return cpuMs(() => new Masker().mask(text));
    };
    time(20_000);
    const short = time(50_000);
    // A quadratic mask takes sixteen times as long; ten leaves room for a busy machine.
    expect(time(200_000)).toBeLessThan(10 * short + 20);
  });
});
