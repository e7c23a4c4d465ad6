/**
 * `npm run rows`: for each row of the command knowledge, how many samples have another outcome without it. A row that
 * changes none is listed first: it can be deleted, unless it stands for a class that no sample happens to show.
 */

import { resolve } from "node:path";
import { programTable } from "../src/safety/dangers/index.ts";
import type { Program } from "../src/safety/dangers/program.ts";
import { samples } from "./rows/corpora.ts";
import { outcomeOf } from "./rows/outcome.ts";

const root = resolve(import.meta.dirname, "..");
const table = programTable();
const rows = [...new Set(table.values())];
const samplesOf = new Map<Program, Set<string>>(rows.map((row) => [row, new Set()]));

let current = "";
/** The row, which notes each sample that it is asked about. */
const noting = (row: Program): Program => ({
  ...row,
  does(use) {
    samplesOf.get(row)?.add(current);
    return row.does(use);
  },
});

const plain = [...table];
const wrapped = new Map(rows.map((row) => [row, noting(row)]));
for (const [name, row] of plain) table.set(name, wrapped.get(row) ?? row);
const before = new Map<string, string>();
for (const { line } of samples(root)) {
  current = line;
  before.set(line, outcomeOf(line));
}
for (const [name, row] of plain) table.set(name, row);

const told = rows.map((row) => {
  for (const name of row.names) if (table.get(name) === row) table.delete(name);
  const changed = [...(samplesOf.get(row) ?? [])].filter((line) => outcomeOf(line) !== before.get(line));
  for (const [name, one] of plain) if (one === row) table.set(name, row);
  return { names: row.names.join(" "), used: samplesOf.get(row)?.size ?? 0, changed };
});

for (const { names, used, changed } of told.toSorted(
  (one, other) => one.changed.length - other.changed.length,
)) {
  console.log(`${changed.length} of ${used}: ${names}`);
  if (process.argv.includes("--lines")) for (const line of changed.slice(0, 5)) console.log(`    ${line}`);
}
