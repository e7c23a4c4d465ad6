/**
 * The cost of the whole road: the built command against a scripted server, compared with a bare loop ("floor") and with
 * budgets derived from what other agents need. `npm run bench [-- folder of the build]`.
 */

import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join, resolve } from "node:path";
import { least, median, printTable, quantile, shown } from "./figures.ts";
import { costOf, makePlace, removePlace, wallOf, type Cost, type Place } from "./measure.ts";
import { startBenchServer, type BenchServer } from "./server.ts";

const command = join(resolve(process.argv[2] ?? join(import.meta.dirname, "..", "dist")), "bin.cjs");
const floor = join(import.meta.dirname, "floor.cjs");

type Room = { server: BenchServer; place: Place };

/** One row of the table: the floor's runs and ours. `most` is the budget for the median of ours. */
type Row = {
  what: string;
  floor?: readonly number[];
  ours: readonly number[];
  most: number;
  note?: string;
};

const rows: Row[] = [];
const context: Room = { server: await startBenchServer(), place: makePlace() };
try {
  await run(context, "one-shot"); // fills the compile cache and creates the database, like any first run
  start(context);
  await oneShot(context);
  await thirtyRounds(context);
  await twoHundredRounds(context);
  await earlyStart(context);
  await manyDeltas(context);
  await largeArgument(context);
  print();
} finally {
  context.server.close();
  removePlace(context.place);
}

function start({ place }: Room): void {
  const empty = join(place.root, "empty.cjs");
  writeFileSync(empty, "");
  const runs = Array.from({ length: 25 }, () => ({
    bare: wallOf([empty], place),
    ours: wallOf([command, "--version"], place),
  }));
  const bare = runs.map((run) => run.bare);
  rows.push({
    what: "--version: wall ms",
    floor: bare,
    ours: runs.map((run) => run.ours),
    most: 1.5 * median(bare),
  });
}

async function oneShot(context: Room): Promise<void> {
  const runs = await alternately(15, context, "one-shot");
  const cpu = figures(runs, ({ cpu }) => cpu);
  const first = figures(runs, ({ first }) => first);
  const firstKb = ({ sizes }: Cost): number => (sizes[0] ?? 0) / 1000;
  rows.push(
    { what: "one-shot: first request, ms", ...first, most: 3 * median(first.floor) },
    { what: "one-shot: CPU s", ...cpu, most: Math.min(0.12, 3 * median(cpu.floor)) },
    { what: "one-shot: peak RSS MB", ...figures(runs, ({ rss }) => rss), most: 85 },
    { what: "one-shot: size of the request, KB", ...figures(runs, firstKb), most: 9 },
  );
}

async function thirtyRounds(context: Room): Promise<void> {
  const runs = await alternately(6, context, "rounds-30", ["--max-rounds", "100"]);
  const gaps = {
    floor: runs.floor.flatMap((cost) => cost.gaps),
    ours: runs.ours.flatMap((cost) => cost.gaps),
  };
  const slow = ({ gaps }: Cost): number => quantile(gaps, 0.95);
  rows.push(
    { what: "30 rounds: overhead of each, ms", ...gaps, most: Math.min(3, 3 * median(gaps.floor)) },
    { what: "30 rounds: the same, 95th percentile", ...figures(runs, slow), most: 10 },
    { what: "30 rounds: CPU s", ...figures(runs, ({ cpu }) => cpu), most: 0.25 },
  );
}

/** Two turns of one session in two processes: the second also reads what the first has stored. */
async function twoHundredRounds(context: Room): Promise<void> {
  const bare: Cost[] = [];
  const pairs: { first: Cost; second: Cost }[] = [];
  for (let at = 0; at < 3; at += 1) {
    bare.push(await runFloor(context, "rounds-199"));
    const first = await run(context, "rounds-199", ["--max-rounds", "100"]);
    pairs.push({ first, second: await run(context, "rounds-199", ["--max-rounds", "100", "--continue"]) });
  }
  const growth = (early: Cost, late: Cost): number =>
    median(late.gaps.slice(-10)) / median(early.gaps.slice(15, 25));
  const floorGrowth = bare.map((cost) => growth(cost, cost));
  rows.push(
    {
      what: "200 rounds: CPU s",
      floor: bare.map(({ cpu }) => cpu),
      ours: pairs.map(({ first, second }) => first.cpu + second.cpu),
      most: 1,
      note: "two turns of 100, in two processes",
    },
    {
      what: "200 rounds: peak RSS MB",
      floor: bare.map(({ rss }) => rss),
      ours: pairs.map(({ second }) => second.rss),
      most: 100,
    },
    {
      what: "200 rounds: overhead at 200 : at 20",
      floor: floorGrowth,
      ours: pairs.map(({ first, second }) => growth(first, second)),
      most: 1.5 * Math.max(1, median(floorGrowth)),
      note: "the floor's growth is that of the request",
    },
  );
}

