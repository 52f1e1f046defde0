import { afterAll, beforeAll, describe } from "vitest";
import { ioredisCommands } from "../../../src/store/redis/redis.ts";
import { describeStore } from "../../../src/testing/store-contract.ts";
import { type RedisServer, startRedis } from "../../services/redis-server.ts";
import { valkeyProgram } from "../../services/valkey.ts";
import { freshStore, openIoredis } from "./fixture.ts";

let server: RedisServer;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());

describeStore("RedisStore over node-redis", () => freshStore([server.url]));

describeStore("RedisStore over ioredis", async () => {
  const client = await openIoredis(server.port);
  const under = await freshStore([server.url], ioredisCommands(client));
  const close = async (): Promise<void> => {
    await under.close();
    client.disconnect();
  };
  return { ...under, close };
});

// all tests of this folder run on Valkey with REDIS_SERVER_BIN; these do besides, wherever the set-up finds or gets one
const valkey = valkeyProgram();

describe.runIf(valkey !== null)("on Valkey", () => {
  let other: RedisServer;
  beforeAll(async () => {
    other = await startRedis({ program: valkey ?? "" });
  });
  afterAll(() => other.stop());

  describeStore("RedisStore", () => freshStore([other.url]));
});
