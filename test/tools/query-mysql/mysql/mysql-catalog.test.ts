import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHarness, defineTool, memoryStore } from "../../../../src/index.ts";
import { BoundaryError } from "../../../../src/model/errors.ts";
import { catalogFaults } from "../../../../src/tools/query-mysql/mysql/mysql-catalog.ts";
import { type MysqlDatasource, mysqlDatasource } from "../../../../src/tools/query-mysql/mysql/mysql-datasource.ts";
import type { ServerFacts } from "../../../../src/tools/query-mysql/mysql/server.ts";
import { queryMysqlTool } from "../../../../src/tools/query-mysql/query-mysql.ts";
import { createDatabase, type TestDatabase } from "../../../services/mysql.ts";
import { policyOf, readerOf } from "./tables.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase();
  await database.query("create table Orders (Id int, state varchar(20), secret varchar(20)) character set utf8mb4");
  await database.query("create table 库存 (编号 int, 书名 varchar(20)) character set utf8mb4");
  await database.query("insert into Orders values (1, 'open', 'hunter2'), (2, 'paid', 'hunter2')");
  await database.query("create view open_orders as select Id, secret from Orders");
});
afterEach(async () => {
  await database.drop();
});

type Columns = Readonly<Record<string, readonly string[]>>;
const open = async (columns: Columns, rights = "select", more = {}): Promise<MysqlDatasource> => {
  const account = await database.account(rights);
  return await mysqlDatasource({ pool: database.pool(account), policy: policyOf(database.name, columns, more) });
};
const fault = async (columns: Columns): Promise<string> =>
  await open(columns).then(
    () => "none",
    (error: unknown) => (BoundaryError.is(error) ? `${error.code} ${error.message}` : String(error)),
  );

describe("the catalog of a server", () => {
  it("holds the real columns of the policy's tables, hidden ones included, in their order", async () => {
    const { catalog } = await open({ Orders: ["id"], 库存: ["书名"] });
    expect(catalog.columns(`${database.name}.Orders`)).toEqual(["Id", "state", "secret"]);
    expect(catalog.columns(`${database.name}.库存`)).toEqual(["编号", "书名"]);
    expect(catalog.columns(`${database.name}.open_orders`)).toBeUndefined();
  });

  it("knows of hidden columns that the account is not shown from the policy", async () => {
    const hiddenColumns = { [`${database.name}.Orders`]: ["secret"] };
    const policy = policyOf(database.name, { Orders: ["Id", "state"] }, { hiddenColumns });
    const { catalog } = await mysqlDatasource({ pool: database.pool(await readerOf(database, policy)), policy });
    expect(catalog.columns(`${database.name}.Orders`)).toEqual(["Id", "state", "secret"]);
  });

  it("refuses a policy that names a view, a table or column that is not there, or one in another case", async () => {
    expect(await fault({ open_orders: ["Id"] })).toMatch(
      /^CONFIG_INVALID .*open_orders: this is a view, and a view may read/s,
    );
    expect(await fault({ Ordes: ["Id"] })).toMatch(/Ordes: the server shows no such table .*did you mean Orders\?/);
    expect(await fault({ orders: ["Id"] })).toMatch(/orders: the server shows no such table .*did you mean Orders\?/);
    expect(await fault({ Orders: ["id", "stat"] })).toMatch(
      /Orders: the server shows no column stat .*did you mean state\?/,
    );
    expect(await fault({ 库存: ["书名称"] })).toMatch(/no column 书名称 to this account; did you mean 书名\?/);
    expect(await fault({ Orders: ["Id", "x"], 库存: ["y"] })).toMatch(/no column x .*no column y /s);
  });

  it("refuses a table that is listed twice where the server does not tell names by case", () => {
    const policy = policyOf("shop", { Orders: ["id"], orders: ["id"] });
    const tables = [...policy.tables.keys()].map((key) => ({ key, type: "BASE TABLE", columns: ["id"], siblings: [] }));
    const server = (caseSensitiveTables: boolean) => ({ caseSensitiveTables }) as ServerFacts;
    expect(catalogFaults(policy, tables, server(true))).toEqual([]);
    expect(catalogFaults(policy, tables, server(false))).toEqual([
      expect.stringMatching(/shop\.orders: .* listed twice/),
    ]);
  });
});

