import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/services/global-setup.ts",
    testTimeout: 30_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
