import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, mysqlAddress, type TestDatabase } from "../../services/mysql.ts";
import { type Ended, runCommand } from "../command.ts";

const MAIN = resolve(import.meta.dirname, "../../../dist/cli/main.js");
const SECRET = "hunter2-of-the-account";
let folder: string;
let database: TestDatabase;
let reader: { readonly user: string; readonly password: string };

const configure = async (user: string, more = ""): Promise<void> => {
  const { host, port } = mysqlAddress();
  const place = `host: ${host}, port: ${port}, user: ${user}, password: { env: DV_DEPOT }`;
  await writeFile(
    join(folder, "dualview.yaml"),
    `tools: { query_mysql: { datasources: { depot: { driver: mysql, policy: policy.yaml, ${place}${more} } } } }\n`,
  );
};
const perform = async (args: readonly string[], input = "", password = reader.password): Promise<Ended> => {
  const ended = await runCommand(folder, args, { DV_DEPOT: password }, input);
  expect(ended.stdout + ended.stderr).not.toContain(password);
  return ended;
};
const doctor = async (password = reader.password) => {
  const { code, stdout } = await perform(["doctor", "--json"], "", password);
  const { findings } = JSON.parse(stdout) as { findings: readonly { check: string; severity: string; what: string }[] };
  const own = findings.filter(({ check }) => check.startsWith("tools."));
  return {
    code,
    told: own.map(({ check, severity, what }) => `${check.split(".").slice(3).join(".")} ${severity} ${what}`),
  };
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dualview-depot-"));
  database = await createDatabase();
  await database.query("create table parcels (id int, state varchar(20), note varchar(20)) character set utf8mb4");
  await database.query("insert into parcels values (1, 'open', 'x'), (2, 'sent', 'y')");
  const policy = {
    datasource: "depot",
    defaultSchema: database.name,
    tables: { [`${database.name}.parcels`]: ["id", "state"] },
  };
  await writeFile(join(folder, "policy.yaml"), JSON.stringify(policy));
  reader = await database.account("usage");
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

describe("a datasource on a server, from the command line", () => {
  it("gets its account from the grants that are printed", async () => {
    const { code, stdout } = await perform([
      "sql",
      "grants",
      "--policy",
      "policy.yaml",
      "--account",
      `'${reader.user}'@'%'`,
    ]);
    expect([code, stdout]).toEqual([
      0,
      `GRANT SELECT (\`id\`, \`state\`) ON \`${database.name}\`.\`parcels\` TO '${reader.user}'@'%';\n`,
    ]);
    for (const statement of stdout.trim().split("\n")) await database.query(statement);
    const wrong = await perform(["sql", "grants", "--policy", "policy.yaml", "--account", "a'b"]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("--account: Write the account as")]);
    expect((await perform(["sql", "grants"])).code).toBe(2);
  });

  it("is checked by doctor", async () => {
    await configure(reader.user);
    expect(await doctor()).toEqual({
      code: 0,
      told: [
        expect.stringMatching(/^depot ok (?:MariaDB|MySQL) \d+\.[\d.]+ answers\.$/),
        "depot.account ok The account may read what the policy lists, and nothing else.",
        "depot.policy ok 1 table is as the policy says.",
      ],
    });
    const wide = await database.account("select");
    await configure(wide.user);
    expect(await doctor(wide.password)).toMatchObject({
      code: 0,
      told: [/.*/, /^depot\.account warning/, /.*/].map((one) => expect.stringMatching(one)),
    });
    const writer = await database.account("select, delete");
    await configure(writer.user);
    expect(await doctor(writer.password)).toMatchObject({
      code: 1,
      told: [/.*/, /^depot\.account error .*DELETE on/, /.*/].map((one) => expect.stringMatching(one)),
    });
    await configure(reader.user);
    expect(await doctor(SECRET)).toMatchObject({
      code: 1,
      told: [expect.stringMatching(/^depot error SOURCE_UNREADABLE: .*1045/)],
    });
    await configure(reader.user, ", tls: { ca: none.pem }");
    expect(await doctor()).toMatchObject({
      code: 1,
      told: [expect.stringMatching(/^depot error CONFIG_UNREADABLE: .*none\.pem does not exist/)],
    });
  });

  it("serves nothing to an account that may write", async () => {
    const writer = await database.account("select, delete");
    await configure(writer.user);
    const { code, stderr } = await perform(["serve"], "", writer.password);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/CONFIG_INVALID.*DELETE on .*\nGRANT SELECT \(/s)]);
  });

  it("lets statements be tried on the columns that are there", async () => {
    await configure(reader.user);
    const allowed = await perform(["try", "sql", "--config", "dualview.yaml"], "SELECT * FROM parcels");
    expect([allowed.code, allowed.stdout]).toEqual([0, expect.stringContaining(`\`${database.name}\`.\`parcels\``)]);
    expect((await perform(["try", "sql", "--config", "dualview.yaml"], "SELECT note FROM parcels")).code).toBe(1);
    const both = await perform(["try", "sql", "--config", "dualview.yaml", "--policy", "policy.yaml"], "SELECT 1");
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("give one of --policy and --config")]);
  });

  it("is served over MCP", async () => {
    await configure(reader.user);
    const client = new Client({ name: "test", version: "1" });
    const env = { ...process.env, DV_DEPOT: reader.password } as Record<string, string>;
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [MAIN, "serve"],
        cwd: folder,
        env,
        stderr: "ignore",
      }),
    );
    const call = async (sql: string) => {
      const { structuredContent } = await client.callTool({ name: "query_mysql", arguments: { sql } });
      return structuredContent;
    };
    expect(await call("SELECT id FROM parcels WHERE state = 'sent'")).toMatchObject({
      outcome: "OK",
      evidence_status: "EVIDENCE_FOUND",
    });
    expect(await call("SELECT id FROM parcels WHERE state = 'lost'")).toMatchObject({
      outcome: "OK",
      evidence_status: "NO_EVIDENCE",
    });
    expect(await call("SELECT note FROM parcels")).toMatchObject({ outcome: "REFUSED", code: "SQL_COLUMN" });
    expect(await call("SELECT (SELECT id FROM parcels) AS n")).toMatchObject({
      outcome: "ERROR",
      code: "QUERY_SUBQUERY",
    });
    await client.close();
  });
});
