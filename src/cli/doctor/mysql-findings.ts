import { assessSkew, type ClockSkew } from "./clock.ts";
import { type Finding, failure, note, ok, warning } from "./finding.ts";

/** A right on a table of the audit. */
export interface Right {
  readonly right: "INSERT" | "UPDATE" | "DELETE";
  readonly table: string;
}

/** What was learned of a MySQL or MariaDB server and of the audit's account there. */
export interface MysqlFacts {
  readonly version: string;
  readonly sqlMode: string;
  readonly readOnly: boolean;
  /** How far the session's time zone is from UTC. */
  readonly zoneSeconds: number;
  readonly clock: ClockSkew;
  /** Rights that the account lacks on tables that are there. */
  readonly lacking: readonly Right[];
  /** Whether it has rights on more than databases of its own. */
  readonly serverWide: boolean;
}

/** Judges what was learned. Pure: the same facts give the same findings. */
export function assessMysql(facts: MysqlFacts): readonly Finding[] {
  return [
    ok("audit.connection", "The audit database answers."),
    version(facts.version),
    ...(facts.readOnly ? [READ_ONLY] : []),
    ...(/\bNO_BACKSLASH_ESCAPES\b/i.test(facts.sqlMode) ? [BACKSLASHES] : []),
    ...rights(facts),
    assessSkew("audit.clock", "the audit database", facts.clock),
    zone(facts.zoneSeconds),
  ];
}

const READ_ONLY = failure("audit.writable", {
  what: "The server is read-only.",
  why: "No row can be written; they wait in the store's outbox until it is full.",
  fix: "Name the primary in 'audit'.",
});

const BACKSLASHES = failure("audit.mode", {
  what: "The sessions' sql_mode has NO_BACKSLASH_ESCAPES.",
  why: "The driver writes values with backslashes; such a server would store other text.",
  fix: "Take it out of the server's sql_mode, or out of the account's.",
});

/** MariaDB puts 5.5.5- in front of its version for old replicas. */
function version(text: string): Finding {
  const maria = /mariadb/i.test(text);
  const [, shown = "", major = "", minor = ""] = /((\d+)\.(\d+)[\d.]*)/.exec(text.replace(/^5\.5\.5-/, "")) ?? [];
  const number = Number(major) * 1_000 + Number(minor);
  const server = `${maria ? "MariaDB" : "MySQL"} ${shown}`;
  if (number >= (maria ? 10_006 : 8_000)) return ok("audit.version", `${server}.`);
  return warning("audit.version", {
    what: `The server is ${server}.`,
    why: "The tests run on MariaDB 10.11 and MySQL 9; a version as old as this was never tried.",
    fix: "Bring the server up to date.",
  });
}

function rights({ lacking, serverWide }: MysqlFacts): readonly Finding[] {
  const check = "audit.rights";
  const needed = lacking.filter(({ right }) => right !== "DELETE");
  const findings: Finding[] = [];
  if (needed.length > 0) {
    const list = needed.map(({ right, table }) => `${right} on ${table}`).join(", ");
    findings.push(
      failure(check, {
        what: `The account lacks ${list}.`,
        why: "Rows could not be written; they wait in the store's outbox until it is full.",
        fix: "GRANT SELECT, INSERT, UPDATE on the audit's database to the account.",
      }),
    );
  }
  if (lacking.some(({ right }) => right === "DELETE")) {
    findings.push(
      note(check, {
        what: "The account may not delete rows.",
        why: "That is as it should be for a process that serves; `dualview audit prune` needs it.",
        fix: "Prune with another account, which has DELETE on the audit's database.",
      }),
    );
  }
  if (serverWide) {
    findings.push(
      warning(check, {
        what: "The account has rights on the whole server.",
        why: "A process that only writes audit rows could read and change everything else.",
        fix: "Give it an account of its own with SELECT, INSERT and UPDATE on the audit's database alone.",
      }),
    );
  }
  return findings.length > 0 ? findings : [ok(check, "The account has what it needs.")];
}

function zone(seconds: number): Finding {
  const check = "audit.zone";
  if (seconds === 0) return ok(check, "The sessions' time zone is UTC, as the rows' times are.");
  const hours = Math.round((seconds / 3_600) * 100) / 100;
  return note(check, {
    what: `The sessions' time zone is ${hours > 0 ? "+" : ""}${hours} h from UTC.`,
    why: "created_at is always UTC, so that a query that compares it with NOW() is wrong by that much.",
    fix: "Compare created_at with UTC_TIMESTAMP().",
  });
}
