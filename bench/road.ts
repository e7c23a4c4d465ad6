/**
 * What the whole road costs: the built command against a scripted server, beside a bare loop ("floor") and the
 * budgets that were set from what other agents need. `npm run bench [-- folder of the build]`.
 */
import { cpus, loadavg } from "node:os";
import { join, resolve } from "node:path";
import { writeFileSync } from "node:fs";
import { least, median, printTable, quantile, shown } from "./figures.ts";
import { costOf, makePlace, removePlace, wallOf, type Cost, type Place } from "./measure.ts";
import { startBenchServer, type BenchServer } from "./server.ts";

const command = join(resolve(process.argv[2] ?? join(import.meta.dirname, "..", "dist")), "bin.cjs");
const floor = join(import.meta.dirname, "floor.cjs");

type Room = { server: BenchServer; place: Place };

/** One line of the table; with several runs the best and the median. `most` is the budget for the median. */
type Row = { what: string; floor?: readonly number[]; ours: readonly number[]; most: number; note?: string };

const rows: Row[] = [];
const room: Room = { server: await startBenchServer(), place: makePlace() };
try {
  await run(room, "one-shot"); // fills the compile cache and creates the database, as any first run does
  startRows(room);
  const one = await oneShot(room);
  await manyRounds(room);
  await earlyStart(room);
  await longAnswers(room, one);
  print();
} finally {
  room.server.close();
  removePlace(room.place);
}

type OneShot = { ours: number; floor: number };

function startRows({ place }: Room): void {
  const empty = join(place.root, "empty.cjs");
  writeFileSync(empty, "");
  const bare = times(25, () => wallOf([empty], place));
  const ours = times(25, () => wallOf([command, "--version"], place));
  rows.push({ what: "--version, wall ms", floor: bare, ours, most: 1.5 * median(bare) });
}

async function oneShot(room: Room): Promise<OneShot> {
  const bare = await repeated(15, () => runFloor(room, "one-shot"));
  const ours = await repeated(15, () => run(room, "one-shot"));
  const [cpu, floorCpu] = [ours.map(({ cpu }) => cpu), bare.map(({ cpu }) => cpu)];
  const [first, floorFirst] = [ours.map(({ first }) => first), bare.map(({ first }) => first)];
  rows.push(
    { what: "one-shot: first request, ms", floor: floorFirst, ours: first, most: 3 * median(floorFirst) },
    { what: "one-shot: CPU s", floor: floorCpu, ours: cpu, most: Math.min(0.12, 3 * median(floorCpu)) },
    {
      what: "one-shot: peak RSS MB",
      floor: bare.map(({ rss }) => rss),
      ours: ours.map(({ rss }) => rss),
      most: 85,
    },
    { what: "first request, KB", floor: bare.map(firstKb), ours: ours.map(firstKb), most: 9 },
  );
  return { ours: median(cpu), floor: median(floorCpu) };
}

function firstKb({ sizes }: Cost): number {
  return (sizes[0] ?? 0) / 1000;
}

async function manyRounds(room: Room): Promise<void> {
  const bare = await repeated(3, () => runFloor(room, "rounds-30"));
  const ours = await repeated(5, () => run(room, "rounds-30", ["--max-rounds", "100"]));
  const [gaps, floorGaps] = [ours.flatMap(({ gaps }) => gaps), bare.flatMap(({ gaps }) => gaps)];
  const slowest = (values: number[]): number[] => [quantile(values, 0.95)];
  rows.push(
    {
      what: "30 rounds: overhead a round, ms",
      floor: floorGaps,
      ours: gaps,
      most: Math.min(3, 3 * median(floorGaps)),
    },
    { what: "30 rounds: the same, 95th of 100", floor: slowest(floorGaps), ours: slowest(gaps), most: 10 },
    {
      what: "30 rounds: CPU s",
      floor: bare.map(({ cpu }) => cpu),
      ours: ours.map(({ cpu }) => cpu),
      most: 0.25,
    },
  );
  await twoHundredRounds(room);
}

