import { BoundaryError } from "../../model/errors.ts";

/** What an operator can do about each error that a server answers with. The server's own text is never passed on. */
const REMEDIES: Readonly<Record<string, string>> = {
  ASK: "The server is part of a cluster: connect with a cluster client.",
  BUSY: "A script of somebody else's blocks the server: see SCRIPT KILL.",
  CLUSTERDOWN: "The cluster does not serve all its slots at the moment.",
  CROSSSLOT: "A key prefix or proxy tears apart keys that share a hash tag: remove it.",
  LOADING: "The server is still reading its data from disk; it answers by itself when it is done.",
  MASTERDOWN: "The server is a replica that has lost its primary: connect to a primary.",
  MISCONF: "The server cannot save to disk and refuses writes: see its log.",
  MOVED: "The server is part of a cluster: connect with a cluster client.",
  NOAUTH: "The server wants a password: give one in the connection's settings.",
  NOPERM:
    "The account may not do this: allow EVAL, EVALSHA, INFO, TIME, EXISTS, GET, SET, DEL, PEXPIRE and PTTL, and the commands of hashes, streams and sorted sets, on keys dv:* and {dv:*.",
  NOREPLICAS: "The server has too few replicas in good order and refuses writes.",
  READONLY: "The server is a replica: connect to its primary.",
  TRYAGAIN: "The cluster is moving the keys of this partition; it answers again when it is done.",
  UNBLOCKED: "The server gave up its role while it worked: it answers again after the failover.",
  WRONGPASS: "The server refuses the user name or password of the connection's settings.",
  WRONGTYPE: "A key of the store is of another type: somebody else writes to dv:* or {dv:*.",
};

/** The word that a server's error begins with; null for an error of the client or the connection. */
export function errorWord(error: unknown): string | null {
  const message = error instanceof Error ? error.message : "";
  const [, word = null] = /^([A-Z]{2,20})(?: |$)/.exec(message) ?? [];
  return word;
}

/** The failure as the boundary knows it. Only STORE_FULL says for certain that nothing was written. */
export function failureOf(error: unknown): BoundaryError {
  if (BoundaryError.is(error)) return error;
  const word = errorWord(error);
  if (word === "OOM") return new BoundaryError("STORE_FULL", undefined, "Redis has reached its maxmemory.");
  if (word === "ERR") return storeError("Redis refused the script: see the versions it works with.");
  const remedy = word === null ? undefined : REMEDIES[word];
  if (remedy === undefined) return storeError("Redis is not connected, or the connection broke.");
  return storeError(`Redis answered ${word}. ${remedy}`);
}

export function storeError(detail: string): BoundaryError {
  return new BoundaryError("STORE_ERROR", undefined, detail);
}

/** For what is stored in a form that this version does not know. */
export function writtenByNewer(): BoundaryError {
  return storeError("A newer version of dualview wrote this run: bring this process up to date.");
}

export function damaged(what: string): BoundaryError {
  return storeError(`The stored ${what} is damaged: it is not what dualview wrote.`);
}
