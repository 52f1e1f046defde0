import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { createInterface } from "node:readline";

/**
 * Runs a server as the child of a small shell whose input is a pipe from us. When this process ends, however it ends, the pipe
 * closes; the shell then kills the server and removes its directory. Prints `started PID`, and `leash: ended CODE` after what the
 * server has printed, in the same pipe. The word `keep` ends the server and leaves the directory, for a restart on the same data.
 */
export const LEASH = `
directory=$1; shift; trap '' PIPE; exec 3<&0
"$@" </dev/null >&2 3<&- & server=$!
echo "started $server"
# having read the word, it must live to tell it
(read -r word <&3; trap '' TERM; kill -9 $server 2>/dev/null; [ "$word" = keep ]) & reader=$!
wait $server; echo "leash: ended $?" >&2
kill $reader 2>/dev/null; wait $reader; other=$?
# the server ended first: its directory stays until the owner has seen it
if [ $other -gt 128 ]; then read -r word <&3; [ "$word" = keep ]; other=$?; fi
[ $other -eq 0 ] || rm -rf "$directory"
`;

/** Reads directories from us and removes them when this process ends: also those that no server on a leash owns at that moment. */
export const KEEPER = `
while read -r directory; do set -- "$@" "$directory"; done
# a server that is making its data may write for a moment yet
for try in 1 2 3 4 5; do rm -rf "$@" 2>/dev/null; sleep 0.5; done
`;

const LOG_BYTES = 20_000;

/** A server on its leash. */
export interface Leashed {
  readonly pid: number;
  /** Whether the server is still running. */
  running(): boolean;
  /** The end of what the server has printed. */
  log(): string;
  /** Ends the server; `remove` removes its directory too. Resolves when both are gone. */
  end(directory: "keep" | "remove"): Promise<void>;
}

/** Starts a server that owns `directory`. Resolves when it has a process id, which says nothing about its being ready. */
export async function startLeashed(directory: string, command: readonly string[]): Promise<Leashed> {
  const leash = spawn("/bin/sh", ["-c", LEASH, "leash", directory, ...command], {
    stdio: ["pipe", "pipe", "pipe"],
    // a group of its own: an interrupt at the terminal must reach the owner alone, or the shell is gone before it has cleaned up
    detached: true,
  });
  leash.stdin.on("error", () => undefined);
  let log = "";
  let running = true;
  leash.stderr.on("data", (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-LOG_BYTES);
    if (log.includes("leash: ended ")) running = false;
  });
  const pid = await new Promise<number>((resolve, reject) => {
    leash.once("error", reject);
    createInterface({ input: leash.stdout }).on("line", (line) => {
      if (line.startsWith("started ")) resolve(Number(line.slice(8)));
    });
  });
  letGo(leash);
  return { pid, running: () => running, log: () => log, end: (after) => endLeash(leash, after) };
}

let keeper: ChildProcess | undefined;

/** A new directory, which outlives this process by no more than a few seconds. */
export function makeDirectory(prefix: string): string {
  const directory = mkdtempSync(prefix);
  keeper ??= startKeeper();
  keeper.stdin?.write(`${directory}\n`);
  return directory;
}

function startKeeper(): ChildProcess {
  const started = spawn("/bin/sh", ["-c", KEEPER, "keeper"], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  started.stdin.on("error", () => undefined);
  started.unref();
  (started.stdin as unknown as { unref(): void }).unref();
  return started;
}

/** A server that is still running must not keep a finished test process alive. */
function letGo(leash: ChildProcess): void {
  leash.unref();
  for (const stream of [leash.stdin, leash.stdout, leash.stderr]) (stream as unknown as { unref(): void }).unref();
}

async function endLeash(leash: ChildProcess, directory: "keep" | "remove"): Promise<void> {
  if (leash.exitCode !== null || leash.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => {
    leash.once("exit", () => resolve());
  });
  leash.ref();
  leash.stdin?.end(directory === "keep" ? "keep\n" : "");
  await ended;
}
