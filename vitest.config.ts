import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/services/global-setup.ts",
    testTimeout: 30_000,
    // a private database server takes up to ten seconds to begin on a busy machine
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
