import { EMPTY_MEMORY } from "../../model/memory.ts";
import { createRedaction } from "../../redact/redaction.ts";
import { answerLines, type CommandIo, EXIT, type ExitCode, readAll, UsageError, write } from "../io.ts";

/** A fixed key: trying the redactor twice on the same text shows the same aliases. Runs draw their own. */
const DEMO_SALT = "6475616c766965772d7472792d726564616374";
/** Text without `--ndjson` is read whole, because a secret may span lines. */
const MAX_TEXT = 64 * 1024 * 1024;

export async function run(options: Readonly<Record<string, unknown>>, io: CommandIo): Promise<ExitCode> {
  const redaction = createRedaction();
  const fresh = () => redaction.redactor({ salt: DEMO_SALT, memory: EMPTY_MEMORY });
  if (options["ndjson"] === true) {
    await answerLines(io, (input) => answer(input, fresh()));
    return EXIT.ok;
  }
  const text = await readAll(io.stdin);
  if (text.length > MAX_TEXT)
    throw new UsageError("the text is longer than 64 MiB; split it, or send it line by line with --ndjson");
  await write(io.stdout, fresh().text(text));
  return EXIT.ok;
}

function answer(input: unknown, redactor: ReturnType<ReturnType<typeof createRedaction>["redactor"]>): unknown {
  const line =
    typeof input === "object" && input !== null ? (input as { readonly id?: unknown; readonly text?: unknown }) : {};
  if (typeof line.text !== "string") return { id: line.id ?? null, error: "TEXT_MISSING" };
  const text = redactor.text(line.text);
  const findings = [...redactor.counts].map(([kind, count]) => ({ kind, count }));
  return { id: line.id ?? null, text, findings };
}
