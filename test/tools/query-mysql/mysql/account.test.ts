import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BoundaryError } from "../../../../src/model/errors.ts";
import { judgeAccount } from "../../../../src/tools/query-mysql/mysql/account.ts";
import { grantsFor, parseAccount } from "../../../../src/tools/query-mysql/mysql/grants.ts";
import { mysqlDatasource } from "../../../../src/tools/query-mysql/mysql/mysql-datasource.ts";
import { parseGrant } from "../../../../src/tools/query-mysql/mysql/parse-grant.ts";
import type { ServerFacts } from "../../../../src/tools/query-mysql/mysql/server.ts";
import { createDatabase, type TestDatabase } from "../../../services/mysql.ts";
import { policyOf, readerOf } from "./tables.ts";

const policy = policyOf("shop", { orders: ["id", "state"], 库存: ["编号"] });
const server = { caseSensitiveTables: true } as ServerFacts;
const judge = (...lines: string[]) => judgeAccount(lines.map(parseGrant), policy, server);
const USAGE = "GRANT USAGE ON *.* TO `r`@`%` IDENTIFIED BY PASSWORD '*00' REQUIRE SSL WITH MAX_USER_CONNECTIONS 5";

describe("rights of an account", () => {
  it.each([
    "GRANT SELECT ON `shop`.`orders` TO `r`@`%`",
    "GRANT SELECT (`id`, `state`) ON `shop`.`orders` TO `r`@`%`",
    "GRANT SELECT (`STATE`) ON `shop`.`orders` TO `r`@`%`",
    "GRANT SELECT (`编号`) ON `shop`.`库存` TO `r`@`%`",
    "GRANT `reader`@`%`,`other`@`%` TO `r`@`%`",
    "SET DEFAULT ROLE `reader` FOR `r`@`%`",
    "REVOKE INSERT ON `mysql`.* FROM `r`@`%`",
  ])("fit: %s", (line) => {
    expect(judge(USAGE, line)).toEqual({ faults: [], wide: [] });
  });

  it.each([
    ["GRANT SELECT ON `shop`.* TO `r`@`%`", "SELECT on shop.*"],
    ["GRANT SELECT ON `sho\\_p`.`t` TO `r`@`%`", null],
    ["GRANT SELECT ON `shop`.`users` TO `r`@`%`", "SELECT on shop.users"],
    ["GRANT SELECT (`id`, `secret`) ON `shop`.`orders` TO `r`@`%`", "SELECT (id, secret) on shop.orders"],
  ])("are wider than needed: %s", (line, wide) => {
    expect(judge(USAGE, line)).toEqual(
      wide === null ? { faults: [expect.any(String)], wide: [] } : { faults: [], wide: [wide] },
    );
  });

  it.each([
    ["GRANT ALL PRIVILEGES ON *.* TO `root`@`localhost` WITH GRANT OPTION", "ALL PRIVILEGES on *.*"],
    ["GRANT SELECT ON *.* TO `r`@`%`", "SELECT on *.*"],
    ["GRANT SELECT ON `mysql`.`user` TO `r`@`%`", "SELECT on mysql.user"],
    ["GRANT SELECT ON `%`.* TO `r`@`%`", "SELECT on %.*"],
    ["GRANT SELECT, INSERT (`id`) ON `shop`.`orders` TO `r`@`%`", "INSERT (id) on shop.orders"],
    ["GRANT FILE ON *.* TO `r`@`%`", "FILE on *.*"],
    ["GRANT PROCESS, SUPER ON *.* TO `r`@`%`", "PROCESS on *.*"],
    ["GRANT BACKUP_ADMIN,SYSTEM_USER ON *.* TO `r`@`%`", "BACKUP_ADMIN on *.*"],
    ["GRANT CREATE TEMPORARY TABLES ON `shop`.* TO `r`@`%`", "CREATE TEMPORARY TABLES on shop.*"],
    ["GRANT EXECUTE ON FUNCTION `shop`.`f` TO `r`@`%`", "EXECUTE on shop.f"],
    ["GRANT EXECUTE ON `shop`.* TO PUBLIC", "EXECUTE on shop.*"],
    ["GRANT SELECT ON `shop`.`orders` TO `r`@`%` WITH GRANT OPTION", "GRANT OPTION on shop.orders"],
    ["GRANT USAGE ON *.* TO `r`@`%` WITH GRANT OPTION", "GRANT OPTION on *.*"],
    ["GRANT `reader` TO `r`@`%` WITH ADMIN OPTION", "ADMIN OPTION on a role"],
    ["GRANT PROXY ON ''@'%' TO 'root'@'localhost'", "a grant that is not understood, such as PROXY"],
    ["GIVE SELECT ON `shop`.`orders` TO `r`@`%`", "a grant that is not understood, such as PROXY"],
    ["GRANT SELECT ON `a` TO `b`.`c` TO `r`@`%`", "a grant that is not understood, such as PROXY"],
    ["", "a grant that is not understood, such as PROXY"],
  ])("are too many: %s", (line, fault) => {
    expect(judge(USAGE, line).faults).toContain(fault);
  });

  it("are too many when the server shows none at all", () => {
    expect(judgeAccount([], policy, server).faults).toHaveLength(1);
  });

  it("are read with names that hold quotes and words of the grammar", () => {
    const tricky = policyOf("shop", { "a`b on c": ["x`y", "to"] });
    const lines = ["GRANT SELECT (`x``y`, `to`) ON `shop`.`a``b on c` TO `r`@`%`"];
    expect(judgeAccount(lines.map(parseGrant), tricky, server)).toEqual({ faults: [], wide: [] });
    expect(grantsFor(tricky)).toEqual(["GRANT SELECT (`x``y`, `to`) ON `shop`.`a``b on c` TO 'dualview'@'%';"]);
  });
});

