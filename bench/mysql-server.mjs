// A private MariaDB or MySQL on a free port for benchmarks; it ends with this process, however that ends.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { makeMariadbData } from "../tools/mariadb-data.mjs";

const LEASH = `directory=$1; shift; "$@" </dev/null >/dev/null 2>"$directory/log" & server=$!; read -r _; { kill -9 $server; wait $server; } 2>/dev/null; rm -rf "$directory"`;

const ACCOUNT = serviceAccount();

/** The server and an administrator there. `MYSQLD_BIN` names a program instead of the installed one. */
export async function startMysql() {
  const directory = mkdtempSync("/tmp/dualview-bench-");
  const port = await freePort();
  const password = randomBytes(12).toString("hex");
  const user = "administrator";
  const program = pathOf(process.env.MYSQLD_BIN ?? "mariadbd");
  await initialise(program, directory, user, password);
  const settings = [
    "--no-defaults",
    ...accountOf(),
    `--datadir=${join(directory, "d")}`,
    `--socket=${join(directory, "s")}`,
    `--pid-file=${join(directory, "pid")}`,
    `--init-file=${join(directory, "init.sql")}`,
    `--tmpdir=${directory}`,
    "--bind-address=127.0.0.1",
    `--port=${port}`,
    "--skip-name-resolve",
    "--innodb-buffer-pool-size=64M",
    "--performance-schema=OFF",
    ...(isMariaDb(program) ? [] : ["--mysqlx=OFF", "--disable-log-bin", "--secure-file-priv=NULL"]),
  ];
  const leash = spawn("/bin/sh", ["-c", LEASH, "leash", directory, program, ...settings], {
    stdio: ["pipe", "ignore", "inherit"],
    detached: true,
  });
  for (let tries = 0; !(await greets(port)); tries += 1) {
    if (tries > 1_500)
      throw new Error(`${program} did not start: install mariadb-server-core, or name one with MYSQLD_BIN.`);
    await pause(20);
  }
  return {
    address: { host: "127.0.0.1", port, user, password },
    stop: () => {
      leash.stdin.end();
      leash.unref();
    },
  };
}

async function initialise(program, directory, user, password) {
  chmodSync(directory, 0o755);
  if (ACCOUNT !== null) chownSync(directory, ACCOUNT.uid, ACCOUNT.gid);
  const statements = [
    `CREATE USER IF NOT EXISTS '${user}'@'%' IDENTIFIED BY '${password}';`,
    `GRANT ALL PRIVILEGES ON *.* TO '${user}'@'%' WITH GRANT OPTION;`,
  ];
  writeFileSync(join(directory, "init.sql"), `${statements.join("\n")}\n`);
  const data = join(directory, "d");
  if (isMariaDb(program)) await makeMariadbData(program, data, ACCOUNT, [...accountOf(), `--tmpdir=${directory}`]);
  else
    execFileSync(program, ["--no-defaults", ...accountOf(), "--initialize-insecure", `--datadir=${data}`], {
      stdio: "ignore",
    });
}

/** Where a shell finds a program; its system tables' scripts are found from there. */
function pathOf(program) {
  const { stdout } = spawnSync("/bin/sh", ["-c", 'command -v "$0"', program], { encoding: "utf8" });
  if (stdout === "")
    throw new Error(`${program} was not found: install mariadb-server-core, or name one with MYSQLD_BIN.`);
  return stdout.trim();
}

function isMariaDb(program) {
  return /mariadb/i.test(execFileSync(program, ["--no-defaults", "--version"], { encoding: "utf8" }));
}

/** As root a server insists on being told who it runs as. */
function serviceAccount() {
  if (process.getuid?.() !== 0) return null;
  const accounts = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const [name, , uid, gid] = accounts.find(([one]) => one === "mysql") ?? accounts.find(([one]) => one === "nobody");
  return { name, uid: Number(uid), gid: Number(gid) };
}

function accountOf() {
  return ACCOUNT === null ? [] : [`--user=${ACCOUNT.name}`];
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Whether the first packet is a handshake: a server that is about to give up takes a connection too. */
function greets(port) {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const answer = (greeted) => {
      socket.destroy();
      resolve(greeted);
    };
    socket.setTimeout(2_000, () => answer(false));
    socket.once("data", (packet) => answer(packet[4] === 10));
    socket.once("error", () => answer(false));
  });
}
