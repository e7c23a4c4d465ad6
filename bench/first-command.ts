/**
 * The first command of a session against the second: from the call being complete to the command's own first work.
 * `node bench/first-command.ts [folder of a build…]`; several builds run alternately.
 */

import { join, resolve } from "node:path";
import { median, printTable, quantile, shown } from "./figures.ts";
import { costOf, makePlace, removePlace } from "./measure.ts";
import { startBenchServer } from "./server.ts";

const given = process.argv.slice(2);
const builds = given.length > 0 ? given : [join(import.meta.dirname, "..", "dist")];
const runs = Number(process.env["TOOLWRIGHT_RUNS"] ?? 20);

const server = await startBenchServer();
const place = makePlace();
const times = new Map<string, number[]>();
try {
  for (let at = 0; at <= runs; at += 1)
    for (const build of builds)
      for (const kind of ["reading", "writing"]) {
        const [first, second] = await delays(build, kind);
        // The first run creates the database and the compile cache.
        if (at > 0) keep(`${build}: first, ${kind}`, first);
        if (at > 0) keep(`${build}: second, ${kind}`, second);
      }
} finally {
  server.close();
  removePlace(place);
}
const rows = [...times].sort(([one], [other]) => (one < other ? -1 : 1));
printTable([
  ["ms from the complete call to the command", "p10", "p50", "p90"],
  ...rows.map(([name, each]) => [
    name,
    ...[quantile(each, 0.1), median(each), quantile(each, 0.9)].map(shown),
  ]),
]);

async function delays(build: string, kind: string): Promise<[number, number]> {
  const command = join(resolve(build), "bin.cjs");
  const model = `openai-compatible/dated-${kind}`;
  const argv = [command, "-p", "Go.", "--model", model, "--mode", "auto"];
  const { exitCode, complaints } = await costOf(argv, server, place);
  const { requests } = server;
  const delay = (at: number): number =>
    (requests[at + 1]?.begun ?? Number.NaN) - (requests[at]?.called ?? Number.NaN);
  const both: [number, number] = [delay(0), delay(1)];
  if (both.some(Number.isNaN))
    throw new Error(`${build} ended with ${exitCode ?? "a signal"}: ${complaints}`);
  return both;
}

function keep(name: string, value: number): void {
  times.set(name, [...(times.get(name) ?? []), value]);
}
