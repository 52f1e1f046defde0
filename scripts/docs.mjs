// Writes the tables of docs/errors.md from the built code tables. Run after `npm run build`.
import { readFileSync, writeFileSync } from "node:fs";
import { BOUNDARY_ERRORS, GUARD_FINDINGS } from "../dist/index.js";

const path = new URL("../docs/errors.md", import.meta.url);
const rows = Object.entries(BOUNDARY_ERRORS).map(
  ([code, { outcome, transient, sentence }]) =>
    `| \`${code}\` | ${outcome} | ${transient ? "yes" : "no"} | ${sentence} |`,
);
const guard = Object.entries(GUARD_FINDINGS).map(
  ([code, { severity, en, zh }]) => `| \`${code}\` | ${severity} | ${en} | ${zh} |`,
);
const table = (name, lines) => `<!-- ${name} -->\n${lines.join("\n")}\n<!-- end -->`;
const filled = readFileSync(path, "utf8")
  .replace(/<!-- boundary -->[\s\S]*?<!-- end -->/, () =>
    table("boundary", [
      "| code | outcome | transient | what the model is told |",
      "| --- | --- | --- | --- |",
      ...rows,
    ]),
  )
  .replace(/<!-- guard -->[\s\S]*?<!-- end -->/, () =>
    table("guard", ["| code | severity | meaning | 含义 |", "| --- | --- | --- | --- |", ...guard]),
  );
writeFileSync(path, filled);
