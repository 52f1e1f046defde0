// A private Redis on a free port for benchmarks; it ends with this process, however that ends.
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { connect, createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

const LEASH = `directory=$1; shift; "$@" </dev/null >/dev/null & server=$!; read -r _; kill -9 $server; rm -rf "$directory"`;

export async function startRedis() {
  const directory = mkdtempSync("/tmp/dualview-bench-");
  const port = await freePort();
  const program = process.env.REDIS_SERVER_BIN ?? "redis-server";
  const settings = [
    "--port",
    String(port),
    "--bind",
    "127.0.0.1",
    "--dir",
    directory,
    "--save",
    "",
    "--appendonly",
    "no",
  ];
  const leash = spawn("/bin/sh", ["-c", LEASH, "leash", directory, program, ...settings], {
    stdio: ["pipe", "ignore", "inherit"],
    detached: true,
  });
  for (let tries = 0; !(await answers(port)); tries += 1) {
    if (tries > 500)
      throw new Error(`${program} did not start: install redis-server, or name one with REDIS_SERVER_BIN.`);
    await pause(10);
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: () => {
      leash.stdin.end();
      leash.unref();
    },
  };
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

function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}