/** As two turns of one session, since a turn has at most 100 rounds: the second continues the first. */
async function twoHundredRounds(room: Room): Promise<void> {
  const bare = await repeated(3, () => runFloor(room, "rounds-199"));
  const ours = await repeated(3, async () => {
    const first = await run(room, "rounds-199", ["--max-rounds", "100"]);
    const second = await run(room, "rounds-199", ["--max-rounds", "100", "--continue"]);
    return { first, second };
  });
  const late = ours.map(
    ({ first, second }) => median(second.gaps.slice(-10)) / median(first.gaps.slice(15, 25)),
  );
  const floorLate = bare.map(({ gaps }) => median(gaps.slice(-10)) / median(gaps.slice(15, 25)));
  rows.push(
    {
      what: "200 rounds: CPU s",
      floor: bare.map(({ cpu }) => cpu),
      ours: ours.map(({ first, second }) => first.cpu + second.cpu),
      most: 1,
      note: "two turns of 100, two processes",
    },
    {
      what: "200 rounds: peak RSS MB",
      floor: bare.map(({ rss }) => rss),
      ours: ours.map(({ second }) => second.rss),
      most: 100,
    },
    {
      what: "200 rounds: overhead at 200 / at 20",
      floor: floorLate,
      ours: late,
      most: Math.max(1.5, 1.5 * median(floorLate)),
      note: "the floor's own growth is the request's",
    },
  );
}

async function earlyStart(room: Room): Promise<void> {
  const delays = await repeated(3, async () => {
    const { printed } = await run(room, "early", ["--output", "stream-json"]);
    const started = printed.find(({ text }) => text.includes('"type":"call-start"'))?.at ?? Number.NaN;
    return started - (room.server.requests[0]?.called ?? Number.NaN);
  });
  rows.push({
    what: "early start, ms after the call is whole",
    ours: delays,
    most: 10,
    note: "3 s of stream follow",
  });
}

async function longAnswers(room: Room, one: OneShot): Promise<void> {
  const floorDeltas = await repeated(5, () => runFloor(room, "deltas"));
  const deltas = await repeated(7, () => run(room, "deltas"));
  const over = (costs: readonly Cost[], base: number): number[] => costs.map(({ cpu }) => cpu - base);
  const floorOver = over(floorDeltas, one.floor);
  const floorArgument = await repeated(5, () => runFloor(room, "argument"));
  const argument = await repeated(7, () => run(room, "argument", ["--mode", "accept-edits"]));
  rows.push(
    {
      what: "20,000 deltas: CPU s over one-shot",
      floor: floorOver,
      ours: over(deltas, one.ours),
      most: Math.min(0.15, 2.5 * median(floorOver)),
    },
    {
      what: "20,000 deltas: peak RSS MB",
      floor: floorDeltas.map(({ rss }) => rss),
      ours: deltas.map(({ rss }) => rss),
      most: 110,
    },
    {
      what: "1 MiB argument: CPU s over one-shot",
      floor: over(floorArgument, one.floor),
      ours: over(argument, one.ours),
      most: 0.2,
    },
    {
      what: "1 MiB argument: end of stream to next request, ms",
      floor: floorArgument.flatMap(({ gaps }) => gaps),
      ours: argument.flatMap(({ gaps }) => gaps),
      most: 100,
    },
  );
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

function times<T>(count: number, work: () => T): T[] {
  return Array.from({ length: count }, work);
}

async function repeated<T>(count: number, work: () => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (let at = 0; at < count; at += 1) all.push(await work());
  return all;
}

function print(): void {
  console.log(
    `Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}; the machine may be shared:`,
  );
  console.log("read minima and CPU before wall times, and repeat what looks odd.");
  console.log("The home, its compile cache and its database are warm after one run that is not counted.\n");
  const lines = rows.map(({ what, floor, ours, most, note = "" }) => {
    const verdict = median(ours) <= most ? "ok" : least(ours) <= most ? "over, best within" : "OVER";
    const bare = floor ? shown(median(floor)) : "–";
    return [what, bare, shown(least(ours)), shown(median(ours)), shown(most), verdict, note];
  });
  printTable([["", "floor", "best", "median", "budget", "", ""], ...lines]);
  console.log(
    "\nNot measured: six one-second commands in one answer. Read-only commands are not sandboxed in this release, so commands run one after another by rule.",
  );
}
