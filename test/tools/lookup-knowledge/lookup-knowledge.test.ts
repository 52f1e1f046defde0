import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { JsonValue } from "../../../src/model/json.ts";
import type {
  KnowledgeAnswer,
  KnowledgeBackend,
  SearchOptions,
} from "../../../src/tools/lookup-knowledge/backends/backend.ts";
import { lookupKnowledgeTool } from "../../../src/tools/lookup-knowledge/lookup-knowledge.ts";
import type { ResolvedLookup } from "../../../src/tools/lookup-knowledge/projector.ts";
import { lookupKnowledgeRequest } from "../../../src/tools/lookup-knowledge/request.ts";
import { lookupKnowledgeResult } from "../../../src/tools/lookup-knowledge/result.ts";
import type { Resolved } from "../../../src/tools/tool.ts";

class Recorder implements KnowledgeBackend {
  readonly collection: string;
  readonly searches: { readonly query: string; readonly options: SearchOptions }[] = [];
  constructor(collection: string) {
    this.collection = collection;
  }
  async search(query: string, options: SearchOptions): Promise<KnowledgeAnswer> {
    this.searches.push({ query, options });
    return { hits: [{ text: this.collection }] };
  }
  async close(): Promise<void> {}
}

const [runbooks, manuals] = [new Recorder("runbooks"), new Recorder("manuals")];
const tool = lookupKnowledgeTool({ backends: [runbooks, manuals] });
const resolve = (request: unknown): Resolved<ResolvedLookup> => {
  const resolved = tool.resolve?.(tool.request.parse(request), { now: 0, alias: (text) => text });
  if (resolved === undefined) throw new Error("the tool does not resolve");
  return resolved;
};

describe("lookup_knowledge", () => {
  it("is read-only background knowledge", () => {
    expect(tool).toMatchObject({ name: "lookup_knowledge", readOnly: true });
    expect(tool.reading).toEqual({ role: "knowledge", numbers: "prose", identity: "item_id", negative: [["query"]] });
    expect(tool.description).toContain("runbooks, manuals");
  });

  it("describes every field of a request to the model", () => {
    const schema = z.toJSONSchema(lookupKnowledgeRequest) as {
      properties: Record<string, { description?: string }>;
      required: string[];
    };
    expect(Object.keys(schema.properties)).toEqual(["query", "collection", "top_k", "filters"]);
    for (const field of Object.values(schema.properties)) expect(field.description).toMatch(/\w/);
    expect(schema.required).toEqual(["query"]);
    expect(z.toJSONSchema(lookupKnowledgeResult)).toMatchObject({ type: "object", required: ["items", "truncated"] });
  });

  it.each([
    {},
    { query: "" },
    { query: "x".repeat(1001) },
    { query: "a", top_k: 11 },
    { query: "a", top_k: 0 },
    { query: "a", more: 1 },
    { query: "a", filters: { tag: "b" } },
  ])("does not take %j", (request) => {
    expect(tool.request.safeParse(request).success).toBe(false);
  });

  it("looks at one collection, the first unless another is named", () => {
    expect(resolve({ query: " full \n disk " }).scope).toEqual({ collection: "runbooks", query: "full disk" });
    expect(resolve({ query: "full disk", collection: "manuals", filters: { service: "shop" } }).scope).toEqual({
      collection: "manuals",
      query: "full disk",
      service: "shop",
    });
    expect(() => resolve({ query: "full disk", collection: "secrets" })).toThrow(
      expect.objectContaining({ code: "SOURCE_NOT_FOUND", field: "collection" }),
    );
  });

  it("asks the same when only order, repetition, form and words of asking differ", () => {
    const identity = (request: JsonValue): string => resolve(request).identity;
    const plain = identity({ query: "full disk" });
    for (const query of ["Disk FULL", "how do I find the full disks?", "ｆｕｌｌ disk, full disk"])
      expect(identity({ query })).toBe(plain);
    expect(identity({ query: "full disk", top_k: 9 })).toBe(plain);
    expect(identity({ query: "连接池怎么处理" })).toBe(identity({ query: "如何处理 连接池" }));
    expect(identity({ query: "full disk on node 7" })).not.toBe(plain);
    expect(identity({ query: "full disk", collection: "manuals" })).not.toBe(plain);
    expect(identity({ query: "full disk", filters: { service: "shop" } })).not.toBe(plain);
  });

  it("refuses a query without a word", () => {
    expect(() => resolve({ query: "?! …" })).toThrow(
      expect.objectContaining({ code: "REQUEST_INVALID", field: "query" }),
    );
  });

  it("asks the backend of the collection", async () => {
    const { resolved } = resolve({ query: "full disk", collection: "manuals", top_k: 3, filters: { language: "en" } });
    const signal = new AbortController().signal;
    expect(await tool.execute(resolved, { signal, maxRawBytes: 1000 })).toEqual({ hits: [{ text: "manuals" }] });
    expect(manuals.searches).toEqual([
      { query: "full disk", options: { topK: 3, filters: { language: "en" }, signal, maxRawBytes: 1000 } },
    ]);
    expect(runbooks.searches).toEqual([]);
  });

  it("does not take two backends of one name, nor none", () => {
    for (const backends of [[runbooks, new Recorder("runbooks")], []]) {
      expect(() => lookupKnowledgeTool({ backends })).toThrow(expect.objectContaining({ code: "TOOL_INVALID" }));
    }
  });
});
