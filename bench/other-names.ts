/**
 * `node bench/other-names.ts`: what it costs to tell whether a file of the workspace is a secret under another name, in
 * a workspace of 20,000 files in 1,000 directories: for the first file of a step, and for each further one.
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withOtherNames } from "../src/safety/other-names.ts";
import { sensitiveFiles } from "../src/safety/sensitive-files.ts";
import { printTable, quantile, shown } from "./figures.ts";

const [directories, filesEach] = [1_000, 20];
const root = mkdtempSync(join(tmpdir(), "toolwright-bench-"));
for (let at = 0; at < directories; at += 1) {
  mkdirSync(join(root, `d${at % 30}`, `e${at}`), { recursive: true });
  for (let file = 0; file < filesEach; file += 1)
    writeFileSync(join(root, `d${at % 30}`, `e${at}`, `file-${file}.ts`), "x\n");
}
writeFileSync(join(root, ".env"), "KEY=x\n");

const path = (at: number): string => `d${at % 30}/e${at}/file-${at % filesEach}.ts`;

/** Microseconds. */
function timeOf(work: () => unknown): number {
  const started = performance.now();
  work();
  return 1000 * (performance.now() - started);
}

const own = sensitiveFiles();
const cold = timeOf(() => withOtherNames(own, root)(path(0)));
const firsts = Array.from({ length: 20 }, (_, at) => timeOf(() => withOtherNames(own, root)(path(at))));
const known = withOtherNames(own, root);
known(path(0));
const others = Array.from({ length: directories }, (_, at) => timeOf(() => known(path(at))));
const plain = Array.from({ length: directories }, (_, at) => timeOf(() => own(path(at))));
printTable([
  ["20,000 files, µs a file", "p50", "p99"],
  ["the very first of a process", shown(cold), ""],
  ...[
    ["the first of a step", firsts] as const,
    ["each further one", others] as const,
    ["by its own name only", plain] as const,
  ].map(([what, times]) => [what, shown(quantile(times, 0.5)), shown(quantile(times, 0.99))]),
]);
rmSync(root, { recursive: true, force: true });
