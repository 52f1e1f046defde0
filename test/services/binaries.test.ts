import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { findProgram } from "./binaries.ts";

const SERVER = { names: ["dv-server", "dv-other"], override: "DV_SERVER_BIN" };
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
  it("is found under its first name before another", () => {
    expect(findProgram(SERVER)).toBeNull();
    writeFileSync(join(folder, "dv-other"), "");
    expect(findProgram(SERVER)).toBe(join(folder, "dv-other"));
    writeFileSync(join(folder, "dv-server"), "");
    expect(findProgram(SERVER)).toBe(join(folder, "dv-server"));
  });

  it("is never looked for elsewhere when its variable names one that does not exist", () => {
    writeFileSync(join(folder, "dv-other"), "");
    vi.stubEnv("DV_SERVER_BIN", join(folder, "absent"));
    expect(() => findProgram(SERVER)).toThrow("DV_SERVER_BIN names");
  });
});