async function earlyStart(context: Room): Promise<void> {
  const delays: number[] = [];
  for (let at = 0; at < 4; at += 1) {
    const { printed } = await run(context, "early", ["--output", "stream-json"]);
    const started = printed.find(({ text }) => text.includes('"type":"call-start"'))?.at ?? Number.NaN;
    delays.push(started - (context.server.requests[0]?.called ?? Number.NaN));
  }
  rows.push({
    what: "early start: ms after the call is whole",
    ours: delays,
    most: 10,
    note: "3 s of stream follow",
  });
}

async function manyDeltas(context: Room): Promise<void> {
  const { runs, over } = await overOneShot(context, "deltas");
  rows.push(
    {
      what: "20,000 deltas: CPU s over one-shot",
      ...over,
      most: Math.min(0.15, 2.5 * median(over.floor)),
    },
    { what: "20,000 deltas: peak RSS MB", ...figures(runs, ({ rss }) => rss), most: 110 },
  );
}

async function largeArgument(context: Room): Promise<void> {
  const { runs, over } = await overOneShot(context, "argument", [
    "--mode",
    "accept-edits",
    "--context-tokens",
    "2000000",
  ]);
  const gap = ({ gaps }: Cost): number => gaps[0] ?? Number.NaN;
  rows.push(
    { what: "1 MiB argument: CPU s over one-shot", ...over, most: 0.2 },
    { what: "1 MiB argument: last byte to next request, ms", ...figures(runs, gap), most: 100 },
  );
}

type Runs = { floor: Cost[]; ours: Cost[] };

/** Alternates floor and command, so that both run under the same conditions. */
async function alternately(
  count: number,
  context: Room,
  model: string,
  more: readonly string[] = [],
): Promise<Runs> {
  const runs: Runs = { floor: [], ours: [] };
  for (let at = 0; at < count; at += 1) {
    runs.floor.push(await runFloor(context, model));
    runs.ours.push(await run(context, model, more));
  }
  return runs;
}

/** CPU time beyond that of a one-shot run right before. */
async function overOneShot(context: Room, model: string, more: readonly string[] = []) {
  const runs: Runs = { floor: [], ours: [] };
  const over: { floor: number[]; ours: number[] } = { floor: [], ours: [] };
  for (let at = 0; at < 9; at += 1) {
    const base = await alternately(1, context, "one-shot");
    const long = await alternately(1, context, model, more);
    for (const who of ["floor", "ours"] as const) {
      runs[who].push(...long[who]);
      over[who].push((long[who][0]?.cpu ?? 0) - (base[who][0]?.cpu ?? 0));
    }
  }
  return { runs, over };
}

function figures({ floor, ours }: Runs, read: (cost: Cost) => number): { floor: number[]; ours: number[] } {
  return { floor: floor.map(read), ours: ours.map(read) };
}

async function run({ server, place }: Room, model: string, more: readonly string[] = []): Promise<Cost> {
  const argv = [command, "-p", "go", "--model", `openai-compatible/${model}`, ...more];
  const cost = await costOf(argv, server, place);
  const atLimit = model === "rounds-199" && cost.exitCode === 4;
  if (cost.exitCode !== 0 && !atLimit)
    throw new Error(`${argv.join(" ")} ended with ${cost.exitCode}: ${cost.complaints}`);
  return cost;
}

function runFloor({ server, place }: Room, model: string): Promise<Cost> {
  return costOf([floor, server.url, model], server, place);
}

function print(): void {
  console.log(
    `Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}. The machine may be shared, and then every figure here`,
  );
  console.log(
    "varies by half, CPU too: read the best run and the distance to the floor, which ran in turn with us.",
  );
  console.log("The home, its compile cache and its database are warm after one run that is not counted.\n");
  const lines = rows.map(({ what, floor, ours, most, note = "" }) => {
    const verdict = median(ours) <= most ? "ok" : least(ours) <= most ? "best within" : "OVER";
    const bare = floor ? [shown(least(floor)), shown(median(floor))] : ["–", "–"];
    return [what, ...bare, shown(least(ours)), shown(median(ours)), shown(most), verdict, note];
  });
  const head = ["", "floor: best", "median", "ours: best", "median", "budget", "", ""];
  printTable([head, ...lines]);
}
