import { Worker } from "node:worker_threads";
import { openReadOnly, type SqliteDatabase } from "./database.ts";
import { registerFunctions } from "./functions.ts";
import type { RunReply, RunRequest } from "./protocol.ts";
import { readRows } from "./read-rows.ts";

/** SQLite blocks its thread, so an end of the parent would go unseen: a second thread looks for it and ends the process. */
const WATCHDOG = `
  const { parentPort, workerData } = require("node:worker_threads");
  setInterval(() => { if (process.ppid !== workerData) process.kill(process.pid, "SIGKILL"); }, 500);
  parentPort.postMessage("watching");
`;

function answer(reply: RunReply): void {
  process.send?.(reply);
}

function open(): SqliteDatabase | null {
  try {
    const database = openReadOnly(process.argv[2] ?? "");
    registerFunctions(database);
    return database;
  } catch {
    return null;
  }
}

function main(): void {
  const parent = process.ppid;
  const database = open();
  if (database === null) {
    answer({ kind: "unopened" });
    return;
  }
  process.on("message", (request: RunRequest) => {
    try {
      answer(readRows(database, request));
    } catch {
      answer({ kind: "failed" });
    }
  });
  process.on("disconnect", () => process.exit(0));
  // a thread cannot start while this one is blocked, so no statement is taken before it watches
  const watchdog = new Worker(WATCHDOG, { eval: true, workerData: parent });
  watchdog.once("message", () => {
    watchdog.unref();
    answer({ kind: "ready" });
  });
}

main();
