/** Prints `N passed, N failed` as the last line, from the JSON reports written by the test scripts. */

import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Report, summary } from "./tests/summary.ts";

const reports = join(process.argv[2] ?? join(import.meta.dirname, "..", "node_modules", ".cache", "tests"));
const names = (await readdir(reports).catch(() => [])).filter((name) => name.endsWith(".json"));
const all = await Promise.all(
  names.map(async (name): Promise<Report> => JSON.parse(await readFile(join(reports, name), "utf8"))),
);

if (all.length === 0) console.log("No test ran: what came before the tests has failed.");
const { passed, failed, second } = summary(all);
for (const name of second) console.log(`passed only at the second try: ${name}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
