import { spawn } from "node:child_process";
import { createReadStream, existsSync } from "node:fs";
import { chown, mkdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";

/** The server's own scripts for its system tables, in the order they build on each other. Help texts are left out. */
const SCRIPTS = [
  "mysql_system_tables.sql",
  "mysql_performance_tables.sql",
  "mysql_system_tables_data.sql",
  "maria_add_gis_sp_bootstrap.sql",
  "mysql_sys_schema.sql",
];

const FURTHER_FOLDERS = ["/usr/share/mysql", "/usr/share/mariadb"];

/**
 * Makes a data directory with the system tables, by the server alone: the installer script needs programs that distributions
 * keep in other packages. `options` go to the server as they are.
 */
export async function makeMariadbData(program, data, owner, options) {
  const folder = await scriptFolder(program);
  for (const path of [data, join(data, "mysql")]) {
    await mkdir(path, { recursive: true, mode: 0o700 });
    if (owner !== null) await chown(path, owner.uid, owner.gid);
  }
  const args = ["--no-defaults", "--bootstrap", `--datadir=${data}`, "--max-allowed-packet=8M", ...options];
  const server = spawn(program, args, { stdio: ["pipe", "ignore", "pipe"] });
  const ended = new Promise((resolve, reject) => server.once("error", reject).once("close", resolve));
  const said = text(server.stderr);
  server.stdin.on("error", () => undefined); // a server that ends early says why
  server.stdin.write("CREATE DATABASE IF NOT EXISTS mysql;\nUSE mysql;\nSET @auth_root_socket = NULL;\n");
  for (const name of SCRIPTS) {
    for await (const chunk of createReadStream(join(folder, name))) server.stdin.write(chunk);
    server.stdin.write("\n");
  }
  server.stdin.end();
  const code = await ended;
  if (code !== 0) throw new Error(`${program} could not make its system tables:\n${(await said).slice(-4_000)}`);
}

/** Beside the program, however it was installed. */
async function scriptFolder(program) {
  const prefix = dirname(dirname(await realpath(program)));
  const folders = [
    join(prefix, "share/mysql"),
    join(prefix, "share/mariadb"),
    join(prefix, "share"),
    ...FURTHER_FOLDERS,
  ];
  const folder = folders.find((one) => existsSync(join(one, SCRIPTS[0])));
  if (folder === undefined)
    throw new Error(`There is no ${SCRIPTS[0]} for ${program}: looked in ${folders.join(", ")}.`);
  return folder;
}
