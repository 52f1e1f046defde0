import { BoundaryError } from "../../model/errors.ts";
import { type Account, DEFAULT_ACCOUNT, grantsFor, parseAccount } from "../../tools/query-mysql/mysql/grants.ts";
import { detailOf } from "../detail.ts";
import { type CommandIo, EXIT, type ExitCode, UsageError, write } from "../io.ts";
import { readPolicyFile } from "./policy-file.ts";

/** `dualview sql grants`: the least that the account of a datasource needs, as statements for an administrator. Nothing is executed. */
export async function run(options: Readonly<Record<string, unknown>>, io: CommandIo): Promise<ExitCode> {
  const policy = await readPolicyFile(String(options["policy"]));
  const statements = grantsFor(policy, accountOf(options["account"]));
  const text = options["json"] === true ? JSON.stringify({ grants: statements }) : statements.join("\n");
  await write(io.stdout, `${text}\n`);
  return EXIT.ok;
}

function accountOf(written: unknown): Account {
  if (written === undefined) return DEFAULT_ACCOUNT;
  try {
    return parseAccount(String(written));
  } catch (error) {
    if (!BoundaryError.is(error)) throw error;
    throw new UsageError(`--account: ${detailOf(error)}`);
  }
}
