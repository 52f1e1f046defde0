import { describe, expect, it } from "vitest";
import { parseConfig } from "../../src/config/config.ts";
import { BoundaryError } from "../../src/model/errors.ts";

const problem = (text: string): string => {
  try {
    parseConfig(text, "dualview.yaml");
  } catch (error) {
    return BoundaryError.is(error) && error.code === "CONFIG_INVALID" ? error.message : "another error";
  }
  return "none";
};

describe("the configuration", () => {
  it("is read from YAML and from JSON alike", () => {
    const yaml = "tools:\n  lookup_knowledge:\n    collections:\n      runbooks: { folder: docs }\n";
    const config = parseConfig(yaml, "dualview.yaml");
    expect(config.tools.lookup_knowledge?.collections).toEqual({ runbooks: { folder: "docs" } });
    expect(parseConfig(JSON.stringify(config), "dualview.json")).toEqual(config);
  });

  it.each([
    ["stor: { driver: memory }\ntools: {}", "unknown key 'stor' at the top level: did you mean 'store'?"],
    ["tools: { query_log: {} }", "unknown key 'query_log' at 'tools': did you mean 'query_logs'?"],
    [
      "tools: {}\nlimits: { call: { dedlineMs: 5 } }",
      "unknown key 'dedlineMs' at 'limits.call': did you mean 'deadlineMs'?",
    ],
    [
      "tools:\n  query_logs:\n    sources:\n      app: { fils: [a.log] }",
      "unknown key 'fils' at 'tools.query_logs.sources.app': did you mean 'files'?",
    ],
    ["tools: {}\nzzzzzz: 1", "unknown key 'zzzzzz' at the top level: known are store, audit, limits, tools"],
  ])("names an unknown key, its place and the nearest known one: %s", (text, message) => {
    expect(problem(text)).toContain(message);
  });

  it.each([
    ["", "'tools' is missing"],
    ["tools: {}\nlimits: { noGain: -1 }", "'limits.noGain'"],
    ["tools: {}\nlimits: { noGain: many }", "'limits.noGain'"],
    ["tools: {}\nstore: { driver: reddis }", "'store.driver'"],
    ["tools: { query_logs: { sources: {} } }", "'tools.query_logs.sources': at least one source"],
    ["tools: {\n  - x", "dualview.yaml"],
  ])("says what is wrong and where: %j", (text, message) => {
    expect(problem(text)).toContain(message);
  });

  it("refuses aliases that multiply", () => {
    const list = (of: string): string => `[${Array(10).fill(of).join(", ")}]`;
    const yaml = `a: &a ${list("x")}\nb: &b ${list("*a")}\nc: &c ${list("*b")}\ntools: ${list("*c")}\n`;
    expect(() => parseConfig(yaml, "dualview.yaml")).toThrowError(
      expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringContaining("aliases") }),
    );
  });
});
