import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../command.ts";

interface Finding {
  readonly check: string;
  readonly severity: string;
  readonly what: string;
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dualview-doctor-"));
  await mkdir(join(folder, "docs"));
  await writeFile(join(folder, "app.log"), "2026-03-12T02:00:00Z INFO started\n");
  await writeFile(join(folder, "text.db"), "no database at all, for a start ".repeat(64));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function examine(config: string): Promise<{ code: number; of(check: string): Finding | undefined }> {
  await writeFile(join(folder, "dualview.yaml"), config);
  const { code, stdout } = await runCommand(folder, ["doctor", "--json"]);
  const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] };
  return { code, of: (check) => findings.find((finding) => finding.check === check) };
}

describe("dualview doctor, on embedded parts", () => {
  it("finds nothing wrong where all is well, and creates nothing", async () => {
    const before = await readdir(folder);
    const { code, of } = await examine(`
audit: { driver: sqlite, file: kept/audit.db }
tools:
  lookup_knowledge: { collections: { runbooks: { folder: docs } } }
  query_logs: { sources: { app: { files: ["*.log"] } } }`);
    expect(code).toBe(0);
    expect(of("audit.file")).toMatchObject({ severity: "ok", what: expect.stringContaining("will be created") });
    expect(of("store.shared")?.severity).toBe("note");
    expect(of("tools.lookup_knowledge.collections.runbooks")?.severity).toBe("ok");
    expect((await readdir(folder)).filter((name) => name !== "dualview.yaml")).toEqual(
      before.filter((name) => name !== "dualview.yaml"),
    );
  });

  it("names each source that is missing, and goes on with the others", async () => {
    const { code, of } = await examine(`
audit: { driver: sqlite, file: text.db }
tools:
  lookup_knowledge: { collections: { here: { folder: docs }, gone: { folder: absent } } }
  query_logs: { sources: { app: { files: ["absent/*.log"] }, zoned: { files: ["*.log"], timeZone: Mars/Olympus } } }
  query_mysql: { datasources: { shop: { driver: sqlite, file: text.db, policy: absent.yaml } } }`);
    expect(code).toBe(1);
    expect(of("audit.file")).toMatchObject({ severity: "error", what: expect.stringContaining("SQLite error") });
    expect(of("tools.lookup_knowledge.collections.here")?.severity).toBe("ok");
    expect(of("tools.lookup_knowledge.collections.gone")?.what).toContain("absent does not exist");
    expect(of("tools.query_logs.sources.app")).toMatchObject({
      severity: "warning",
      what: expect.stringMatching(/No file/),
    });
    expect(of("tools.query_logs.sources.zoned")?.severity).toBe("error");
    expect(of("tools.query_mysql.datasources.shop")?.what).toContain("absent.yaml does not exist");
  });

  it("says that an audit's folder cannot be made, and that a database is older or strange", async () => {
    const tools = "tools: { lookup_knowledge: { collections: { runbooks: { folder: docs } } } }";
    const below = await examine(`audit: { driver: sqlite, file: app.log/audit.db }\n${tools}`);
    expect(below.of("audit.file")).toMatchObject({ severity: "error" });
    expect((await runCommand(folder, ["audit", "migrate", "--file", "good.db"])).code).toBe(0);
    const good = await examine(`audit: { driver: sqlite, file: good.db }\n${tools}`);
    expect(good.of("audit.schema")).toMatchObject({ severity: "ok" });
  });

  it("ends with 2 for a configuration that cannot be read or is not valid", async () => {
    await writeFile(join(folder, "dualview.yaml"), "tools: { query_log: {} }");
    const wrong = await runCommand(folder, ["doctor"]);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("did you mean 'query_logs'?") });
    expect((await runCommand(folder, ["doctor", "--config", "absent.yaml"])).code).toBe(2);
  });

  it("says that no tool is configured", async () => {
    const { code, of } = await examine("tools: {}");
    expect(code).toBe(1);
    expect(of("tools")?.what).toBe("No tool is configured.");
  });
});
