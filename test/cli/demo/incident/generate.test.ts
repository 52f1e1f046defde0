import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { generateIncident, type Incident } from "../../../../src/cli/demo/incident/generate.ts";
import { plantedSecrets, SECRETS } from "../../../../src/cli/demo/incident/secrets.ts";
import {
  ABANDONED_ORDERS,
  DEPLOYMENTS,
  OUTAGE,
  POOL,
  REFUSED_CHECKOUTS,
  STUCK_ORDERS,
} from "../../../../src/cli/demo/incident/story.ts";
import { loadSqlite } from "../../../../src/sqlite/sqlite.ts";

let folder: string;
let incident: Incident;
let tookMs: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dualview-incident-"));
  const started = performance.now();
  incident = await generateIncident(join(folder, "first"));
  tookMs = performance.now() - started;
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

describe("generateIncident", () => {
  it("writes the same bytes every time", async () => {
    const second = await generateIncident(join(folder, "second"));
    const hashes = await hashesOf(incident.folder);
    expect(hashes.size).toBe(16);
    expect(await hashesOf(second.folder)).toEqual(hashes);
  });

  it("writes at least 20,000 log lines over five services, well within five seconds", async () => {
    let lines = 0;
    for (const file of Object.values(incident.logs)) lines += (await linesOf(file)).length;
    expect(lines).toBe(incident.logLines);
    expect(lines).toBeGreaterThan(20_000);
    expect(Object.keys(incident.logs)).toHaveLength(5);
    expect(tookMs).toBeLessThan(5_000);
  });

  it("plants each secret where it says, and no word of a secret in the assets of the package", async () => {
    const everything = await readAll(incident.folder);
    for (const { place, kind, value } of plantedSecrets()) {
      const held = [...everything].filter(([file]) => placeOf(file) === place).map(([, text]) => text);
      expect(
        held.some((text) => text.includes(value)),
        `${kind} in ${place}`,
      ).toBe(true);
    }
    const assets = await readAll(join(import.meta.dirname, "../../../../examples/incident"));
    for (const { value } of plantedSecrets()) {
      for (const text of assets.values()) expect(text).not.toContain(value);
    }
  });

  it("plants more than ten kinds of secrets, all different", () => {
    const secrets = plantedSecrets();
    expect(new Set(secrets.filter(({ role }) => role === "secret").map(({ kind }) => kind)).size).toBeGreaterThan(10);
    expect(new Set(secrets.map(({ value }) => value)).size).toBe(secrets.length);
  });

  it("gives the identity card a valid check digit", () => {
    const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2, 1];
    const sum = [...SECRETS.identityCard].reduce(
      (total, digit, i) => total + (weights[i] ?? 0) * (digit === "X" ? 10 : Number(digit)),
      0,
    );
    expect(SECRETS.identityCard).toHaveLength(18);
    expect(sum % 11).toBe(1);
  });

  it("keeps every log in order of time", async () => {
    const times: Readonly<Record<string, RegExp>> = {
      checkout: /^(\d{4}-\d\d-\d\dT[\d:.]+Z) /,
      payments: /^\{"timestamp":"([^"]+)"/,
      "order-worker": /^ts=(\S+) /,
      inventory: /^\{"timestamp":"([^"]+)"/,
    };
    for (const [source, pattern] of Object.entries(times)) {
      const file = incident.logs[source as keyof Incident["logs"]];
      const seen = (await linesOf(file)).flatMap((line) => pattern.exec(line)?.[1] ?? []);
      expect(seen.length).toBeGreaterThan(1_000);
      expect(seen).toEqual([...seen].sort());
    }
    for (const source of ["payments", "inventory"] as const) {
      for (const line of await linesOf(incident.logs[source])) expect(() => JSON.parse(line)).not.toThrow();
    }
  });
});

