/** Compiles `src/safety/commands/*.yaml`, what Toolwright knows of programs, into one module. */

import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isMap, isSeq, LineCounter, parseDocument } from "yaml";
import { problemIn } from "../../src/safety/dangers/data/data-program.ts";
import { commandRow, type PlacedRow } from "../../src/safety/dangers/data/row.ts";

const folder = "src/safety/commands";

/** The text of the module. Throws with all problems, each with its file and line. */
export function compiledRows(root: string): string {
  const problems: string[] = [];
  const known = new Map<string, string>();
  const files = globSync(`${folder}/*.yaml`, { cwd: root }).toSorted();
  const rows = files.map((file) => {
    const read = rowsIn(readFileSync(join(root, file), "utf8"), basename(file));
    problems.push(...read.problems);
    for (const { programs, at } of read.rows)
      for (const name of programs.match(/\S+/gu) ?? []) {
        const first = known.get(name);
        if (first !== undefined) problems.push(`${at}: ${name} has a row already: ${first}`);
        known.set(name, at);
      }
    return read.rows;
  });
  if (problems.length > 0) throw new Error(problems.map((problem) => `${folder}/${problem}`).join("\n"));
  const lines = rows.map((some) => `  ...rows(${JSON.stringify(JSON.stringify(some))}),`);
  return `${head}${lines.join("\n")}\n];\n`;
}

const head = `/** Written by \`npm run docs\` from the data beside it: change that. */

import type { PlacedRow } from "../dangers/data/row.ts";

const rows = (text: string): PlacedRow[] => JSON.parse(text);

/** What the data says of programs. */
export const compiled: readonly PlacedRow[] = [
`;

function rowsIn(text: string, file: string): { rows: PlacedRow[]; problems: string[] } {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  const placed = (offset: number): string => `${file}:${counter.linePos(offset).line}`;
  const wrong = document.errors.map((error) => `${placed(error.pos[0])}: ${error.message.split("\n")[0]}`);
  if (wrong.length > 0) return { rows: [], problems: wrong };
  const list = document.contents;
  if (!isSeq(list))
    return { rows: [], problems: [`${file}:1: it must be a list of rows, each with "programs"`] };
  const rows: PlacedRow[] = [];
  const problems: string[] = [];
  for (const item of list.items) {
    const at = placed(isMap(item) ? (item.range?.[0] ?? 0) : 0);
    const read = commandRow.safeParse(isMap(item) ? item.toJS(document) : item);
    const problem = read.success ? problemIn(read.data) : said(read.error.issues[0]);
    if (problem !== undefined) problems.push(`${at}: ${problem}`);
    else if (read.success) rows.push({ ...read.data, at });
  }
  return { rows, problems };
}

const said = (issue: { path: PropertyKey[]; message: string } | undefined): string =>
  `${issue?.path.map(String).join(".") ?? ""}: ${issue?.message ?? "it is no row"}`;
