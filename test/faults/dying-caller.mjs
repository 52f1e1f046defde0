// Makes one call over Redis, audits it in MySQL, publishes on it, and says when it has come to the named step; its owner kills it there.
// Arguments: Redis' URL, the options of the audit's pool as JSON, the run's id, the step.
import { writeSync } from "node:fs";
import { createPool } from "mysql2";
import { createClient } from "redis";
import { z } from "zod";
import { mysqlAudit } from "../../dist/audit/mysql/mysql-audit.js";
import { createHarness, defineTool } from "../../dist/index.js";
import { redisStore } from "../../dist/store/redis/redis.js";

const [url, pool, runId, step] = process.argv.slice(2);

/** Stops everything in this process, as the kill that follows does. */
function arrived(at) {
  if (at !== step) return;
  writeSync(1, "here\n");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
}

/** The same object, with a step before and another after some of its methods. */
function stepping(target, steps) {
  return new Proxy(target, {
    get: (_, name) => {
      const member = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      const [before, after] = steps[name] ?? [];
      return async (...args) => {
        arrived(before);
        const result = await Reflect.apply(member, target, args);
        arrived(after);
        return result;
      };
    },
  });
}

const client = createClient({ url, disableOfflineQueue: true });
client.on("error", () => undefined);
await client.connect();
const store = stepping(await redisStore({ client, partitions: 1 }), {
  begin: ["begin", "begun"],
  settle: ["settle", "answer"],
  drain: ["drain"],
  acknowledge: ["acknowledge"],
  read: ["guard"],
  closeRun: ["publish", "published"],
});
const audit = stepping(await mysqlAudit({ pool: createPool(JSON.parse(pool)) }), { record: ["record"] });
const tool = defineTool({
  name: "query_lines",
  description: "Finds lines.",
  readOnly: true,
  request: z.object({ service: z.string() }),
  execute: async () => {
    arrived("execute");
    return { lines: ["pool timed out"] };
  },
  projector: {
    id: "lines",
    version: "1",
    project: (raw) => {
      arrived("project");
      return { items: raw.lines.map((text, i) => ({ item_id: `e${i + 1}`, text })), truncated: false };
    },
  },
});
const harness = createHarness({ store, tools: [tool], limits: { call: { deadlineMs: 300 } }, audit });
const run = await harness.resumeRun(runId);
await run.call({ toolCallId: "c1", toolName: "query_lines", request: { service: "checkout" } });
if (["guard", "publish", "published"].includes(step)) {
  const citations = [{ tool_call_id: "c1", item_id: "e1" }];
  await run.publish({ claims: [{ kind: "observation", text: "The pool timed out.", citations }] });
}