describe("the incident", () => {
  it("shows in checkout's log what failed and when it began", async () => {
    const errors = (await linesOf(incident.logs.checkout)).filter((line) => / ERROR /.test(line));
    const first = Date.parse(errors[0]?.split(" ")[0] ?? "");
    expect(first).toBeGreaterThan(OUTAGE.from);
    expect(first).toBeLessThan(OUTAGE.from + 60_000);
    expect(errors.filter((line) => line.includes("status=503"))).toHaveLength(REFUSED_CHECKOUTS);
    const text = await readFile(incident.logs.checkout, "utf8");
    expect(text).toContain(`(total=${POOL.after}, active=${POOL.after}, idle=0, waiting=`);
    const edge = (await linesOf(incident.logs.edge)).filter((line) =>
      /"POST \/api\/checkout HTTP\/1.1" 503 /.test(line),
    );
    expect(edge).toHaveLength(REFUSED_CHECKOUTS);
  });

  it("shows in the database what changed and how many orders are stuck", async () => {
    const rows = await query(
      `select d.version, d.db_pool_max as pool from deployments d where d.id in (${DEPLOYMENTS.lastGood}, ${DEPLOYMENTS.cause})
       order by d.id`,
    );
    expect(rows).toMatchObject([
      { version: "4.17.3", pool: POOL.before },
      { version: "4.18.0", pool: POOL.after },
    ]);
    const pending = await query(
      `select p.state, count(*) as n from orders o join payments p on p.order_id = o.id
       where o.status = 'PAYMENT_PENDING' group by p.state order by p.state`,
    );
    expect(pending).toMatchObject([
      { state: "AUTHORIZED", n: ABANDONED_ORDERS },
      { state: "CAPTURED", n: STUCK_ORDERS },
    ]);
  });

  it("tells of each stuck order the same in payments' log and in the database", async () => {
    const parked = (await linesOf(incident.logs.payments))
      .filter((line) => line.includes('"callback parked"'))
      .map((line) => JSON.parse(line) as { order_id: number; attempts: number });
    const stuck = await query(
      `select o.id as order_id, p.callback_attempts as attempts from orders o join payments p on p.order_id = o.id
       where o.status = 'PAYMENT_PENDING' and p.state = 'CAPTURED' order by o.id`,
    );
    const byOrder = parked
      .map(({ order_id, attempts }) => ({ order_id, attempts }))
      .sort((a, b) => a.order_id - b.order_id);
    expect(stuck.map((row) => ({ ...(row as object) }))).toEqual(byOrder);
  });

  it("has eight runbooks with the front matter that a search relies on", async () => {
    const names = await readdir(incident.runbooks);
    expect(names).toHaveLength(8);
    const ids = new Set<string>();
    for (const name of names) {
      const text = await readFile(join(incident.runbooks, name), "utf8");
      expect(text).not.toContain("{{");
      const matter = parse(text.split("---\n")[1] ?? "") as Record<string, unknown>;
      ids.add(String(matter["id"]));
      for (const list of ["aliases", "symptoms", "services"]) expect(matter[list]).toBeInstanceOf(Array);
    }
    expect(ids.size).toBe(8);
  });

  it("has a policy that names only what the database has, and hides what it must", async () => {
    const policy = parse(await readFile(incident.policy, "utf8")) as {
      readonly tables: Readonly<Record<string, readonly string[]>>;
      readonly sensitiveColumns: Readonly<Record<string, readonly string[]>>;
      readonly hiddenColumns: Readonly<Record<string, readonly string[]>>;
    };
    for (const [table, columns] of Object.entries(policy.tables)) {
      const info = await query(`select name from pragma_table_info('${table.split(".")[1]}')`);
      const real = info.map((row) => (row as { name: string }).name);
      const named = [...columns, ...(policy.hiddenColumns[table] ?? [])];
      expect([...named].sort(), table).toEqual([...real].sort());
      for (const column of policy.sensitiveColumns[table] ?? []) expect(columns).toContain(column);
    }
  });
});

async function query(sql: string): Promise<unknown[]> {
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(incident.database, { readOnly: true });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

async function linesOf(file: string): Promise<string[]> {
  return (await readFile(file, "utf8")).split("\n").slice(0, -1);
}

/** Every file below a folder by its path, as latin1 text so that a database can be searched too. */
async function readAll(root: string): Promise<Map<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = new Map<string, string>();
  for (const file of files) {
    texts.set(file.slice(root.length), await readFile(file, file.endsWith(".db") ? "latin1" : "utf8"));
  }
  return texts;
}

async function hashesOf(root: string): Promise<Map<string, string>> {
  const texts = await readAll(root);
  return new Map(
    [...texts].map(([file, text]) => [file, createHash("sha256").update(text).digest("hex")] as const).sort(),
  );
}

function placeOf(file: string): string {
  if (file.startsWith("/runbooks")) return "runbooks";
  const places: Readonly<Record<string, string>> = {
    "edge-access.log": "edge",
    "checkout.log": "checkout",
    "payments.ndjson": "payments",
    "order-worker.log": "order-worker",
    "shop.db": "database",
  };
  return places[basename(file)] ?? "none";
}
