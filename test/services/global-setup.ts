import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { ensurePrograms, findOrFetchValkey, MYSQL_PROGRAM, REDIS_PROGRAM, type ServiceProgram } from "./binaries.ts";
import type { MysqlAddress, MysqlServer } from "./mysql-server.ts";
import { startMysql } from "./mysql-server.ts";

const MYSQL_HELPER = join(import.meta.dirname, "mysql.ts");
const REDIS_HELPER = join(import.meta.dirname, "redis-server.ts");
const VALKEY_HELPER = join(import.meta.dirname, "valkey.ts");
const SERVER_HELPERS: Readonly<Record<string, ServiceProgram>> = {
  [MYSQL_HELPER]: MYSQL_PROGRAM,
  [join(import.meta.dirname, "mysql-server.ts")]: MYSQL_PROGRAM,
  [REDIS_HELPER]: REDIS_PROGRAM,
};

let mysql: MysqlServer | undefined;

/** Gives the selected test files the servers they import a helper for, and nothing to a selection that needs none. */
export async function setup(project: TestProject): Promise<void> {
  const needed = filesReachedFrom(project.vitest.state.getPaths());
  if (needed.has(REDIS_HELPER)) refuseRedisUrl();
  const programs = new Set(Object.keys(SERVER_HELPERS).flatMap((path) => (needed.has(path) ? programOf(path) : [])));
  await ensurePrograms([...programs].filter(({ url }) => url === null || !process.env[url]));
  project.provide("mysql", needed.has(MYSQL_HELPER) ? await openMysql() : null);
  if (needed.has(VALKEY_HELPER)) project.provide("valkey", await openValkey());
}

export async function teardown(): Promise<void> {
  await mysql?.stop();
}

function programOf(path: string): readonly ServiceProgram[] {
  const program = SERVER_HELPERS[path];
  return program === undefined ? [] : [program];
}

function refuseRedisUrl(): void {
  if (!process.env["DUALVIEW_TEST_REDIS_URL"]) return;
  throw new Error(
    `DUALVIEW_TEST_REDIS_URL is not taken: these tests empty, freeze and kill their Redis. Name a program with ${REDIS_PROGRAM.override} instead.`,
  );
}

/** Tests on Valkey are no condition for the others, but a run without them says so. */
async function openValkey(): Promise<string | null> {
  const found = await findOrFetchValkey();
  if ("path" in found) return found.path;
  process.stderr.write(`tests: nothing runs on Valkey, for VALKEY_SERVER_BIN names none and ${found.lack}\n`);
  return null;
}

async function openMysql(): Promise<MysqlAddress> {
  const url = process.env[MYSQL_PROGRAM.url ?? ""];
  if (url) return addressOf(new URL(url));
  mysql = await startMysql();
  const { host, port, user, password } = mysql;
  return { host, port, user, password };
}

function addressOf({ hostname, port, username, password }: URL): MysqlAddress {
  return {
    host: hostname,
    port: port === "" ? 3306 : Number(port),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
}

/** Test files and all that they import from each other's folders, by reading their imports. */
function filesReachedFrom(paths: readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [...paths];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path) || !existsSync(path)) continue;
    reached.add(path);
    for (const [, target = ""] of readFileSync(path, "utf8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)) {
      const file = resolve(dirname(path), target);
      if (!file.includes("/src/")) open.push(file);
    }
  }
  return reached;
}
