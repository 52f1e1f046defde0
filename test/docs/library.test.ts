import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateIncident } from "../../src/cli/demo/incident/generate.ts";

const root = resolve(import.meta.dirname, "../..");
const run = promisify(execFile);
let folder: string;
let code: string;

/** Inside the repository, so that the package's own name leads to what was built. */
beforeAll(async () => {
  folder = await mkdtemp(join(root, ".dualview-library-"));
  await generateIncident(join(folder, "incident"));
  const page = await readFile(join(root, "docs/library.md"), "utf8");
  code = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block]) => block).join("\n");
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("the page on the library", () => {
  it("has code that runs as it says", async () => {
    const told = "[logs, orders, refused].map(({ observation }) => observation.code ?? observation.evidence_status)";
    const script = join(folder, "library.mjs");
    await writeFile(script, `${code}\nconsole.log(JSON.stringify([...${told}, publication, rows.length]));\n`);
    const { stdout } = await run(process.execPath, [script], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual([
      "EVIDENCE_FOUND",
      "EVIDENCE_FOUND",
      "SQL_STATEMENT",
      expect.objectContaining({ published: true, status: "COMPLETED" }),
      3,
    ]);
  });

  it("has code whose types hold", async () => {
    await writeFile(join(folder, "library.ts"), code);
    const options = {
      extends: join(root, "tsconfig.json"),
      include: ["library.ts"],
      compilerOptions: { noUnusedLocals: false },
    };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(options));
    await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder]).catch((error) => {
      throw new Error(error.stdout);
    });
  });
});
