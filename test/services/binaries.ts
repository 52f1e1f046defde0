import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** A server program that tests need, where it is found and how it is got. */
export interface ServiceProgram {
  readonly names: readonly string[];
  /** Environment variable that names the program instead. */
  readonly override: string;
  /** Environment variable that names a running server instead; null where tests kill, freeze and empty theirs. */
  readonly url: string | null;
  readonly debianPackage: string;
}

export const REDIS_PROGRAM: ServiceProgram = {
  names: ["redis-server", "valkey-server"],
  override: "REDIS_SERVER_BIN",
  url: null,
  debianPackage: "redis-server",
};

/** The core package: the program alone, without a service that would start by itself. */
export const MYSQL_PROGRAM: ServiceProgram = {
  names: ["mariadbd", "mysqld"],
  override: "MYSQLD_BIN",
  url: "DUALVIEW_TEST_MYSQL_URL",
  debianPackage: "mariadb-server-core",
};

const VALKEY_PROGRAM = { names: ["valkey-server"], override: "VALKEY_SERVER_BIN" } as const;
const GET_VALKEY = join(import.meta.dirname, "../../tools/get-valkey.sh");

const FURTHER_FOLDERS = ["/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin", "/opt/homebrew/opt/mariadb/bin"];

/** The path of a program; null where it is not installed. A wrong override is an error, never passed over. */
export function findProgram(program: Pick<ServiceProgram, "names" | "override">): string | null {
  const named = process.env[program.override];
  if (named !== undefined && named !== "") {
    if (existsSync(named)) return named;
    throw new Error(`${program.override} names ${named}, which does not exist.`);
  }
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), ...FURTHER_FOLDERS];
  const paths = program.names.flatMap((name) => folders.filter((one) => one !== "").map((one) => join(one, name)));
  return paths.find((path) => existsSync(path)) ?? null;
}

/** The same, where its absence is an error that says what to run. */
export function requireProgram(program: ServiceProgram): string {
  const path = findProgram(program);
  if (path === null) throw new Error(howToInstall([program]));
  return path;
}

/** Installs what is missing where that is possible (root, or sudo without a password, on Debian), and otherwise stops with the command to run. */
export async function ensurePrograms(programs: readonly ServiceProgram[]): Promise<void> {
  const missing = programs.filter((program) => findProgram(program) === null);
  if (missing.length === 0) return;
  const asRoot = existsSync("/etc/debian_version") ? await wayToRoot() : null;
  if (asRoot === null) throw new Error(howToInstall(missing));
  const packages = missing.map(({ debianPackage }) => debianPackage);
  process.stderr.write(`tests: installing ${packages.join(" ")}\n`);
  await run([...asRoot, "apt-get", "update"]);
  await run([...asRoot, "apt-get", "install", "-y", "--no-install-recommends", ...packages]);
  for (const program of missing) requireProgram(program);
}

/** A Valkey that is named, installed or fetched; otherwise why there is none. */
export async function findOrFetchValkey(): Promise<{ readonly path: string } | { readonly lack: string }> {
  const found = findProgram(VALKEY_PROGRAM);
  if (found !== null) return { path: found };
  return await run([GET_VALKEY]).then(
    (printed) => ({ path: printed.trim() }),
    (error: Error) => ({ lack: error.message.trim().split("\n").at(-1) ?? "" }),
  );
}

function howToInstall(programs: readonly ServiceProgram[]): string {
  const packages = programs.map(({ debianPackage }) => debianPackage).join(" ");
  const sudo = process.getuid?.() === 0 ? "" : "sudo ";
  return [
    `These tests need ${programs.map(({ names }) => names.join(" or ")).join(" and ")}. Run:`,
    `  ${sudo}apt-get update && ${sudo}apt-get install -y --no-install-recommends ${packages}`,
    "(macOS: brew install redis mariadb)",
    ...programs.map(({ override, url }) =>
      url === null
        ? `or name a program with ${override}.`
        : `or name a program with ${override}, or a server with ${url}.`,
    ),
  ].join("\n");
}

/** The words before a command that is to run as root; null where that takes a password. */
async function wayToRoot(): Promise<readonly string[] | null> {
  if (process.getuid?.() === 0) return [];
  const sudo = ["sudo", "-n"];
  return await run([...sudo, "true"]).then(
    () => sudo,
    () => null,
  );
}

function run([command = "", ...args]: readonly string[]): Promise<string> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return new Promise((resolve, reject) => {
    execFile(command, args, { env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else
        reject(
          new Error(`${command} ${args.join(" ")} failed: ${error.message}\n${`${stdout}\n${stderr}`.slice(-4_000)}`),
        );
    });
  });
}