describe("an account as it is written", () => {
  it.each([
    ["'app'@'10.0.0.%'", { user: "app", host: "10.0.0.%" }],
    ["app@localhost", { user: "app", host: "localhost" }],
    ["app", { user: "app", host: "%" }],
  ])("%s is read", (written, account) => {
    expect(parseAccount(written)).toEqual(account);
  });

  it.each(["", "''@'h'", "a'b", "'a'@'h' IDENTIFIED BY 'x'", "a; DROP TABLE t", "'a\\'@'h'", "@h"])(
    "%s is refused",
    (written) => {
      expect(() => parseAccount(written)).toThrowError(/Write the account as/);
    },
  );
});

describe("opening a datasource", () => {
  let database: TestDatabase;
  const roles: string[] = [];
  beforeEach(async () => {
    database = await createDatabase();
    await database.query("create table orders (id int, state varchar(20))");
  });
  afterEach(async () => {
    for (const role of roles.splice(0)) await database.query(`drop role ${role}`);
    await database.drop();
  });
  const own = () => policyOf(database.name, { orders: ["id", "state"] });
  const opening = async (account: { readonly user?: string; readonly password?: string }): Promise<string> =>
    await mysqlDatasource({ pool: database.pool(account), policy: own() }).then(
      () => "opened",
      (error: unknown) => (BoundaryError.is(error) ? `${error.code} ${error.message}` : String(error)),
    );

  it("takes the grants that are printed for the policy, and wider ones to read", async () => {
    expect(await opening(await readerOf(database, own()))).toBe("opened");
    expect(await opening(await database.account("select"))).toBe("opened");
  });

  it("refuses an account that may write, and shows the grants that would be right", async () => {
    const told = await opening(await database.account("select, insert, execute"));
    expect(told).toMatch(/^CONFIG_INVALID /);
    expect(told).toContain(`INSERT on ${database.name}.*; EXECUTE on ${database.name}.*`);
    expect(told).toContain(grantsFor(own())[0]);
    expect(await opening({})).toMatch(/^CONFIG_INVALID .*(?:ALL PRIVILEGES|INSERT) on \*\.\*/s);
    const file = await database.account("select");
    await database.query(`grant file, process on *.* to ${file.user}`);
    expect(await opening(file)).toMatch(/FILE on \*\.\*.*PROCESS on \*\.\*|PROCESS on \*\.\*.*FILE on \*\.\*/);
  });

  it("counts the rights of roles, also of roles of roles that nobody has taken yet", async () => {
    const account = await database.account("select");
    const [outer, inner] = [`outer_${database.name}`, `inner_${database.name}`];
    for (const role of [outer, inner]) await database.query(`create role ${role}`);
    roles.push(outer, inner);
    await database.query(`grant select on ${database.name}.* to ${outer}`);
    await database.query(`grant ${outer} to ${account.user}`);
    expect(await opening(account)).toBe("opened");
    await database.query(`grant update on ${database.name}.orders to ${inner}`);
    await database.query(`grant ${inner} to ${outer}`);
    expect(await opening(account)).toContain(`UPDATE on ${database.name}.orders`);
  });

  it("names neither password nor server's words when nobody is let in", async () => {
    const told = await opening({ user: "nobody-here", password: "hunter2" });
    expect(told).toMatch(/^SOURCE_UNREADABLE .*check both.*1045/);
    expect(told).not.toMatch(/hunter2|nobody-here|Access denied/);
  });
});
