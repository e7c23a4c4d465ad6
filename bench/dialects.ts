/**
 * `node bench/dialects.ts [name…]`: how fast answers are parsed for calls, in MB of text per second of CPU, and whether
 * the time grows linearly. A growth near 4 (from n to 4 n) is as it should be. `auto` runs all dialects side by side.
 */

import type { Dialect } from "../src/dialects/dialect.ts";
import { offeredTools } from "../src/dialects/extract.ts";
import { allDialects } from "../src/dialects/index.ts";
import { createExtractor } from "../src/dialects/reading/extractor.ts";
import { least, printTable, shown } from "./figures.ts";

type Job = { what: string; text: string; chunk: number };

const tools = [
  {
    name: "write_file",
    description: "",
    schema: { type: "object", properties: { path: { type: "string" }, content: { type: "string" } } },
  },
];
const offered = offeredTools(tools);
const length = 400_000;

const names = process.argv.slice(2);
const chosen: (Dialect | undefined)[] = [
  ...(names.length === 0 || names.includes("auto") ? [undefined] : []),
  ...allDialects.filter(({ name }) => names.length === 0 || names.includes(name)),
];
const rows: string[][] = [];
for (const dialect of chosen) for (const job of jobsFor(dialect)) rows.push(row(dialect, job));
printTable([["read as", "what", "chunk", "MB/s", "growth"], ...rows]);

function jobsFor(dialect: Dialect | undefined): Job[] {
  const prose = repeated("It's a plain sentence, with `code`, a < b and [brackets] (see 3.2).\n\n");
  const call = (size: number): string =>
    (dialect ?? allDialects[0])?.writeCalls([
      {
        id: "call00001",
        name: "write_file",
        input: { path: "a.ts", content: 'const a = "b";\n'.repeat(size / 15) },
      },
    ]) ?? "";
  const texts: [string, string][] = [
    ["prose", prose],
    ["one long call", call(length)],
    ...storms(dialect).map((storm): [string, string] => [
      `storm of ${JSON.stringify(storm.slice(0, 24))}`,
      repeated(storm),
    ]),
  ];
  return texts.flatMap(([what, text]) => [1, 4096].map((chunk) => ({ what, text, chunk })));
}

function storms(dialect: Dialect | undefined): string[] {
  const openers = dialect
    ? dialect.openers.map(({ mark }) => `\n${mark}`)
    : ["<tool_call>", '\n{"name": ', "<", "[", "`"];
  return [...openers.slice(0, 2), ...openers.slice(0, 1).map((opener) => `${opener}{"name": "write_file", `)];
}

function repeated(piece: string): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

function row(dialect: Dialect | undefined, { what, text, chunk }: Job): string[] {
  const small = time(dialect, text.slice(0, text.length / 4), chunk);
  const whole = time(dialect, text, chunk);
  const speed = text.length / 1e6 / (whole / 1000);
  return [dialect?.name ?? "auto", what, String(chunk), shown(speed), shown(whole / small)];
}

/** Milliseconds of CPU, the least of three. */
function time(known: Dialect | undefined, text: string, chunk: number): number {
  const once = (): number => {
    const extractor = createExtractor({ dialects: allDialects, known, offered });
    const begun = process.cpuUsage();
    for (let at = 0; at < text.length; at += chunk) extractor.push(text.slice(at, at + chunk));
    extractor.end("stop");
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  };
  return least([once(), once(), once()]);
}
