import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, mysqlAddress, type TestDatabase } from "../services/mysql.ts";
import { type RedisServer, startRedis } from "../services/redis-server.ts";
import { openClient } from "../store/redis/fixture.ts";

const root = resolve(import.meta.dirname, "../..");
const run = promisify(execFile);
const TOOLS = "tools: { lookup_knowledge: { collections: { guides: { folder: . } } } }\n";
let folder: string;
let page: string;
let server: RedisServer;
let database: TestDatabase;
let env: NodeJS.ProcessEnv;

const blocks = (language: string): string =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(([, code]) => code).join("\n");

/** Inside the repository, so that the package's own name leads to what was built. */
beforeAll(async () => {
  [folder, page, server, database] = await Promise.all([
    mkdtemp(join(root, ".dualview-production-")),
    readFile(join(root, "docs/production.md"), "utf8"),
    startRedis(),
    createDatabase(),
  ]);
  const { user, password } = await database.account("select, insert, update, delete, create, alter, index");
  const { host, port } = mysqlAddress();
  const url = `mysql://${user}:${password}@${host}:${port}/${database.name}`;
  const admin = await openClient(server.url);
  await admin.sendCommand(blocks("text").trim().split(" "));
  admin.destroy();
  env = { ...process.env, REDIS_URL: server.url.replace("//", "//dualview:secret@"), MYSQL_URL: url };
});
afterAll(async () => {
  await database.drop();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

describe("the page on production", () => {
  it("has a configuration and commands that work as it says", async () => {
    await writeFile(join(folder, "dualview.yaml"), `${blocks("yaml")}\n${TOOLS}`);
    const commands = [...blocks("sh").matchAll(/^npx dualview (.*?) *(?:#.*)?$/gm)].map(([, args = ""]) =>
      args.split(/ +/),
    );
    expect(commands.map(([command]) => command)).toEqual(["doctor", "audit", "audit", "audit"]);
    const main = join(root, "dist/cli/main.js");
    const outputs: string[] = [];
    for (const args of commands) {
      const { stdout } = await run(process.execPath, [main, ...args], { cwd: folder, env }).catch((error) => {
        throw new Error(error.stdout + error.stderr);
      });
      outputs.push(stdout);
    }
    expect(outputs.every((output) => output !== "")).toBe(true);
  });

  it("has code that runs as it says", async () => {
    const script = join(folder, "production.mjs");
    const code = blocks("ts").replace(" as { lines: string[] }", "");
    await writeFile(script, `${code}\nconsole.log(JSON.stringify([observation.outcome, audited.length]));\n`);
    const { stdout } = await run(process.execPath, [script], { cwd: folder, env });
    expect(JSON.parse(stdout)).toEqual(["OK", 1]);
  });

  it("has code whose types hold", async () => {
    await writeFile(join(folder, "production.ts"), blocks("ts"));
    const options = {
      extends: join(root, "tsconfig.json"),
      include: ["production.ts"],
      compilerOptions: { noUnusedLocals: false },
    };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(options));
    await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder]).catch((error) => {
      throw new Error(error.stdout);
    });
  });
});
