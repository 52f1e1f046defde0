import { NOTHING } from "../../model/budget.ts";
import { isJsonObject, type JsonValue } from "../../model/json.ts";
import type { AliasEntry, RunMemory } from "../../model/memory.ts";
import { EMPTY_MEMORY } from "../../model/memory.ts";
import type { RunContext, RunState, RunStatus } from "../../model/run.ts";
import type { NewRun } from "../store.ts";
import { STORED_VERSION } from "./lua.ts";
import { decodeProgress, encodeProgress } from "./progress-codec.ts";
import { damaged } from "./redis-failure.ts";
import { amountsOf, amountsText, countOf, fieldsOf, jsonOf, textOf } from "./reply.ts";

const STATUSES: readonly string[] = ["ACTIVE", "COMPLETED", "STOPPED", "FAILED", "EXPIRED"] satisfies RunStatus[];
const SECRET = "secret:";
const ALIAS = "alias:";

/** What of a run never changes. */
type Context = RunContext & Pick<RunState, "openedAt" | "expiresAt">;

export function openedState(run: NewRun): RunState {
  const { lifetimeMs, keepMs: _keepMs, limits, ...rest } = run;
  return {
    ...rest,
    status: "ACTIVE",
    stopReason: null,
    expiresAt: run.openedAt + lifetimeMs,
    budget: { limits, used: NOTHING },
    revision: 0,
    memory: EMPTY_MEMORY,
  };
}

/** Fields and values of a new run, in turns. `session` stands apart for the scripts. */
export function encodeRun(run: NewRun): string[] {
  const { runId, sessionId, principal, grants, openedAt, expiresAt } = openedState(run);
  const context: Context = { runId, sessionId, principal, grants, openedAt, expiresAt };
  const fields = {
    v: STORED_VERSION,
    context: JSON.stringify(context),
    session: encodeURIComponent(sessionId),
    salt: run.salt,
    keep: String(run.keepMs),
    limits: amountsText(run.limits),
    used: amountsText(NOTHING),
    revision: "0",
    stamp: run.salt,
    status: "ACTIVE",
    reason: "null",
  };
  return [...Object.entries(fields).flat(), ...encodeProgress(run.progress)];
}

/** Field and value of each entry, in turns; the script numbers the new ones in the order they come in. */
export function encodeMemory({ secrets, aliases }: RunMemory): string[] {
  return [
    ...secrets.flatMap((secret) => [SECRET + JSON.stringify(secret), JSON.stringify(secret)]),
    ...aliases.flatMap((entry) => [ALIAS + JSON.stringify(entry.alias), JSON.stringify(entry)]),
  ];
}

/** A run as a script answered it in full. `status` is the one of the moment; the stored one does not know of time. */
export function decodeRun(
  runId: string,
  status: unknown,
  flat: unknown,
): { readonly run: RunState; readonly stamp: string } {
  const fields = fieldsOf(flat, "run");
  const context = decodeContext(jsonOf(fields.get("context"), "run"));
  if (context.runId !== runId) throw damaged("run");
  const run: RunState = {
    ...context,
    ...decodeStanding(status, fields.get("reason")),
    budget: { limits: amountsOf(fields.get("limits"), "run"), used: amountsOf(fields.get("used"), "run") },
    revision: countOf(fields.get("revision"), "run"),
    progress: decodeProgress(fields),
    salt: textOf(fields.get("salt"), "run"),
    memory: decodeMemory(fields),
  };
  return { run, stamp: textOf(fields.get("stamp"), "run") };
}

/** Status and reason as they stand now. */
export function decodeStanding(status: unknown, reason: unknown): Pick<RunState, "status" | "stopReason"> {
  const word = textOf(status, "run");
  const stopReason = jsonOf(reason, "run");
  if (!STATUSES.includes(word)) throw damaged("run");
  if (stopReason !== null && typeof stopReason !== "string") throw damaged("run");
  return { status: word as RunStatus, stopReason };
}

function decodeContext(value: JsonValue): Context {
  if (!isJsonObject(value)) throw damaged("run");
  const { runId, sessionId, principal, grants, openedAt, expiresAt } = value;
  const sound =
    typeof runId === "string" &&
    typeof sessionId === "string" &&
    (principal === null || typeof principal === "string") &&
    (grants === null || (Array.isArray(grants) && grants.every((name) => typeof name === "string"))) &&
    typeof openedAt === "number" &&
    typeof expiresAt === "number";
  if (!sound) throw damaged("run");
  return { runId, sessionId, principal, grants: grants as readonly string[] | null, openedAt, expiresAt };
}

function decodeMemory(fields: ReadonlyMap<string, unknown>): RunMemory {
  const secrets: [number, string][] = [];
  const aliases: [number, AliasEntry][] = [];
  for (const [field, value] of fields) {
    if (field.startsWith(SECRET)) secrets.push(decodeEntry(value, isText));
    else if (field.startsWith(ALIAS)) aliases.push(decodeEntry(value, isAlias));
  }
  const dropped = fields.has("dropped") ? countOf(fields.get("dropped"), "run") : 0;
  return { secrets: inOrder(secrets), aliases: inOrder(aliases), dropped };
}

/** `<ordinal> <JSON>` */
function decodeEntry<T>(value: unknown, is: (value: JsonValue) => boolean): [number, T] {
  const text = textOf(value, "run");
  const space = text.indexOf(" ");
  const entry = jsonOf(text.slice(space + 1), "run");
  if (space < 1 || !is(entry)) throw damaged("run");
  return [countOf(text.slice(0, space), "run"), entry as T];
}

function isText(value: JsonValue): boolean {
  return typeof value === "string";
}

function isAlias(value: JsonValue): boolean {
  return (
    isJsonObject(value) && [value["alias"], value["kind"], value["value"]].every((part) => typeof part === "string")
  );
}

function inOrder<T>(entries: readonly [number, T][]): readonly T[] {
  return [...entries].sort(([a], [b]) => a - b).map(([, entry]) => entry);
}
