/** Tests inside the extension host: a module there says `test(title, run)`; `run` below is what VS Code calls. */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";

export type HostTests = { passed: string[]; failed: { title: string; problem: string }[] };

type Run = () => Promise<void> | Thenable<unknown>;

/** In the directory of the bundle, which is made for one run. */
export const reportName = "report.json";

const tests: { title: string; run: Run }[] = [];

export function test(title: string, run: Run): void {
  tests.push({ title, run });
}

/** Runs every test, one after the other. */
export async function run(): Promise<void> {
  const report: HostTests = { passed: [], failed: [] };
  for (const { title, run } of tests) {
    try {
      await run();
      report.passed.push(title);
    } catch (error) {
      report.failed.push({
        title,
        problem: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
  }
  await writeFile(join(import.meta.dirname, reportName), JSON.stringify(report));
}
