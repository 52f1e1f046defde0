import { hash } from "node:crypto";

const OWN_ID = /^[A-Za-z0-9._:-]{1,64}$/;
const HASHED_ID = /^sha256:[0-9a-f]{64}$/;
const CALL_ID = /^[!-~]{1,8192}$/;

/** Ids that this product or its host mints: runs, sessions, principals, tools. Safe in keys, columns and log lines. */
export function isOwnId(value: unknown): value is string {
  return typeof value === "string" && OWN_ID.test(value);
}

/** Ids that a framework mints for a tool call: opaque, up to several KB, visible ASCII. */
export function isCallId(value: unknown): value is string {
  return typeof value === "string" && CALL_ID.test(value);
}

/** The key of a call inside its run. A call id in its shown, hashed form is already that key. */
export function callKey(toolCallId: string): string {
  if (HASHED_ID.test(toolCallId)) return toolCallId.slice("sha256:".length);
  return hash("sha256", toolCallId, "hex");
}

/** A call id as it is shown, cited and audited: itself when short and plain, else its hash. Showing it twice changes nothing. */
export function shownCallId(toolCallId: string): string {
  return OWN_ID.test(toolCallId) || HASHED_ID.test(toolCallId) ? toolCallId : `sha256:${callKey(toolCallId)}`;
}
