import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../until.ts";
import { KEEPER, LEASH, startLeashed } from "./leash.ts";

const newDirectory = (): string => mkdtempSync("/tmp/dvl-");
/** Stands for a server that nothing but SIGKILL ends. */
const stubborn = (directory: string): readonly string[] => [
  "/bin/sh",
  "-c",
  `trap '' TERM INT HUP; echo $$ > ${join(directory, "pid")}; while :; do sleep 0.05; done`,
];

describe("a leashed server", () => {
  it("ends, and its directory with it, when its owner is killed", async () => {
    const directory = newDirectory();
    const owner = startOwner(directory);
    const pid = await pidIn(directory);
    expect(isAlive(pid)).toBe(true);
    owner.kill("SIGKILL");
    await until(() => !isAlive(pid) && !existsSync(directory));
  });

  it("leaves no directory when its owner is killed while no server runs in it", async () => {
    const directories = [newDirectory(), newDirectory()];
    const script = `require("node:child_process").spawn("/bin/sh", ${JSON.stringify(["-c", KEEPER, "keeper"])}, { detached: true, stdio: ["pipe", "ignore", "ignore"] }).stdin.write(${JSON.stringify(`${directories.join("\n")}\n`)}, () => console.log("written"))`;
    const owner = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "ignore"] });
    await once(owner.stdout, "data");
    expect(directories.map((path) => existsSync(path))).toEqual([true, true]);
    owner.kill("SIGKILL");
    await until(() => directories.every((path) => !existsSync(path)));
  });

  it("keeps its directory when it is to start again", async () => {
    const directory = newDirectory();
    const first = await startLeashed(directory, stubborn(directory));
    await first.end("keep");
    expect({ alive: isAlive(first.pid), there: existsSync(directory) }).toEqual({ alive: false, there: true });
    const second = await startLeashed(directory, stubborn(directory));
    await second.end("remove");
    expect({ alive: isAlive(second.pid), there: existsSync(directory) }).toEqual({ alive: false, there: false });
  });

  it("is seen to have ended by itself, with what it printed, and is cleaned up after", async () => {
    const directory = newDirectory();
    writeFileSync(join(directory, "data"), "");
    const leashed = await startLeashed(directory, ["/bin/sh", "-c", "echo wrong option >&2; exit 3"]);
    await until(() => !leashed.running());
    expect(leashed.log()).toContain("wrong option");
    expect(existsSync(directory)).toBe(true);
    await leashed.end("remove");
    expect(existsSync(directory)).toBe(false);
  });
});

/** A process that holds the leash as `startLeashed` does. */
function startOwner(directory: string): ChildProcess {
  const script = `require("node:child_process").spawn("/bin/sh", ${JSON.stringify(["-c", LEASH, "leash", directory, ...stubborn(directory)])}, { detached: true, stdio: ["pipe", "pipe", "pipe"] })`;
  return spawn(process.execPath, ["-e", script], { stdio: "ignore" });
}

async function pidIn(directory: string): Promise<number> {
  const file = join(directory, "pid");
  await until(() => existsSync(file) && readFileSync(file, "utf8").trim() !== "");
  return Number(readFileSync(file, "utf8"));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
