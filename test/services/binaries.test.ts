import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isInstalled } from "./binaries.ts";

const SERVER = { names: ["dv-server", "dv-other"], override: "DV_SERVER_BIN", companions: ["dv-installer"] };
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dualview-programs-"));
  vi.stubEnv("PATH", folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

describe("a server program", () => {
  it.each([
    { there: [], installed: false },
    { there: ["dv-installer"], installed: false },
    { there: ["dv-server"], installed: false },
    { there: ["dv-server", "dv-installer"], installed: true },
    { there: ["dv-other"], installed: true },
  ])("is installed with what it does not run without: $there", ({ there, installed }) => {
    for (const name of there) writeFileSync(join(folder, name), "");
    expect(isInstalled(SERVER)).toBe(installed);
  });

  it("is never looked for elsewhere when its variable names one that does not exist", () => {
    writeFileSync(join(folder, "dv-other"), "");
    vi.stubEnv("DV_SERVER_BIN", join(folder, "absent"));
    expect(() => isInstalled(SERVER)).toThrow("DV_SERVER_BIN names");
  });
});
