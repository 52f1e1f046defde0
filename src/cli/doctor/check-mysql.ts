import type { Pool } from "mysql2";
import { inspectMysqlAudit } from "../../audit/mysql/mysql-audit.ts";
import { describeAuditError } from "../../audit/mysql/mysql-error.ts";
import type { MysqlAuditConfig } from "../../config/audit-config.ts";
import { BoundaryError } from "../../model/errors.ts";
import { withinDeadline } from "../deadline.ts";
import { openMysqlPool } from "../mysql-pool.ts";
import { measureSkew } from "./clock.ts";
import { type Finding, failureOfOpening } from "./finding.ts";
import { assessInspection } from "./inspection-findings.ts";
import { assessMysql, type MysqlFacts, type Right } from "./mysql-findings.ts";

const TIMEOUT_MS = 15_000;

/** Checks the audit in MySQL or MariaDB. Only reads: what the account may write is asked with EXPLAIN. */
export async function checkMysql(config: MysqlAuditConfig, folder: string, why: string): Promise<readonly Finding[]> {
  let pool: Pool | undefined;
  try {
    pool = await openMysqlPool(config, { field: "audit", folder });
    return await withinDeadline(inspect(pool), TIMEOUT_MS, tooLate);
  } catch (error) {
    return [failureOfOpening("audit.connection", asUnavailable(error), why)];
  } finally {
    await pool?.promise().end();
  }
}

async function inspect(pool: Pool): Promise<readonly Finding[]> {
  const facts = await readServer(pool);
  const inspection = await inspectMysqlAudit({ pool });
  const complete = inspection.missing.length === 0 && inspection.pending.length === 0 && inspection.faults.length === 0;
  const lacking = complete ? await lackingRights(pool, inspection.foreign) : [];
  return [...assessMysql({ ...facts, lacking }), ...assessInspection(inspection)];
}

type Row = Readonly<Record<string, unknown>>;

async function rowsOf(pool: Pool, statement: string): Promise<readonly Row[]> {
  const [rows] = await pool.promise().query(statement);
  return Array.isArray(rows) ? (rows as Row[]) : [];
}

async function readServer(pool: Pool): Promise<Omit<MysqlFacts, "lacking">> {
  const clock = await measureSkew(async () => {
    const [row] = await rowsOf(pool, "select unix_timestamp(now(6)) * 1000 as ms");
    return Number(row?.["ms"]);
  });
  const [row = {}] = await rowsOf(
    pool,
    `select version() as version, @@session.sql_mode as mode, @@global.read_only as readOnly,
       timestampdiff(second, utc_timestamp(), now()) as zoneSeconds`,
  );
  const grants = (await rowsOf(pool, "show grants")).flatMap((grant) => Object.values(grant).map(String));
  return {
    version: String(row["version"]),
    sqlMode: String(row["mode"]),
    readOnly: Number(row["readOnly"]) === 1,
    zoneSeconds: Number(row["zoneSeconds"]),
    serverWide: grants.filter((grant) => / ON \*\.\* /i.test(grant) && !/^GRANT USAGE ON/i.test(grant)).length > 0,
    clock,
  };
}

/** Statements that change nothing and that only an account with the right may have explained. */
const EXPLAINED: readonly (Right & { readonly statement: string })[] = [
  { right: "INSERT", table: "tool_invocation", statement: "insert into tool_invocation (session_id) values ('')" },
  { right: "DELETE", table: "tool_invocation", statement: "delete from tool_invocation where id = 0" },
  { right: "INSERT", table: "audit_position", statement: "insert into audit_position (epoch) values ('')" },
  { right: "UPDATE", table: "audit_position", statement: "update audit_position set epoch = '' where epoch = ''" },
  { right: "INSERT", table: "chat_session", statement: "insert into chat_session (session_id) values ('')" },
  { right: "INSERT", table: "diagnosis_run", statement: "insert into diagnosis_run (run_id) values ('')" },
  { right: "UPDATE", table: "diagnosis_run", statement: "update diagnosis_run set status = '' where run_id = ''" },
  { right: "INSERT", table: "agent_step", statement: "insert into agent_step (run_id) values ('')" },
];
const TABLE_ACCESS_DENIED = 1142;
const COLUMN_ACCESS_DENIED = 1143;

async function lackingRights(pool: Pool, foreign: readonly string[]): Promise<readonly Right[]> {
  const lacking: Right[] = [];
  for (const { right, table, statement } of EXPLAINED.filter(({ table: name }) => !foreign.includes(name))) {
    try {
      await pool.promise().query(`explain ${statement}`);
    } catch (error) {
      const { errno } = error as { readonly errno?: unknown };
      if (errno !== TABLE_ACCESS_DENIED && errno !== COLUMN_ACCESS_DENIED) throw error;
      lacking.push({ right, table });
    }
  }
  return lacking;
}

function asUnavailable(error: unknown): BoundaryError {
  return BoundaryError.is(error) ? error : new BoundaryError("AUDIT_UNAVAILABLE", "audit", describeAuditError(error));
}

function tooLate(): BoundaryError {
  return new BoundaryError("AUDIT_UNAVAILABLE", "audit", `The database did not answer within ${TIMEOUT_MS} ms.`);
}
