import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, chown, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { makeMariadbData } from "../../tools/mariadb-data.mjs";
import { MYSQL_PROGRAM, requireProgram } from "./binaries.ts";
import { freePort } from "./free-port.ts";
import { type Leashed, makeDirectory, startLeashed } from "./leash.ts";

/** How to reach a server as an administrator; both ways in lead to the same server. */
export interface MysqlAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/** A private MariaDB or MySQL, which tests may treat badly. */
export interface MysqlServer extends MysqlAddress {
  readonly flavour: "MariaDB" | "MySQL";
  readonly socketPath: string;
  /** SIGKILL; the data stay. */
  kill(): Promise<void>;
  /** Starts it again on the same data and port, after `kill`. */
  restart(): Promise<void>;
  /** SIGSTOP and SIGCONT: it keeps its connections and answers nothing. */
  freeze(): void;
  thaw(): void;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

const START_ATTEMPTS = 5;
const READY_TIMEOUT_MS = 60_000;
const ADMINISTRATOR = "administrator";
const run = promisify(execFile);

interface Installation {
  readonly program: string;
  readonly flavour: MysqlServer["flavour"];
  /** Who the server runs as; as root it insists on being told. */
  readonly account: Account | null;
}

interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Starts a server of its own data, port and socket; it ends when this process does. Takes two to eight seconds. */
export async function startMysql(extra: readonly string[] = []): Promise<MysqlServer> {
  const installation = await findInstallation();
  // short and in /tmp: the path of a socket may have 107 bytes
  const directory = makeDirectory("/tmp/dvm-");
  const password = randomBytes(12).toString("hex");
  try {
    await initialise(installation, directory, password);
    return await MysqlProcess.start(installation, directory, password, extra);
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
}

class MysqlProcess implements MysqlServer {
  readonly host = "127.0.0.1";
  readonly user = ADMINISTRATOR;
  readonly password: string;
  readonly port: number;
  readonly #installation: Installation;
  readonly #directory: string;
  readonly #extra: readonly string[];
  #leashed: Leashed;

  private constructor(
    installation: Installation,
    directory: string,
    started: { readonly port: number; readonly password: string; readonly extra: readonly string[] },
    leashed: Leashed,
  ) {
    this.#installation = installation;
    this.#directory = directory;
    this.#extra = started.extra;
    this.#leashed = leashed;
    this.port = started.port;
    this.password = started.password;
  }

  static async start(
    installation: Installation,
    directory: string,
    password: string,
    extra: readonly string[],
  ): Promise<MysqlProcess> {
    for (let attempt = 1; ; attempt += 1) {
      const port = await freePort();
      const leashed = await startLeashed(directory, commandOf(installation, directory, port, extra));
      const failure = await untilReady(leashed, port);
      if (failure === null) return new MysqlProcess(installation, directory, { port, password, extra }, leashed);
      // someone else took the port between our looking and the server's binding it
      const taken = /address already in use/i.test(failure) && attempt < START_ATTEMPTS;
      await leashed.end(taken ? "keep" : "remove");
      if (!taken) throw new Error(failure);
    }
  }

  get flavour(): MysqlServer["flavour"] {
    return this.#installation.flavour;
  }

  get socketPath(): string {
    return join(this.#directory, "s");
  }

  async kill(): Promise<void> {
    await this.#leashed.end("keep");
  }

  async restart(): Promise<void> {
    const command = commandOf(this.#installation, this.#directory, this.port, this.#extra);
    this.#leashed = await startLeashed(this.#directory, command);
    const failure = await untilReady(this.#leashed, this.port);
    if (failure !== null) throw new Error(failure);
  }

  freeze(): void {
    process.kill(this.#leashed.pid, "SIGSTOP");
  }

  thaw(): void {
    process.kill(this.#leashed.pid, "SIGCONT");
  }

  async stop(): Promise<void> {
    await this.#leashed.end("remove");
    // the leash has removed it, unless the server was killed before
    await rm(this.#directory, { recursive: true, force: true });
  }
}

async function findInstallation(): Promise<Installation> {
  const program = requireProgram(MYSQL_PROGRAM);
  const { stdout } = await run(program, ["--no-defaults", "--version"]);
  const flavour = /mariadb/i.test(stdout) ? "MariaDB" : "MySQL";
  return { program, flavour, account: process.getuid?.() === 0 ? await serviceAccount() : null };
}

async function serviceAccount(): Promise<Account> {
  const accounts = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  for (const wanted of ["mysql", "nobody"]) {
    const [name, , uid, gid] = accounts.find(([one]) => one === wanted) ?? [];
    if (name !== undefined) return { name, uid: Number(uid), gid: Number(gid) };
  }
  throw new Error("There is no account 'mysql' or 'nobody' that a database server could run as.");
}

/** An empty data directory, and an administrator of our own in place of root without a password. */
async function initialise({ program, flavour, account }: Installation, directory: string, password: string) {
  await chmod(directory, 0o755);
  await writeFile(join(directory, "init.sql"), initFile(password), { mode: 0o644 });
  if (account !== null) await chown(directory, account.uid, account.gid);
  const data = `--datadir=${join(directory, "d")}`;
  if (flavour === "MySQL") {
    await run(program, [
      "--no-defaults",
      ...asAccount(account),
      "--initialize-insecure",
      data,
      `--tmpdir=${directory}`,
    ]);
    return;
  }
  const small = ["--innodb-log-file-size=8M", "--innodb-buffer-pool-size=16M", `--tmpdir=${directory}`];
  await makeMariadbData(program, join(directory, "d"), account, [...asAccount(account), ...small]);
}

function initFile(password: string): string {
  return [
    `CREATE USER IF NOT EXISTS '${ADMINISTRATOR}'@'%' IDENTIFIED BY '${password}';`,
    `GRANT ALL PRIVILEGES ON *.* TO '${ADMINISTRATOR}'@'%' WITH GRANT OPTION;`,
    ...["localhost", "127.0.0.1", "::1"].map((host) => `DROP USER IF EXISTS 'root'@'${host}';`),
    "",
  ].join("\n");
}

function commandOf(
  { program, flavour, account }: Installation,
  directory: string,
  port: number,
  extra: readonly string[],
): readonly string[] {
  const own =
    flavour === "MariaDB"
      ? ["--skip-log-bin", "--innodb-log-file-size=8M"]
      : ["--disable-log-bin", "--innodb-redo-log-capacity=16M", "--mysqlx=OFF", "--secure-file-priv=NULL"];
  return [
    program,
    "--no-defaults",
    ...asAccount(account),
    `--datadir=${join(directory, "d")}`,
    // a server that starts deletes the temporary tables of every other in the same folder
    `--tmpdir=${directory}`,
    `--socket=${join(directory, "s")}`,
    `--pid-file=${join(directory, "pid")}`,
    `--init-file=${join(directory, "init.sql")}`,
    "--bind-address=127.0.0.1",
    `--port=${port}`,
    "--skip-name-resolve",
    "--innodb-buffer-pool-size=32M",
    "--innodb-flush-log-at-trx-commit=2",
    "--performance-schema=OFF",
    ...own,
    ...extra,
  ];
}

function asAccount(account: Account | null): readonly string[] {
  return account === null ? [] : [`--user=${account.name}`];
}

/** Null when the server greets; otherwise what it printed. A connection alone is no sign: a server that is about to give up takes it. */
async function untilReady(leashed: Leashed, port: number): Promise<string | null> {
  const end = performance.now() + READY_TIMEOUT_MS;
  while (performance.now() < end) {
    if (!leashed.running()) return `The database server ended at its start:\n${leashed.log()}`;
    if (await greets(port)) return null;
    await sleep(20);
  }
  return `The database server was not ready after ${READY_TIMEOUT_MS} ms:\n${leashed.log()}`;
}

/** Whether the first packet is a handshake of protocol version 10. */
function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const answer = (greeted: boolean): void => {
      socket.destroy();
      resolve(greeted);
    };
    socket.setTimeout(2_000, () => answer(false));
    socket.once("data", (packet) => answer(packet[4] === 10));
    socket.once("error", () => answer(false)).once("close", () => answer(false));
  });
}
