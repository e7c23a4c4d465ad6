/**
 * A simulation of a team's server: it repeats what `test/scale/capacity.test.ts` has measured, then goes on to 100,000
 * sessions. `node bench/scale-model.ts [--write]`; `--write` puts its tables into docs/scale.md.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { median, printTable, quantile, shown } from "./figures.ts";
import { type Part, type Processors, simulate, type SimulatedFigures } from "./scale/simulation.ts";

/**
 * By sessions at once: rounds a second, the median turn in milliseconds, and what a round cost each part in milliseconds
 * of a processor, all that it did meanwhile included; 30 November 2026.
 */
const measured = [
  { sessions: 1, rounds: 30.6, turnMs: 187, worker: 7.6, gateway: 1.9, database: 3, model: 2.48 },
  { sessions: 2, rounds: 51.7, turnMs: 200, worker: 5.6, gateway: 1.25, database: 2.65, model: 1.99 },
  { sessions: 4, rounds: 96.2, turnMs: 204, worker: 4.5, gateway: 1.03, database: 2.38, model: 1.4 },
  { sessions: 8, rounds: 142, turnMs: 286, worker: 4.36, gateway: 1.03, database: 2.63, model: 1.32 },
  { sessions: 16, rounds: 198, turnMs: 386, worker: 3.61, gateway: 0.93, database: 2.63, model: 1.25 },
  { sessions: 32, rounds: 235, turnMs: 662, worker: 2.91, gateway: 0.78, database: 2.48, model: 1.05 },
] as const;
type Measured = (typeof measured)[number];
const measuredRounds = 5;
const pollMs = 100;

/** What is assumed of a team: docs/scale.md names it. */
const team = { thinkMs: 15 * 60_000, rounds: 12, awayMs: 7_500 };
const factsPerRound = 6;
const bytesPerFact = 1_000;
const hoursOfWork = 8;
const sessionsOfWorker = 100;
const connections = { worker: 22, gateway: 18 };
const databaseCores = 16;
/** How busy processors may be, so that a burst does not wait. */
const mostBusy = 0.6;

const costs = {
  worker: costOf("worker"),
  gateway: costOf("gateway"),
  database: costOf("database"),
  model: costOf("model"),
};
const page = join(import.meta.dirname, "..", "docs", "scale.md");
const tables = { repeated: repeated(), growth: [100, 1_000, 10_000, 30_000, 100_000].map(grown) };
const heads = {
  repeated: [
    "sessions at once",
    "processors used",
    "rounds/s",
    "simulated",
    "off by",
    "turn, ms",
    "simulated",
    "off by",
  ],
  growth: [
    "sessions",
    "at work",
    "rounds/s",
    "workers + gateways",
    "connections",
    "database: processors busy",
    "facts a day, millions",
    "GB a day",
    "a turn's own time, ms, p50 / p99",
  ],
};
for (const [part, { roundMs, restMs }] of Object.entries(costs))
  console.log(`${part}: ${shown(roundMs)} ms a round, ${shown(restMs)} ms a second at rest`);
printTable([heads.repeated, ...tables.repeated]);
printTable([heads.growth, ...tables.growth]);
if (process.argv.includes("--write")) {
  const lines = (names: readonly string[], rows: readonly string[][]): string =>
    [names, names.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  let text = readFileSync(page, "utf8");
  for (const name of ["repeated", "growth"] as const) {
    const between = new RegExp(`(<!-- ${name} -->\n)[^]*?(\n<!-- /${name} -->)`, "u");
    if (!between.test(text)) throw new Error(`docs/scale.md has no place for the table "${name}".`);
    const table = lines(heads[name], tables[name]);
    text = text.replace(between, (_, open: string, close: string) => `${open}\n${table}\n${close}`);
  }
  writeFileSync(page, text);
}

/** By least squares: what a part costs in a second without work, and what a round adds, in milliseconds. */
function costOf(part: Part): { roundMs: number; restMs: number } {
  const points = measured.map((point) => ({ x: point.rounds, y: point.rounds * point[part] }));
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map((point) => point.x)), mean(points.map((point) => point.y))];
  const roundMs =
    mean(points.map((point) => (point.x - x) * (point.y - y))) /
    mean(points.map((point) => (point.x - x) ** 2));
  return { roundMs, restMs: Math.max(0, y - roundMs * x) };
}

