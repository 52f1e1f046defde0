import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { BoundaryError } from "../../model/errors.ts";
import { parseSqlPolicy, type SqlPolicy } from "../../tools/query-mysql/policy.ts";
import { UsageError } from "../io.ts";
import { unreadable } from "../read-config.ts";

/** The policy that `--policy` names. Throws UsageError with the file and the field. */
export async function readPolicyFile(path: string): Promise<SqlPolicy> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw new UsageError(`--policy: ${unreadable(path, error)}`);
  }
  try {
    return parseSqlPolicy(parse(text));
  } catch (error) {
    if (BoundaryError.is(error)) throw new UsageError(`--policy ${path}: ${error.message}`);
    throw new UsageError(`--policy ${path}: neither JSON nor YAML`);
  }
}
