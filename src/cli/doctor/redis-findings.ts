import type { OutboxUsage } from "../../store/redis/redis.ts";
import { assessSkew, type ClockSkew } from "./clock.ts";
import { type Finding, failure, note, ok, warning } from "./finding.ts";

/** What was learned of one Redis or Valkey server. */
export interface RedisFacts {
  /** How findings name it; empty where it is the only one. */
  readonly name: string;
  readonly pingMs: number;
  /** The fields of INFO; null where the account may not ask. */
  readonly info: ReadonlyMap<string, string> | null;
  /** The setting of snapshots; null where the account may not ask. */
  readonly save: string | null;
  readonly clock: ClockSkew;
  /** Whether the account may run scripts. */
  readonly scripts: boolean;
}

const OLDEST_VERSION = 7;
const NEARLY_FULL = 0.9;

/** Judges what was learned. Pure: the same facts give the same findings. */
export function assessRedis({ name, pingMs, info, save, scripts, clock }: RedisFacts): readonly Finding[] {
  const judged =
    info === null
      ? [UNKNOWN]
      : [version(info), role(info), eviction(info), memory(info), persistence(info, save)].filter(
          (finding) => finding !== null,
        );
  const findings = [
    ok("store.connection", `Redis answers within ${Math.ceil(pingMs)} ms.`),
    ...judged,
    scripts ? ok("store.rights", "The account may run scripts.") : NO_SCRIPTS,
    assessSkew("store.clock", "Redis", clock),
  ];
  return name === "" ? findings : findings.map((finding) => ({ ...finding, what: `${name}: ${finding.what}` }));
}

const UNKNOWN = note("store.settings", {
  what: "The account may not run INFO, so version, eviction and persistence were not checked.",
  why: "A server that evicts records loses evidence while a run still needs it.",
  fix: "Run this once as an account with '+info +config|get', or check maxmemory-policy by hand.",
});

const NO_SCRIPTS = failure("store.rights", {
  what: "The account may not run scripts.",
  why: "Every step of a call is one script, so that budgets and records change together.",
  fix: "Allow EVAL, EVALSHA, INFO, TIME, EXISTS, GET, SET, DEL, PEXPIRE and PTTL, and the commands of hashes, streams and sorted sets, on dv:* and {dv:*.",
});

/** `standalone`, `cluster` or `sentinel`; Valkey has another name for the field. */
export function modeOf(info: ReadonlyMap<string, string>): string {
  return info.get("redis_mode") ?? info.get("server_mode") ?? "standalone";
}

function version(info: ReadonlyMap<string, string>): Finding {
  const valkey = info.get("valkey_version");
  const shown = valkey === undefined ? `Redis ${info.get("redis_version") ?? "?"}` : `Valkey ${valkey}`;
  const major = Number.parseInt(info.get("redis_version") ?? "", 10);
  if (major >= OLDEST_VERSION) return ok("store.version", `${shown}, ${modeOf(info)}.`);
  return failure("store.version", {
    what: `The server is ${shown}.`,
    why: "The scripts use what Redis has since 7.0; the tests run them on Redis 7.0 and, where there is one, on Valkey.",
    fix: `Use Redis ${OLDEST_VERSION} or later, or Valkey.`,
  });
}

function role(info: ReadonlyMap<string, string>): Finding | null {
  if (info.get("role") !== "slave") return null;
  return failure("store.role", {
    what: "The server is a replica.",
    why: "A replica refuses to write, so that no call can begin.",
    fix: "Name the primary in 'store.url'.",
  });
}

/** Every record has a TTL, so that the policies for keys with one take records no less than those for all keys. */
function eviction(info: ReadonlyMap<string, string>): Finding {
  const policy = info.get("maxmemory_policy") ?? "unknown";
  if (policy === "noeviction") return ok("store.eviction", "maxmemory-policy is noeviction.");
  const limited = info.get("maxmemory") !== "0";
  return (limited ? failure : warning)("store.eviction", {
    what: `maxmemory-policy is ${policy}${limited ? "" : ", without a maxmemory so far"}.`,
    why: "When memory runs out, the server would take records and audit events of runs that still need them.",
    fix: "Set maxmemory-policy to noeviction: then a full server refuses new calls with STORE_FULL and loses nothing.",
  });
}

function memory(info: ReadonlyMap<string, string>): Finding | null {
  const limit = Number(info.get("maxmemory") ?? 0);
  const used = Number(info.get("used_memory") ?? 0);
  if (limit === 0 || used < limit * NEARLY_FULL) return null;
  return warning("store.memory", {
    what: `The server uses ${Math.round((used / limit) * 100)} % of its maxmemory.`,
    why: "A full server refuses new calls with STORE_FULL.",
    fix: "Raise maxmemory, shorten limits.recordTtlMs, or see what else is kept there.",
  });
}

function persistence(info: ReadonlyMap<string, string>, save: string | null): Finding {
  const check = "store.persistence";
  const failing = [
    info.get("rdb_last_bgsave_status") === "err" ? "its last snapshot" : "",
    info.get("aof_last_write_status") === "err" ? "its last write to the append-only file" : "",
  ].filter((text) => text !== "");
  if (failing.length > 0) {
    return failure(check, {
      what: `The server failed at ${failing.join(" and ")}.`,
      why: "It then refuses to write, so that no call can begin, and a restart loses what was not saved.",
      fix: "See the server's log: usually its disk is full or not writable.",
    });
  }
  if (info.get("aof_enabled") === "1") return ok(check, "The server keeps an append-only file.");
  const snapshots = save !== null && save !== "";
  return note(check, {
    what: snapshots ? "The server keeps snapshots alone." : "The server keeps nothing on disk, as far as can be seen.",
    why: "A restart ends open runs and loses audit events that were not written yet. That is detected, counted and reported.",
    fix: "Set 'appendonly yes' where audit events must survive a restart of Redis.",
  });
}

/** Judges the number of partitions; `stored` is null while nothing was stored yet. */
export function assessPartitions(stored: number | null, configured: number): Finding {
  const check = "store.partitions";
  if (stored === null) return ok(check, `Nothing is stored yet; the first process will fix ${configured} partitions.`);
  if (stored === configured) return ok(check, `${stored} partitions, as configured.`);
  return failure(check, {
    what: `The store has ${stored} partitions, and ${configured} are configured.`,
    why: "A run would be looked for in another partition than it is in, so no process starts like this.",
    fix: `Set 'store.partitions: ${stored}', or use another Redis database.`,
  });
}

/** Judges how full the audit outbox is. */
export function assessOutbox({ waiting, fullest, limit, dropped, lost }: OutboxUsage): Finding {
  const check = "store.outbox";
  if (dropped + lost > 0) {
    return warning(check, {
      what: `${dropped} audit events were dropped at the outbox's limit, and ${lost} were lost with data of Redis, so far.`,
      why: "The audit has no rows of these calls.",
      fix: "Keep the audit database reachable and a drainer running; see 'store.persistence' for what Redis loses.",
    });
  }
  if (fullest < limit / 2) return ok(check, `${waiting} audit events are waiting to be written.`);
  return warning(check, {
    what: `${waiting} audit events are waiting; the fullest partition holds ${fullest} of at most ${limit}.`,
    why: "Beyond the limit the oldest events are dropped.",
    fix: "Make the audit database reachable, and start a process that serves with this configuration.",
  });
}
