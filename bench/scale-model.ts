/**
 * A simulation of a team's server: it repeats what `test/scale/capacity.test.ts` has measured, then goes on to 100,000
 * sessions. `node bench/scale-model.ts [--write]`; `--write` puts its tables into docs/scale.md.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { median, printTable, quantile, shown } from "./figures.ts";
import { type Processors, simulate, type SimulatedFigures } from "./scale/simulation.ts";

/** Rounds a second, and the median turn in milliseconds, by sessions at once; 30 November 2026. */
const measured = [
  { sessions: 1, rounds: 7.9, turnMs: 657 },
  { sessions: 2, rounds: 12.9, turnMs: 694 },
  { sessions: 4, rounds: 18.7, turnMs: 1002 },
];
/** What a round cost each in milliseconds of a processor, with the most sessions. */
const costMs = { worker: 6.2, gateway: 2.2, database: 5.9, model: 2.1 };
const measuredRounds = 5;
const pollMs = 100;

/** What is assumed of a team: docs/scale.md names it. */
const team = { thinkMs: 15 * 60_000, rounds: 12, awayMs: 7_500 };
const factsPerRound = 7;
const bytesPerFact = 500;
const hoursOfWork = 8;
const sessionsOfWorker = 100;
const connections = { worker: 22, gateway: 18 };
const databaseCores = 16;
/** How busy processors may be, so that a burst does not wait. */
const mostBusy = 0.6;

const page = join(import.meta.dirname, "..", "docs", "scale.md");
const tables = { repeated: repeated(), growth: [100, 1_000, 10_000, 30_000, 100_000].map(grown) };
const heads = {
  repeated: ["sessions at once", "rounds/s", "simulated", "off by", "turn, ms", "simulated", "off by"],
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

/** All parts on the same processors, as in the test: `speed` and `cores` are what others left of them. */
function busyMachine(sessions: number, on: Processors): SimulatedFigures {
  const part = (name: keyof typeof costMs) => ({ costMs: costMs[name], on });
  const parts = {
    worker: part("worker"),
    gateway: part("gateway"),
    database: part("database"),
    model: part("model"),
  };
  const counted = { after: 20_000, during: 300_000 };
  return simulate({ sessions, thinkMs: 0, rounds: measuredRounds, awayMs: 0, pollMs, parts, counted });
}

/** Two figures are fitted: the speed of a task to the first point, the processors to the last. */
function repeated(): string[][] {
  const [first, last] = [measured[0], measured.at(-1)];
  if (!first || !last) throw new Error("Nothing was measured.");
  const speed = fitted(
    (value) => busyMachine(first.sessions, { cores: 2, speed: value }).roundsPerSecond,
    first.rounds,
  );
  const cores = fitted(
    (value) => busyMachine(last.sessions, { cores: value, speed }).roundsPerSecond,
    last.rounds,
  );
  return measured.map((point) => {
    const simulated = busyMachine(point.sessions, { cores, speed });
    const turnMs = median(simulated.turnMs);
    return [
      String(point.sessions),
      shown(point.rounds),
      shown(simulated.roundsPerSecond),
      offBy(simulated.roundsPerSecond, point.rounds),
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
  const needed = (cost: number): number => (rounds * cost) / 1_000 / mostBusy;
  const workers = Math.max(
    2,
    Math.ceil((sessions * share) / sessionsOfWorker),
    Math.ceil(needed(costMs.worker)),
  );
  const gateways = Math.max(2, Math.ceil(needed(costMs.gateway)));
  const database = { cores: databaseCores, speed: 1 };
  const parts = {
    worker: { costMs: costMs.worker, on: { cores: workers, speed: 1 } },
    gateway: { costMs: costMs.gateway, on: { cores: gateways, speed: 1 } },
    database: { costMs: costMs.database, on: database },
    model: { costMs: 0, on: { cores: 1_000, speed: 1 } },
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
