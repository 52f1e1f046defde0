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

  it("can name a shared store and an audit in MySQL without holding a secret", () => {
    const text = `
store: { driver: redis, url: "rediss://cache:6380", username: app, password: { env: REDIS_PASSWORD }, partitions: 16 }
audit: { driver: mysql, socket: /run/mysqld.sock, user: audit, password: { env: AUDIT_PASSWORD }, database: audit }
tools: {}`;
    const { store, audit } = parseConfig(text, "dualview.yaml");
    expect(store).toMatchObject({ driver: "redis", password: { env: "REDIS_PASSWORD" }, partitions: 16 });
    expect(audit).toMatchObject({ driver: "mysql", password: { env: "AUDIT_PASSWORD" } });
  });

  it("repeats no value of a field that holds a secret", () => {
    for (const text of [
      "tools: {}\nstore: { driver: redis, url: 'redis://a', password: hunter2-in-the-file }",
      "tools: {}\naudit: { driver: mysql, url: { env: 'hunter2-in-the-file' } }",
    ]) {
      expect(problem(text)).not.toContain("hunter2");
      expect(problem(text)).not.toBe("none");
    }
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
    [
      "tools: {}\nstore: { driver: redis, url: 'redis://a', partition: 8 }",
      "unknown key 'partition' at 'store': did you mean 'partitions'?",
    ],
    [
      "tools: {}\naudit: { driver: mysql, host: a, user: b, database: c, pasword: { env: P } }",
      "unknown key 'pasword' at 'audit': did you mean 'password'?",
    ],
    [
      "tools: {}\naudit: { driver: sqlite, file: a.db, password: { env: P } }",
      "unknown key 'password' at 'audit': known are driver, file",
    ],
    [
      "tools: {}\nstore: { driver: redis, url: 'redis://a', password: { envv: P } }",
      "unknown key 'envv' at 'store.password': did you mean 'env'?",
    ],
    [
      "tools: { query_mysql: { datasources: { shop: { driver: mysql, policy: p, host: db, usr: me } } } }",
      "unknown key 'usr' at 'tools.query_mysql.datasources.shop': did you mean 'user'?",
    ],
    ["tools: {}\nzzzzzz: 1", "unknown key 'zzzzzz' at the top level: known are store, audit, limits, tools"],
  ])("names an unknown key, its place and the nearest known one: %s", (text, message) => {
    expect(problem(text)).toContain(message);
  });

  it.each([
    ["", "'tools' is missing"],
    ["tools: {}\nlimits: { noGain: -1 }", "'limits.noGain'"],
    ["tools: {}\nlimits: { noGain: many }", "'limits.noGain': Invalid input: expected number"],
    [
      "tools: {}\nstore: { driver: reddis }",
      "'store.driver' is not known: one of memory, redis; did you mean 'redis'?",
    ],
    ["tools: {}\nstore: {}", "'store.driver' is missing: one of memory, redis"],
    ["tools: {}\nstore: { driver: redis }", "'store': give either 'url' or 'socket'"],
    ["tools: {}\nstore: { driver: redis, url: 'redis://a', socket: /s }", "'store': give either 'url' or 'socket'"],
    [
      "tools: {}\nstore: { driver: redis, url: 'redis://a', password: x }",
      "'store.password': name the environment variable",
    ],
    ["tools: {}\nstore: { driver: redis, url: 7 }", "'store.url': write the address"],
    ["tools: {}\naudit: { driver: mysql }", "'audit': give one of 'url', 'host' and 'socket'"],
    ["tools: {}\naudit: { driver: mysql, host: db }", "'audit': 'database' is missing"],
    ["tools: {}\naudit: { driver: mysql, url: 'mysql://db/a', user: me }", "take out 'user'"],
    [
      "tools: { query_mysql: { datasources: { shop: { driver: mysql, policy: p, host: db } } } }",
      "'tools.query_mysql.datasources.shop': 'user' is missing",
    ],
    [
      "tools: { query_mysql: { datasources: { shop: { driver: mysql, policy: p, host: db, user: me, tls: { cert: c } } } } }",
      "'tools.query_mysql.datasources.shop.tls': a 'cert' needs its 'key'",
    ],
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