describe("query_mysql on tables that change", () => {
  const runOn = async (columns: Columns) => {
    const policy = policyOf(database.name, columns);
    const datasource = await mysqlDatasource({ pool: database.pool(await database.account("select")), policy });
    const tool = defineTool(queryMysqlTool({ policy, ...datasource }));
    const harness = createHarness({ store: memoryStore(), tools: [tool] });
    const run = await harness.openRun({ sessionId: "s" });
    let calls = 0;
    const shown: string[] = [];
    const ask = async (sql: string) => {
      calls += 1;
      const call = { toolCallId: `c${calls}`, toolName: "query_mysql", request: { sql } };
      const { observation } = await run.call(call);
      shown.push(JSON.stringify(observation));
      return observation.outcome === "OK" ? observation.items.map(({ cells }) => cells) : observation.code;
    };
    return { ask, shown, close: () => harness.close() };
  };

  it("looks at them once more and fails closed when a plan does not fit any longer", async () => {
    const { ask, close } = await runOn({ Orders: ["Id", "state"] });
    expect(await ask("SELECT Id, state FROM Orders WHERE Id = 1")).toEqual([{ Id: 1, state: "open" }]);
    await database.query("alter table Orders rename column state to status");
    expect(await ask("SELECT state FROM Orders WHERE Id = 2")).toBe("SCHEMA_CHANGED");
    expect(await ask("SELECT state FROM Orders WHERE Id = 2")).toBe("SQL_COLUMN");
    expect(await ask("SELECT status FROM Orders")).toBe("SQL_COLUMN");
    expect(await ask("SELECT * FROM Orders")).toEqual([{ Id: 1 }, { Id: 2 }]);
    await close();
  });

  it("stops reading a table that became a view, once it is looked at again", async () => {
    const { ask, close } = await runOn({ Orders: ["Id"], 库存: ["书名"] });
    await database.query("alter table 库存 rename column 书名 to 名称");
    await database.query("rename table Orders to kept");
    await database.query("create view Orders as select Id from kept");
    expect(await ask("SELECT 书名 FROM 库存")).toBe("SCHEMA_CHANGED");
    expect(await ask("SELECT Id FROM Orders")).toBe("SQL_TABLE");
    await close();
  });

  it("says the same when the table is gone, and reads it when it is back", async () => {
    const { ask, close } = await runOn({ Orders: ["Id"] });
    await database.query("rename table Orders to away");
    expect(await ask("SELECT Id FROM Orders WHERE Id = 1")).toBe("SCHEMA_CHANGED");
    expect(await ask("SELECT Id FROM Orders WHERE Id = 1")).toBe("SQL_TABLE");
    await database.query("rename table away to Orders");
    await close();
    const again = await runOn({ Orders: ["Id"] });
    expect(await again.ask("SELECT Id FROM Orders WHERE Id = 1")).toEqual([{ Id: 1 }]);
    await again.close();
  });

  it("names a hidden column in no answer, whatever is asked", async () => {
    const { ask, shown, close } = await runOn({ Orders: ["Id", "state"] });
    await ask("SELECT * FROM Orders");
    for (const sql of [
      "SELECT nothing FROM Orders",
      "SELECT Id FROM Orders o JOIN Orders p USING (Idd)",
      "SELECT Id FROM Orders ORDER BY (SELECT 1 FROM Orders)",
      "SELECT Id FROM Orders NATURAL JOIN Orders p",
      "SELECT state, COUNT(*) FROM Orders GROUP BY Id",
      "SELECT (SELECT Id FROM Orders) FROM Orders",
    ]) {
      expect(await ask(sql)).toEqual(expect.any(String));
    }
    await database.query("alter table Orders drop column state");
    await ask("SELECT state FROM Orders");
    await ask("SELECT sec FROM Orders");
    expect(shown.join("\n")).not.toMatch(/secret|hunter2/);
    await close();
  });
});
