import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { createConnection } from "mysql2/promise";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MysqlServer, startMysql } from "../services/mysql-server.ts";

const root = resolve(import.meta.dirname, "../..");
const main = join(root, "dist/cli/main.js");
const run = promisify(execFile);
let folder: string;
let page: string;
let server: MysqlServer;
let env: NodeJS.ProcessEnv;

const blocks = (language: string): string =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(([, code]) => code).join("\n");

/** A server of its own, since the page names its schema and its account. Inside the repository, for the package's own name. */
beforeAll(async () => {
  [folder, page, server] = await Promise.all([
    mkdtemp(join(root, ".dualview-sql-")),
    readFile(join(root, "docs/sql.md"), "utf8"),
    startMysql(),
  ]);
  const admin = await createConnection({
    host: server.host,
    port: server.port,
    user: server.user,
    password: server.password,
  });
  for (const statement of [
    "create database shop character set utf8mb4",
    "create table shop.orders (id int, state varchar(20), total decimal(10,2), created_at datetime)",
    "create table shop.customers (id int, city varchar(20), email varchar(40), password_hash varchar(40))",
    "insert into shop.orders values (1, 'PAYMENT_PENDING', 9.5, now()), (2, 'PAID', 3, now())",
    "create user 'dualview'@'%' identified by 'secret'",
    ...blocks("sql").trim().split("\n"),
  ]) {
    await admin.query(statement);
  }
  await admin.end();
  await writeFile(join(folder, "policy.yaml"), blocks("yaml policy"));
  await writeFile(join(folder, "dualview.yaml"), blocks("yaml config"));
  env = { ...process.env, SHOP_URL: `mysql://dualview:secret@${server.host}:${server.port}/shop` };
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

describe("the page on query_mysql", () => {
  it("has commands and a configuration that work as it says", async () => {
    const commands = blocks("sh").replaceAll("npx dualview", `${process.execPath} ${main}`);
    const outputs: string[] = [];
    for (const command of commands.split("\n").filter((line) => line.trim() !== "")) {
      const { stdout } = await run("/bin/sh", ["-c", command], { cwd: folder, env }).catch((error) => {
        throw new Error(error.stdout + error.stderr);
      });
      outputs.push(stdout);
    }
    expect(outputs).toHaveLength(3);
    expect(outputs[0]).toBe(blocks("sql"));
    expect(outputs[1]).toMatch(
      /may read what the policy lists, and nothing else\.[\s\S]*2 tables are as the policy says\./,
    );
    expect(outputs[2]).toMatch(/^ALLOW/);
  });

  it("has code that runs as it says", async () => {
    const script = join(folder, "sql.mjs");
    await writeFile(
      script,
      `${blocks("ts")}\nconsole.log(JSON.stringify(observation.items.map(({ cells }) => cells)));\n`,
    );
    const { stdout } = await run(process.execPath, [script], { cwd: folder, env });
    expect(JSON.parse(stdout)).toEqual(
      expect.arrayContaining([
        { state: "PAID", n: 1 },
        { state: "PAYMENT_PENDING", n: 1 },
      ]),
    );
  });

  it("has code whose types hold", async () => {
    await writeFile(join(folder, "sql.ts"), blocks("ts"));
    const options = {
      extends: join(root, "tsconfig.json"),
      include: ["sql.ts"],
      compilerOptions: { noUnusedLocals: false },
    };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(options));
    await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder]).catch((error) => {
      throw new Error(error.stdout);
    });
  });
});
