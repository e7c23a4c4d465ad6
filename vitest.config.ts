import { defineConfig } from "vitest/config";

const long = { globalSetup: ["test/build-command.ts"], testTimeout: 180_000 };

/**
 * Three projects: `fast` is part of `npm run check`; `long` holds whole-process, kill and volume tests; `sandbox` those
 * that use up what the system counts for a user (processes, namespaces), one file after the other and after all others.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "fast",
          include: ["src/**/*.test.ts", "scripts/**/*.test.ts"],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          ...long,
          name: "long",
          include: ["test/**/*.test.ts"],
          exclude: ["test/sandbox*.test.ts"],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...long,
          name: "sandbox",
          include: ["test/sandbox*.test.ts"],
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
