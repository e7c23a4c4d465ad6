import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { scale } from "./src/testing/scale.ts";

/** These use up what the system counts for a user: processes, memory. */
const greedy = ["test/stress/sandbox.test.ts", "test/stress/sandbox-limits.test.ts"];
/** Far more than anything takes, on however busy a machine: only what hangs is to fail by it. */
const patience = (ms: number) => ({
  testTimeout: ms,
  hookTimeout: ms,
  expect: { poll: { timeout: Math.min(ms / 2, 60_000) } },
});
/** Every third second a test waits, for another process or for what a limit allows. */
const workers = Math.ceil(availableParallelism() * 1.5);
const setupFiles = ["test/random-seed.ts"];
/** Our own programs that tests start are compiled once, which takes longer than they then run. */
const compiled = join(import.meta.dirname, "node_modules/.cache/tests/compiled");
/**
 * With TOOLWRIGHT_TEST_DATABASE the sessions of tests are kept in databases of that server, also those that tests keep
 * in memory otherwise; `start` starts one.
 */
const isOnServer = process.env["TOOLWRIGHT_TEST_DATABASE"] !== undefined;
const databases = isOnServer ? ["test/postgres/setup.ts"] : [];
const memory = join(import.meta.dirname, "src/session/testing/memory-on-server.ts");
const resolve = { alias: isOnServer ? [{ find: /^.*\/memory-store\.ts$/u, replacement: memory }] : [] };
/** Whole processes and browsers on a busy machine. A second try is told by name in the summary at the end. */
const long = {
  globalSetup: ["test/build-command.ts", ...databases],
  setupFiles,
  retry: 1,
  ...patience(600_000 * scale),
};

/** What stands beside its source. A worker runs its files in one process, which loads each module once. */
const beside = {
  globalSetup: databases,
  setupFiles,
  env: { NODE_COMPILE_CACHE: compiled },
  // Room for what is young: collecting it less often takes a tenth off the processor time.
  execArgv: ["--min-semi-space-size=32", "--max-semi-space-size=64"],
  isolate: false,
  retry: 1,
  ...patience(120_000),
};
const testsIn = ["src/**/*.test.ts", "scripts/**/*.test.ts", "editors/vscode/{src,scripts}/**/*.test.ts"];
const startingPrograms = testsIn.map((pattern) => pattern.replace("*.test.ts", "*.programs.test.ts"));

/**
 * `fast` is part of `npm run check` and starts no program: `programs` holds the files beside it that do. `long` holds
 * whole processes; `rest` the page in a browser, the screen in a terminal, the sandbox, kills, races, faults, attacks and volume; `sandbox` those
 * that would disturb others (`greedy`), one file after the other and after all of those;
 * `scale` gateways and workers over a real PostgreSQL; `editors` the extension in a real VS Code; `models` real models behind a real server.
 */
export default defineConfig({
  test: {
    projects: [
      {
        resolve,
        test: {
          ...beside,
          name: "fast",
          // A third worker on two cores ends no sooner, and loads every module once more.
          maxWorkers: availableParallelism(),
          setupFiles: [...setupFiles, "test/no-programs.ts"],
          include: testsIn,
          exclude: startingPrograms,
        },
      },
      {
        resolve,
        test: {
          ...beside,
          name: "programs",
          include: startingPrograms,
          maxWorkers: workers,
          sequence: { groupOrder: 1 },
        },
      },
      {
        resolve,
        test: {
          ...long,
          name: "long",
          include: ["test/*.test.ts"],
          maxWorkers: workers,
          sequence: { groupOrder: 1 },
        },
      },
      {
        resolve,
        test: {
          ...long,
          name: "rest",
          include: ["test/{page,stress,terminal}/*.test.ts"],
          exclude: greedy,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...long,
          name: "sandbox",
          include: greedy,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: "postgres",
          globalSetup: ["test/postgres/setup.ts"],
          setupFiles,
          include: ["test/postgres/*.test.ts"],
          retry: 1,
          // What one test writes, another would see: `changed` tells of the whole server.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          ...patience(120_000),
        },
      },
      {
        test: {
          ...long,
          name: "scale",
          globalSetup: ["test/build-command.ts", "test/postgres/setup.ts"],
          include: ["test/scale/*.test.ts"],
          // Each starts several processes of ours.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...long,
          name: "editors",
          // Whole windows of an editor that we did not write.
          retry: 2,
          include: ["test/editors/*.test.ts"],
          // A VS Code in a browser uses both cores, and 1.7 GB.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...long,
          name: "models",
          globalSetup: [...long.globalSetup, "test/models/download.ts"],
          include: ["test/models/*.test.ts"],
          // A model uses both cores.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
