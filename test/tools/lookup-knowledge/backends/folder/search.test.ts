import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { documentEntry, readDocument } from "../../../../../src/tools/lookup-knowledge/backends/folder/document.ts";
import { MemoryIndex } from "../../../../../src/tools/lookup-knowledge/backends/folder/memory-index.ts";
import { type RankedPassage, rankPassages } from "../../../../../src/tools/lookup-knowledge/backends/folder/search.ts";

const folder = join(import.meta.dirname, "../../../../fixtures/lookup-knowledge");
const index = new MemoryIndex();

beforeAll(() => {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => /\.(?:md|txt)$/.test(path));
  const put = paths.map((path) => {
    const format = path.endsWith(".md") ? "markdown" : "text";
    const read = readDocument({ text: readFileSync(join(folder, path), "utf8"), fallbackTitle: path, format });
    return documentEntry({ path, stamp: "1", documentId: read.declaredId ?? path }, read);
  });
  index.apply({ put, remove: [] });
});

const relevant = (question: string): RankedPassage[] =>
  rankPassages(index, question).passages.filter(({ level }) => level !== null);

describe("rankPassages", () => {
  it.each([
    ["connection pool exhausted", "rb-pool", "HIGH"],
    ["requests time out while CPU is low, pending connections climb", "rb-pool", "HIGH"],
    ["how do I raise maximumPoolSize", "rb-pool", "HIGH"],
    ["no space left on device", "rb-disk", "HIGH"],
    ["certificate has expired handshake failure on the gateway", "en/certificate.md", "HIGH"],
    ["consumer group rebalances again and again", "rb-lag", "HIGH"],
    ["数据库锁等待怎么处理", "rb-lock", "HIGH"],
    ["支付回调变慢 1205", "rb-lock", "HIGH"],
    ["容器被 OOMKilled 退出码 137", "rb-oom", "HIGH"],
    ["热点键同一时刻过期怎么办", "zh/缓存雪崩.txt", "HIGH"],
  ])("finds what answers %j", (question, documentId, level) => {
    const best = relevant(question)[0];
    expect(best?.passage.documentId).toBe(documentId);
    expect(best?.level).toBe(level);
  });

  it.each([
    "quarterly marketing budget for trade shows",
    "how to train a golden retriever puppy",
    "which planets have rings",
    "annual leave carry over policy",
    "公司年会节目安排",
    "如何烹饪红烧肉",
    "世界杯决赛在哪个城市举行",
    "员工请假流程是什么",
  ])("finds nothing, or no more than a reference, for %j", (question) => {
    for (const { level } of relevant(question)) expect(level).toBe("REFERENCE");
  });

  it.each([
    ["an error code", "seeing ORA-00060 since noon", "rb-lock"],
    ["an alias", "we suspect pool starvation somewhere today", "rb-pool"],
    ["a symptom", "OOMKilled", "rb-oom"],
    ["a title", "is this a case of disk full on a log volume or of something entirely else", "rb-disk"],
    ["a service", "payment-core", "rb-lock"],
  ])("gives a document that is named by %s a place", (_, question, documentId) => {
    const ranking = rankPassages(index, question);
    const named = ranking.passages.filter((hit) => hit.named);
    expect(named.map(({ passage }) => passage.documentId)).toEqual([documentId]);
    expect(named[0]?.level).not.toBeNull();
    expect(named[0]?.passage.fromCard).toBe(false);
    expect(ranking.cardCount).toBe(1);
  });

  it("lifts a passage that does not answer by itself to a reference, never more", () => {
    for (const question of [
      "fruit salad recipe for cart-api",
      "cooking a soup for twelve guests, ENOSPC",
      "天气 ORA-00060 足球比赛 转播 时间表",
    ]) {
      for (const hit of rankPassages(index, question).passages.filter(({ named }) => named)) {
        expect(hit.level).toBe("REFERENCE");
      }
    }
  });

  it("does not let a service's name stand for the topic", () => {
    expect(relevant("connection pool exhausted on order-api")[0]?.level).toBe("HIGH");
    for (const { level } of relevant("annual leave carry over policy of order-api")) expect(level).toBe("REFERENCE");
  });

  it("counts passages over the floor by their own words", () => {
    const ranking = rankPassages(index, "payment-core");
    expect(ranking).toMatchObject({ cardCount: 1, passageCount: 0 });
  });

  it("searches within the documents it is told to", () => {
    const ranking = rankPassages(index, "数据库锁等待 OOMKilled", { paths: new Set(["zh/内存溢出.md"]) });
    expect(new Set(ranking.passages.map(({ passage }) => passage.documentId))).toEqual(new Set(["rb-oom"]));
    expect(ranking.cardCount).toBe(1);
  });
});