/** All parts on the same processors, as in the test. */
function testMachine(sessions: number, on: Processors): SimulatedFigures {
  const { worker, gateway, database, model } = costs;
  const parts = {
    worker: { ...worker, on },
    gateway: { ...gateway, on },
    database: { ...database, on },
    model: { ...model, on },
  };
  const counted = { after: 20_000, during: 300_000 };
  return simulate({ sessions, thinkMs: 0, rounds: measuredRounds, awayMs: 0, pollMs, parts, counted });
}

/** What all parts together got of the processors. */
function gotIn({ rounds, worker, gateway, database, model }: Measured): number {
  return (rounds * (worker + gateway + database + model)) / 1_000;
}

/** One figure is fitted: the speed of a task on that machine, to the first point. */
function repeated(): string[][] {
  const [first] = measured;
  const simulated = (point: Measured, speed: number): SimulatedFigures =>
    testMachine(point.sessions, { cores: gotIn(point), speed });
  const speed = fitted((value) => simulated(first, value).roundsPerSecond, first.rounds);
  return measured.map((point) => {
    const figures = simulated(point, speed);
    const turnMs = median(figures.turnMs);
    return [
      String(point.sessions),
      shown(gotIn(point)),
      shown(point.rounds),
      shown(figures.roundsPerSecond),
      offBy(figures.roundsPerSecond, point.rounds),
      shown(point.turnMs),
      shown(turnMs),
      offBy(turnMs, point.turnMs),
    ];
  });
}

function offBy(simulated: number, point: number): string {
  const percent = Math.round((100 * (simulated - point)) / point);
  return `${percent < 0 ? "−" : "+"}${Math.abs(percent)} %`;
}

/** The value, of those up to 2, for which a growing figure is as wanted. */
function fitted(figureOf: (value: number) => number, wanted: number): number {
  let [low, high] = [0.01, 2];
  for (let step = 0; step < 12; step += 1) {
    const middle = (low + high) / 2;
    if (figureOf(middle) < wanted) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function grown(sessions: number): string[] {
  const share = (team.rounds * team.awayMs) / (team.rounds * team.awayMs + team.thinkMs);
  const rounds = (1_000 * sessions * share) / team.awayMs;
  const needed = ({ roundMs, restMs }: { roundMs: number; restMs: number }): number =>
    Math.max(2, Math.ceil((rounds * roundMs) / (1_000 * mostBusy - restMs)));
  const workers = Math.max(Math.ceil((sessions * share) / sessionsOfWorker), needed(costs.worker));
  const gateways = needed(costs.gateway);
  const database = { cores: databaseCores, speed: 1 };
  const many = (part: "gateway" | "worker", count: number) => ({
    roundMs: costs[part].roundMs,
    restMs: costs[part].restMs * count,
    on: { cores: count, speed: 1 },
  });
  const parts = {
    worker: many("worker", workers),
    gateway: many("gateway", gateways),
    // Two programs were connected to it when it was measured.
    database: {
      roundMs: costs.database.roundMs,
      restMs: (costs.database.restMs * (workers + gateways)) / 2,
      on: database,
    },
    model: { roundMs: 0, restMs: 0, on: { cores: 1, speed: 1 } },
  };
  const counted = { after: 600_000, during: sessions < 10_000 ? 3_600_000 : 300_000 };
  const figures = simulate({ sessions, ...team, pollMs, parts, counted });
  const facts = (figures.roundsPerSecond * factsPerRound * hoursOfWork * 3_600) / 1e6;
  return [
    sessions.toLocaleString("en"),
    Math.round(figures.atWork).toLocaleString("en"),
    shown(figures.roundsPerSecond),
    `${workers} + ${gateways}`,
    (workers * connections.worker + gateways * connections.gateway).toLocaleString("en"),
    shown(figures.busy.get(database) ?? 0),
    shown(facts),
    shown((facts * bytesPerFact) / 1_000),
    `${shown(median(figures.turnMs))} / ${shown(quantile(figures.turnMs, 0.99))}`,
  ];
}
