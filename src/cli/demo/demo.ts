import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandIo, ExitCode } from "../io.ts";
import { EXIT, write } from "../io.ts";
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
  const folder = options.keep ?? (await mkdtemp(join(tmpdir(), "dualview-demo-")));
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
