import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type CommandIo, EXIT, type ExitCode, UsageError, write } from "../io.ts";
import { openFromFile } from "../open-harness.ts";
import { generateIncident } from "./incident/generate.ts";
import { plantedSecrets } from "./incident/secrets.ts";
import { renderDemo } from "./picture.ts";
import { playIncident } from "./play.ts";

interface DemoOptions {
  readonly json?: boolean;
  /** Keeps the generated incident in this folder. */
  readonly keep?: string;
}

/** Runs the bundled incident on embedded stores and shows, call by call, what was returned, seen and kept. */
export async function run(options: DemoOptions, io: CommandIo): Promise<ExitCode> {
  const folder =
    options.keep === undefined ? await mkdtemp(join(tmpdir(), "dualview-demo-")) : await emptyFolder(options.keep);
  try {
    const incident = await generateIncident(folder);
    const opened = await openFromFile(incident.config);
    try {
      const report = await playIncident(opened, incident, plantedSecrets());
      await write(io.stdout, options.json === true ? `${JSON.stringify(report, null, 2)}\n` : renderDemo(report));
      return report.asExpected ? EXIT.ok : EXIT.negative;
    } finally {
      await opened.close();
    }
  } finally {
    if (options.keep === undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** Never writes among files of the user's own, so that a second run says what to do instead of mixing two incidents. */
async function emptyFolder(name: string): Promise<string> {
  const folder = resolve(name);
  let entries: readonly string[];
  try {
    await mkdir(folder, { recursive: true });
    entries = await readdir(folder);
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    const cause = code === "EEXIST" || code === "ENOTDIR" ? "is not a folder" : `cannot be written (${String(code)})`;
    throw new UsageError(`--keep: ${folder} ${cause}. Name a new or empty folder.`);
  }
  if (entries.length === 0) return folder;
  throw new UsageError(`--keep: ${folder} is not empty. Name a new or empty folder, or remove it first.`);
}
