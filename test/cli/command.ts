import { execFile } from "node:child_process";
import { resolve } from "node:path";

const MAIN = resolve(import.meta.dirname, "../../dist/cli/main.js");

/** How a command ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built command as a user runs it in a folder, with these variables beside the usual ones and this text on its input. */
export function runCommand(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input = "",
): Promise<Ended> {
  return new Promise((done) => {
    const env = { ...process.env, ...environment };
    const child = execFile(process.execPath, [MAIN, ...args], { cwd: folder, env }, (error, stdout, stderr) => {
      done({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr });
    });
    // a command that ends early does not read its input
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
}
