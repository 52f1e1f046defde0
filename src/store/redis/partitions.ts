import { BoundaryError } from "../../model/errors.ts";
import { PARTITIONS_KEY } from "./keys.ts";
import { countOf } from "./reply.ts";
import { PARTITIONS } from "./run-scripts.ts";
import type { ScriptRunner } from "./script-runner.ts";

/**
 * Makes sure that all processes spread the runs in the same way. The first one decides; also after Redis has lost its data,
 * which is why every sweep asks again.
 */
export async function agreeOnPartitions(scripts: ScriptRunner, partitions: number): Promise<void> {
  const [stored] = await scripts.run(PARTITIONS, [PARTITIONS_KEY], [String(partitions)]);
  const number = countOf(stored, "number of partitions");
  if (number === partitions) return;
  const detail = `The store in Redis has ${number} partitions, and ${partitions} are configured. Configure ${number}, or use another Redis.`;
  throw new BoundaryError("CONFIG_INVALID", "partitions", detail);
}
