/**
 * Tests inside the extension host. A module there describes them by `test`, and says `export { run } from "./in-host.ts"`
 * (or wherever this file is from there), because VS Code calls `run` of the module that it is given.
 */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";

export type HostTests = { passed: string[]; failed: { title: string; problem: string }[] };

type Work = () => void | Thenable<unknown>;

/** In the bundle's directory, which is made for one run. */
export const reportName = "report.json";

const tests: { title: string; work: Work }[] = [];

export function test(title: string, work: Work): void {
  tests.push({ title, work });
}

/** Runs every test, one after the other. */
export async function run(): Promise<void> {
  const report: HostTests = { passed: [], failed: [] };
  for (const { title, work } of tests) {
    try {
      await work();
      report.passed.push(title);
    } catch (error) {
      report.failed.push({ title, problem: problemOf(error) });
    }
  }
  await writeFile(join(__dirname, reportName), JSON.stringify(report));
}

const problemOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
