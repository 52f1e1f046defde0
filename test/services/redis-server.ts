import { readdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { REDIS_PROGRAM, requireProgram } from "./binaries.ts";
import { freePort } from "./free-port.ts";
import { type Leashed, makeDirectory, startLeashed } from "./leash.ts";

export interface RedisServerOptions {
  /** Path of another server program than the usual one. */
  readonly program?: string;
  /** Further settings, as on the command line. */
  readonly settings?: readonly string[];
  /** Keep on disk all that is acknowledged, so that a restart finds it again. */
  readonly persistent?: boolean;
}

/** A private server on a free port and a unix socket, gone with its owner. */
export interface RedisServer {
  readonly url: string;
  readonly port: number;
  readonly socketPath: string;
  /** Ends it at once, as SIGKILL does. `restart` brings it back. */
  kill(): Promise<void>;
  /** Stops it from answering, with its connections open. */
  freeze(): void;
  thaw(): void;
  /** The same port again. With `empty`, without its data. */
  restart(options?: { readonly empty?: boolean }): Promise<void>;
  /** Ends it and removes its directory. */
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 15_000;
const TRIES = 5;

/** Starts a server of `REDIS_SERVER_BIN`, or of what is installed. Resolves when it answers. */
export async function startRedis(options: RedisServerOptions = {}): Promise<RedisServer> {
  for (let tries = 1; ; tries += 1) {
    const port = await freePort();
    try {
      return await startOn(port, options);
    } catch (error) {
      // somebody else may take the port between asking for it and using it
      if (tries === TRIES || !/address already in use/i.test(String(error))) throw error;
    }
  }
}

async function startOn(port: number, options: RedisServerOptions): Promise<RedisServer> {
  // a path of a unix socket holds about a hundred characters, so not below the project
  const directory = makeDirectory("/tmp/dualview-redis-");
  const socketPath = join(directory, "socket");
  const command = [
    options.program ?? requireProgram(REDIS_PROGRAM),
    ...settingsFor(port, directory, socketPath, options),
  ];
  const start = async (): Promise<Leashed> => await untilReady(await startLeashed(directory, command), port);
  let server = await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    socketPath,
    kill: () => server.end("keep"),
    freeze: () => void process.kill(server.pid, "SIGSTOP"),
    thaw: () => void process.kill(server.pid, "SIGCONT"),
    restart: async ({ empty = false } = {}) => {
      await server.end("keep");
      if (empty) removeData(directory);
      server = await start();
    },
    stop: () => server.end("remove"),
  };
}

function settingsFor(port: number, directory: string, socketPath: string, options: RedisServerOptions): string[] {
  const { settings = [], persistent = false } = options;
  const where = ["--bind", "127.0.0.1", "--port", String(port), "--unixsocket", socketPath, "--dir", directory];
  // otherwise a killed server may have lost what it acknowledged: up to two seconds of it on a busy disk
  const disk = ["--save", "", "--appendonly", persistent ? "yes" : "no", "--appendfsync", "always"];
  return [...where, ...disk, "--daemonize", "no", "--loglevel", "warning", ...settings];
}

/** A port that takes connections may belong to a server that is still loading: what counts is an answer to PING. */
async function untilReady(server: Leashed, port: number): Promise<Leashed> {
  const end = performance.now() + READY_WITHIN_MS;
  while (performance.now() < end && server.running()) {
    if (await answersPing(port)) return server;
    await pause(10);
  }
  await server.end("remove");
  throw new Error(`The Redis server did not become ready:\n${server.log()}`);
}

function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const done = (answered: boolean): void => {
      socket.destroy();
      resolve(answered);
    };
    socket.once("error", () => done(false));
    socket.once("connect", () => socket.write("PING\r\n"));
    socket.once("data", (reply) => done(/^(?:\+PONG|-NOAUTH)/.test(reply.toString())));
    socket.setTimeout(1_000, () => done(false));
  });
}

function removeData(directory: string): void {
  for (const name of readdirSync(directory)) rmSync(join(directory, name), { recursive: true, force: true });
}
