import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const pages = ["README.md", "README.zh-CN.md"] as const;
const run = promisify(execFile);
let folder: string;

const blocks = (page: string, language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(([, code = ""]) => code);
const read = (name: string): Promise<string> => readFile(join(root, name), "utf8");

beforeAll(async () => {
  folder = await mkdtemp(join(root, ".dualview-readme-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("the README", () => {
  it("says the same in both languages: the same code, commands, links and tables", async () => {
    const [english, chinese] = await Promise.all(pages.map(read));
    const shape = (page = "") => ({
      code: blocks(page, "ts").map((code) => code.replace(/ *\/\/ .*$/gm, "")),
      commands: blocks(page, "sh").map((code) => code.replace(/ +#.*$/gm, "")),
      links: [...page.matchAll(/\]\(((?!README)[^)]+)\)/g)].map(([, link]) => link),
      headings: page.split("\n").filter((line) => line.startsWith("#")).length,
      rows: page.split("\n").filter((line) => line.startsWith("|")).length,
    });
    expect(shape(chinese)).toEqual(shape(english));
    expect(english?.split("\n").length).toBeLessThan(200);
  });

  it("links only to what exists, as the pages behind it do", async () => {
    const docs = (await readdir(join(root, "docs"), { recursive: true })).filter((name) => name.endsWith(".md"));
    const linking = [...pages, "CONTRIBUTING.md", "SECURITY.md", ...docs.map((name) => join("docs", name))];
    let links = 0;
    for (const page of linking) {
      for (const [, link = ""] of (await read(page)).matchAll(/\]\(([^)#:]+)\)/g)) {
        links += 1;
        expect(existsSync(join(root, dirname(page), link)), `${page}: ${link}`).toBe(true);
      }
    }
    expect(links).toBeGreaterThan(20);
  });

  it("has an example that runs as it says", async () => {
    const [example = ""] = blocks(await read("README.md"), "ts");
    const plain = example.replace(" as { lines: string[] }", "");
    const script = join(folder, "example.mjs");
    await writeFile(script, `${plain}\nconsole.log(JSON.stringify([observation.items[0].text, verdict.verdict]));\n`);
    const { stdout } = await run(process.execPath, [script]);
    expect(JSON.parse(stdout)).toEqual(["checkout: pool timed out, password=[[secret:pw]]", "PASS"]);
  });

  it("has an example whose types hold", async () => {
    const [example = ""] = blocks(await read("README.md"), "ts");
    await writeFile(join(folder, "example.ts"), example);
    const options = {
      extends: join(root, "tsconfig.json"),
      include: ["example.ts"],
      compilerOptions: { noUnusedLocals: false },
    };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(options));
    await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder]).catch((error) => {
      throw new Error(error.stdout);
    });
  });
});
