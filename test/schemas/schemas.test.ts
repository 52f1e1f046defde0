import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

// the script that writes the files is plain JavaScript over the built package
const { FOLDER, schemaFiles, textOf } = (await import("../../scripts/schemas.mjs" as string)) as {
  readonly FOLDER: URL;
  schemaFiles(): Readonly<Record<string, unknown>>;
  textOf(schema: unknown): string;
};

describe("the committed JSON Schemas", () => {
  it.each(Object.entries(schemaFiles()))("%s is what the source says (npm run schemas writes it)", (name, schema) => {
    expect(readFileSync(new URL(name, FOLDER), "utf8")).toBe(textOf(schema));
  });

  it("are all there are", () => {
    expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(schemaFiles()).sort());
  });

  it("describe to a model every field of a request", () => {
    const requests = Object.entries(schemaFiles()).filter(([name]) => name.endsWith(".request.schema.json"));
    expect(requests).toHaveLength(3);
    for (const [name, schema] of requests) {
      const { properties } = schema as { properties: Record<string, { description?: string }> };
      for (const [field, { description }] of Object.entries(properties)) {
        expect(description?.length, `${name}: ${field}`).toBeGreaterThan(15);
      }
    }
  });
});
