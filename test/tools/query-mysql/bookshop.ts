import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { policyCatalog } from "../../../src/tools/query-mysql/catalog.ts";
import type { MysqlQueryPlan } from "../../../src/tools/query-mysql/plan.ts";
import { parseSqlPolicy, type SqlPolicy } from "../../../src/tools/query-mysql/policy.ts";
import type { Dialect } from "../../../src/tools/query-mysql/sql/dialect.ts";
import type { SqliteDatabase } from "../../../src/tools/query-mysql/sqlite/database.ts";
import { MysqlSqlValidator } from "../../../src/tools/query-mysql/validator.ts";

const root = resolve(import.meta.dirname, "../../..");
const fixtures = join(root, "test/fixtures/query-mysql");

/** A small bookshop: policy, validator and a database of it. */
export const bookshop: SqlPolicy = parseSqlPolicy(JSON.parse(readFileSync(join(fixtures, "policy.json"), "utf8")));

export function validatorFor(dialect?: Dialect): MysqlSqlValidator {
  return new MysqlSqlValidator(bookshop, policyCatalog(bookshop), dialect);
}

export const validator: MysqlSqlValidator = validatorFor();

/** The plan of a statement that must be allowed. */
export function planOf(sql: string, by: MysqlSqlValidator = validator): MysqlQueryPlan {
  const result = by.validate(sql);
  if (result.kind === "rejected") throw new Error(`${result.code} at ${result.at}: ${result.detail}\n${sql}`);
  return result.plan;
}

/** `ALLOW`, or the code of the refusal. */
export function codeOf(sql: string, by: MysqlSqlValidator = validator): string {
  const result = by.validate(sql);
  return result.kind === "allowed" ? "ALLOW" : result.code;
}

const SQLITE_MODULE = Number(process.versions.node.split(".")[0]) > 22 ? "node:sqlite" : "@photostructure/sqlite";

/** A fresh SQLite file of the bookshop; `remove` deletes it. */
export function createBookshopFile(): { readonly path: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "bookshop-"));
  const path = join(folder, "shop.db");
  const database = openDatabase(path);
  database.exec(readFileSync(join(fixtures, "bookshop.sql"), "utf8"));
  database.close();
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export function openDatabase(path: string): SqliteDatabase {
  const { DatabaseSync } = createRequire(import.meta.url)(SQLITE_MODULE) as {
    readonly DatabaseSync: new (path: string) => SqliteDatabase;
  };
  return new DatabaseSync(path);
}

/** Compiles the child module of the executor, since Node 20 cannot run its source, and gives its path. */
export function compileChild(): string {
  const out = join(root, ".dualview", `test-child-${process.pid}`);
  const source = "src/tools/query-mysql/sqlite/child.ts";
  const flags = ["--ignoreConfig", "--module", "nodenext", "--target", "es2023", "--rewriteRelativeImportExtensions"];
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  execFileSync(
    process.execPath,
    [tsc, source, ...flags, "--skipLibCheck", "--types", "node", "--rootDir", "src", "--outDir", out],
    { cwd: root },
  );
  return join(out, "tools/query-mysql/sqlite/child.js");
}

export function removeChild(path: string): void {
  rmSync(resolve(path, "../../../.."), { recursive: true, force: true });
}
