import { setTimeout as pause } from "node:timers/promises";
import { createCluster } from "redis";
import { freePort } from "../../services/free-port.ts";
import { type RedisServer, startRedis } from "../../services/redis-server.ts";
import { openClient } from "./fixture.ts";

const SLOTS = 16_384;
const NODES = 3;

export interface RedisCluster {
  readonly nodes: readonly RedisServer[];
  readonly urls: readonly string[];
  stop(): Promise<void>;
}

/** Three primaries on this machine that share the slots. */
export async function startCluster(): Promise<RedisCluster> {
  const nodes = await Promise.all(Array.from({ length: NODES }, startNode));
  const servers = nodes.map(({ server }) => server);
  const urls = servers.map(({ url }) => url);
  const admins = await Promise.all(urls.map(openClient));
  for (const [n, admin] of admins.entries()) {
    const range = [Math.floor((SLOTS * n) / NODES), Math.floor((SLOTS * (n + 1)) / NODES) - 1];
    await admin.sendCommand(["CLUSTER", "ADDSLOTSRANGE", ...range.map(String)]);
  }
  for (const { server, busPort } of nodes.slice(1)) {
    await admins[0]?.sendCommand(["CLUSTER", "MEET", "127.0.0.1", String(server.port), String(busPort)]);
  }
  for (const admin of admins) {
    while (!/cluster_state:ok[\s\S]*cluster_known_nodes:3/.test(await admin.sendCommand<string>(["CLUSTER", "INFO"])))
      await pause(20);
    admin.destroy();
  }
  return {
    nodes: servers,
    urls,
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

async function startNode(): Promise<{ readonly server: RedisServer; readonly busPort: number }> {
  const busPort = await freePort();
  const settings = ["--cluster-enabled", "yes", "--cluster-port", String(busPort), "--cluster-node-timeout", "2000"];
  return { server: await startRedis({ settings }), busPort };
}

/** A cluster client of node-redis as a host should make it. */
export async function openClusterClient(urls: readonly string[]) {
  const cluster = createCluster({
    rootNodes: urls.map((url) => ({ url })),
    defaults: { disableOfflineQueue: true, socket: { reconnectStrategy: 50 } },
  });
  cluster.on("error", () => undefined);
  await cluster.connect();
  return cluster;
}
