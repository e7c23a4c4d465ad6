import { defineConfig } from "vitest/config";

/** Two projects: `fast` is part of `npm run check`; `long` holds whole-process, kill and volume tests. */
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
          name: "long",
          include: ["test/**/*.test.ts"],
          globalSetup: ["test/build-command.ts"],
          testTimeout: 180_000,
        },
      },
    ],
  },
});
