// Switches one rule of the SQL reader off at a time, in a copy, and says whether a test notices. Ends with 1 when none does.
//   node scripts/sql-mutants.mjs [text of a rule]…
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { MUTANTS } from "./sql-mutants-list.mjs";

const root = resolve(import.meta.dirname, "..");
const TESTS = [
  "test/tools/query-mysql/sql/",
  "test/tools/query-mysql/judge/verdicts.test.ts",
  "test/tools/query-mysql/unveiling.test.ts",
];

function copyOfProject() {
  const copy = mkdtempSync(join(tmpdir(), "sql-mutants-"));
  for (const name of ["src", "test", "package.json", "tsconfig.json", "vitest.config.ts"]) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  return copy;
}

/** Whether the tests pass in the copy. A rule without which a test never ends counts as noticed. */
function passes(copy) {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const options = { cwd: copy, timeout: 300_000, stdio: "ignore" };
  return spawnSync(process.execPath, [vitest, "run", "--bail=1", "--no-isolate", ...TESTS], options).status === 0;
}

function withEdit(copy, { file, find, replace }, check) {
  const path = join(copy, file);
  const text = readFileSync(path, "utf8");
  if (text.split(find).length !== 2) return "not found";
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
  try {
    return check() ? "SURVIVED" : "killed";
  } finally {
    writeFileSync(path, text);
  }
}

const wanted = process.argv.slice(2);
const isWanted = ({ rule }) => wanted.length === 0 || wanted.some((text) => rule.includes(text));
const copy = copyOfProject();
try {
  if (!passes(copy)) throw new Error("The tests fail before any rule is switched off.");
  for (const mutant of MUTANTS.filter(isWanted)) {
    const outcome = withEdit(copy, mutant, () => passes(copy));
    if (outcome !== "killed") process.exitCode = 1;
    console.log(`${outcome.padEnd(9)} ${mutant.rule}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
