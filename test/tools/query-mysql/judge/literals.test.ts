import { randomBytes } from "node:crypto";
import { type Connection, createConnection } from "mysql2/promise";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { policyCatalog } from "../../../../src/tools/query-mysql/catalog.ts";
import { grantsFor } from "../../../../src/tools/query-mysql/mysql/grants.ts";
import { parseSqlPolicy } from "../../../../src/tools/query-mysql/policy.ts";
import { quoted } from "../../../../src/tools/query-mysql/sql/dialect.ts";
import { MysqlSqlValidator } from "../../../../src/tools/query-mysql/validator.ts";
import { createDatabase, mysqlAddress, type TestDatabase } from "../../../services/mysql.ts";
import { planOf } from "../bookshop.ts";
import { Random } from "./random.ts";

/** A longer search: `SQL_JUDGE_LITERALS=100000 npx vitest run test/tools/query-mysql/judge`. */
const COUNT = Number(process.env["SQL_JUDGE_LITERALS"] ?? "6000");
const BATCH = 60;

let database: TestDatabase;
let admin: Connection;
beforeAll(async () => {
  database = await createDatabase();
  admin = await createConnection({ ...mysqlAddress(), database: database.name, rowsAsArray: true, charset: "utf8mb4" });
  await admin.query("SET NAMES utf8mb4");
});
afterAll(async () => {
  await admin.end();
  await database.drop();
});

const NASTY = [
  ..."'\"`\\-/*;#%_?(){}@:$ \n\t\r\0\b\u001a中é🔥",
  "--",
  "/*",
  "*/",
  "''",
  "\\'",
  "/*!",
  "\\0",
  "X'",
  "\u00a0",
  "\u200b",
  "\ufeff",
];
const ESCAPED: Readonly<Record<string, string>> = { "\0": "\\0", "\b": "\\b", "\u001a": "\\Z", "\\": "\\\\" };

function someText(random: Random, least = 0): string {
  return random
    .some(least, 9, () =>
      random.chance(0.8)
        ? random.pick(NASTY)
        : String.fromCodePoint(random.chance(0.5) ? 32 + random.below(95) : 128 + random.below(0x4_000)),
    )
    .join("");
}

/** A literal that means this text, in one of the ways in which it can be written. */
function literalOf(random: Random, text: string): string {
  if (random.chance(0.1)) return `_utf8mb4 X'${Buffer.from(text, "utf8").toString("hex")}'`;
  const quote = random.pick(["'", '"']);
  const inside = text.replace(/[\0\b\u001a\\]/g, (char) => ESCAPED[char] ?? char);
  return `${quote}${inside.replaceAll(quote, random.chance(0.5) ? quote + quote : `\\${quote}`)}${quote}`;
}

async function rowOf(sql: string): Promise<readonly unknown[]> {
  const { sql: text, params } = planOf(sql);
  const [rows] = await admin.execute({ sql: text, rowsAsArray: true }, [...params]);
  return (rows as unknown as (readonly unknown[])[])[0] ?? [];
}

describe("what a statement says", () => {
  it("comes back byte for byte, whatever stands in a string", async () => {
    const random = new Random(20_260_101);
    for (let done = 0; done < COUNT; done += BATCH) {
      const texts = Array.from({ length: BATCH }, () => someText(random));
      const row = await rowOf(`SELECT ${texts.map((text) => literalOf(random, text)).join(", ")}`);
      expect(row).toEqual(texts);
    }
  }, 600_000);

  it("is compared byte for byte where it is sent as a parameter", async () => {
    const random = new Random(7);
    for (let done = 0; done < COUNT; done += BATCH) {
      const texts = Array.from({ length: BATCH }, () => someText(random));
      const tests = texts.map(
        (text) => `UNHEX('${Buffer.from(text, "utf8").toString("hex")}') = ${literalOf(random, text)}`,
      );
      expect(planOf(`SELECT ${tests.join(", ")}`).params).toEqual(texts);
      expect(await rowOf(`SELECT ${tests.join(", ")}`)).toEqual(texts.map(() => 1));
    }
  }, 600_000);

  it("keeps every letter of a name", async () => {
    const random = new Random(11);
    for (let done = 0; done < COUNT; done += BATCH) {
      const names = Array.from({ length: BATCH }, () => someName(random));
      const [, fields] = await admin.query(`SELECT ${names.map((name) => `1 AS ${quoted(name)}`).join(", ")}`);
      expect(fields.map(({ name }) => name)).toEqual(names);
    }
  }, 600_000);
});

/** A name that MySQL allows: no NUL, no letter beyond the first 65,536, no blank at its end. */
function someName(random: Random): string {
  const name = someText(random, 1)
    .replace(/[\0-\u001f\ud800-\udfff]/g, "")
    .trim();
  return name === "" || name.length > 60 ? "x`y" : name;
}

describe("tables and columns of any name", () => {
  it("are read and granted under their names", async () => {
    const random = new Random(13);
    for (let round = 0; round < 4; round++) {
      const table = `t${round}${someName(random)}`.replace(/[./\u0080-\u00a0\u2000-\u206f\ufeff]/g, "");
      const columns = [...new Map(Array.from({ length: 30 }, (_, i) => [`${i}${someName(random)}`, i])).keys()];
      const names = columns.map((name) => `${quoted(name)} INT`).join(", ");
      await database.query(`CREATE TABLE ${quoted(table)} (${names})`);
      await database.query(`INSERT INTO ${quoted(table)} VALUES (${columns.map((_, i) => i).join(", ")})`);
      const key = `${database.name}.${table}`;
      const hidden = columns.slice(20);
      const policy = parseSqlPolicy({
        datasource: "names",
        defaultSchema: database.name,
        tables: { [key]: columns.slice(0, 20) },
        hiddenColumns: { [key]: hidden },
      });
      const user = `names '${randomBytes(4).toString("hex")}`;
      await database.query(`CREATE USER ${quoted(user)}@${quoted("%")} IDENTIFIED BY 'pass'`);
      for (const grant of grantsFor(policy, { user, host: "%" })) await database.query(grant);
      const limited = await createConnection({ ...mysqlAddress(), user, password: "pass", rowsAsArray: true });
      const { sql } = planOf(
        "SELECT * FROM x".replace("x", quoted(table)),
        new MysqlSqlValidator(policy, policyCatalog(policy)),
      );
      const [rows] = await limited.query({ sql, rowsAsArray: true });
      expect(rows).toEqual([columns.slice(0, 20).map((_, i) => i)]);
      const denied = limited.query(`SELECT ${quoted(hidden[0] ?? "")} FROM ${quoted(database.name)}.${quoted(table)}`);
      await expect(denied).rejects.toMatchObject({ errno: 1143 });
      await limited.end();
      await database.query(`DROP USER ${quoted(user)}@${quoted("%")}`);
    }
  });
});
