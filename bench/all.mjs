// Every benchmark, one process each. Ends with 1 when a figure misses its gate.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

for (const [name, ...options] of [
  ["boundary"],
  ["logs-projector"],
  ["memory", "--expose-gc"],
  ["redis"],
  ["guard"],
  ["redaction"],
  ["audit"],
  ["mysql-executor"],
  ["sql-validator"],
]) {
  console.log(`\n# ${name}`);
  const script = fileURLToPath(new URL(`./${name}.mjs`, import.meta.url));
  const { status } = spawnSync(process.execPath, [...options, script], { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
