import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokenize, tokenizeQuery, unspacedShare } from "../../../../src/tools/lookup-knowledge/text/tokens.ts";

describe("tokenize", () => {
  it("stems English words and leaves out words without a topic", () => {
    expect(tokenize("The connections are exhausted").words).toEqual(["connect", "exhaust"]);
  });

  it("finds an identifier whole and by its parts", () => {
    expect(tokenize("HikariPool-1").all).toEqual(["hikari", "pool", "1", "hikaripool-1"]);
    expect(tokenize("ORA-00060").all).toEqual(["ora", "00060", "ora-00060"]);
    expect(tokenize("com.acme.Pay").all).toEqual(["com", "acm", "pai", "com.acme.pay"]);
    expect(tokenize("max_pool_size").all).toEqual(["max", "pool", "size", "max_pool_size"]);
    expect(tokenize("maximumPoolSize").all).toEqual(["maximum", "pool", "size", "maximumpoolsize"]);
    expect(tokenize("HTTPServer").all).toEqual(["http", "server", "httpserver"]);
  });

  it("does not take an abbreviation apart", () => {
    expect(tokenize("miRNAs").words).toEqual(["mirna"]);
    expect(tokenize("NaCl").words).toEqual(["nacl"]);
  });

  it("finds Chinese and Japanese by pairs of characters and keeps a single one", () => {
    expect(tokenize("连接池耗尽").words).toEqual(["连接", "接池", "池耗", "耗尽"]);
    expect(tokenize("锁 A").words).toEqual(["锁"]);
    expect(tokenize("タイムアウト").words).toEqual(["タイ", "イム", "ムア", "アウ", "ウト"]);
  });

  it("parts scripts that stand side by side", () => {
    expect(tokenize("MQ堆积10万条").words).toEqual(["mq", "堆积", "10", "万条"]);
  });

  it("folds full width, case and apostrophes", () => {
    expect(tokenize("ＥＲＲＯＲ　１２０５").words).toEqual(tokenize("error 1205").words);
    expect(tokenize("the server's").words).toEqual(["server"]);
  });

  it("does not care for accents on Latin letters", () => {
    expect(tokenize("Übergröße naïve").words).toEqual(tokenize("Ubergroße naive").words);
    expect(tokenize("ガイド").words).not.toEqual(tokenize("カイト").words);
  });

  it("gives tokens that an index can keep between spaces, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        for (const token of tokenize(text).all) expect(token).toMatch(/^[^\s"']+$/u);
      }),
    );
  });

  it("reads a hostile megabyte in linear time", () => {
    const started = performance.now();
    for (const unit of ["a-", "aB", "锁", "a.", "'s", "\u0301"]) tokenize(unit.repeat(500_000 / unit.length));
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe("tokenizeQuery", () => {
  it("leaves out the words of asking", () => {
    expect(tokenizeQuery("How do I find which pods were evicted?").words).toEqual(["pod", "evict"]);
    expect(tokenizeQuery("数据库锁等待怎么处理").words).toEqual(["数据", "据库", "库锁", "锁等", "等待", "处理"]);
    expect(tokenizeQuery("请问连接池是什么").words).toEqual(["连接", "接池"]);
  });

  it("keeps them when there is nothing else", () => {
    expect(tokenizeQuery("what should we do").words).not.toEqual([]);
    expect(tokenizeQuery("怎么办").words).not.toEqual([]);
  });

  it("finds no word in punctuation", () => {
    expect(tokenizeQuery("??? --- 。。").words).toEqual([]);
  });
});

describe("unspacedShare", () => {
  it("is the share of tokens from scripts without spaces", () => {
    expect(unspacedShare([])).toBe(0);
    expect(unspacedShare(["pool", "连接"])).toBe(0.5);
  });
});
