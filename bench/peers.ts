/**
 * The race: the same scenarios for this checkout's build and for other agents, pinned in bench/peers/package.json and
 * installed from npm into a cache. `npm run bench:peers [-- RUNS]` prints the medians (5 runs of each by default);
 * `--write` puts them into docs/performance.md. The peers run without a sandbox; ours contains its commands, as always.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { installedAgents } from "../test/agents/installed.ts";
import { median, printTable, quantile, shown } from "./figures.ts";
import { makePlace, removePlace } from "./measure.ts";
import { racers, type Racer } from "./peers/agents.ts";
import { runOnce, type Run, type Track } from "./peers/run.ts";
import { scenarios } from "./peers/scenarios.ts";

type ScenarioName = keyof typeof scenarios;
type Runs = Readonly<Record<ScenarioName, readonly Run[]>>;

const scenarioNames = ["oneShot", "rounds", "deltas", "argument", "early", "six"] as const;

const rows: readonly (readonly [what: string, value: (runs: Runs) => number])[] = [
  ["start to first request, ms", ({ oneShot }) => median(oneShot.map(firstOf))],
  ["one answer: CPU s", ({ oneShot }) => cpuOf(oneShot)],
  ["the same: memory of all processes, MB", ({ oneShot }) => median(oneShot.map(({ memory }) => memory))],
  ["first request: prompt and tools, KB", ({ oneShot }) => median(oneShot.map(bytesOf)) / 1_000],
  ["30 reads: a round besides the model, ms", ({ rounds }) => median(rounds.flatMap(gapsOf))],
  ["the same, 95 of 100", ({ rounds }) => quantile(rounds.flatMap(gapsOf), 0.95)],
  ["the same: CPU s over one answer", ({ rounds, oneShot }) => cpuOf(rounds) - cpuOf(oneShot)],
  ["20,000 words streamed: CPU s over one answer", ({ deltas, oneShot }) => cpuOf(deltas) - cpuOf(oneShot)],
  ["256 KiB written: end of the call to next request, ms", ({ argument }) => lastGap(argument)],
  ["a command while the answer goes on: until it runs, ms", ({ early }) => beginOf(early, 0)],
  ["the same, the second one", ({ early }) => beginOf(early, 1)],
  ["six commands of 1 s that write, in one answer, s", ({ six }) => lastGap(six) / 1_000],
];

const { values, positionals } = parseArgs({
  options: { write: { type: "boolean" } },
  allowPositionals: true,
});
const count = Number(positionals[0] ?? 5);
const packages = await installedAgents(join(import.meta.dirname, "peers"), "peers");
const place = makePlace();
const track: Track = { packages, workspace: place.workspace, homes: join(place.root, "homes") };
async function race(): Promise<void> {
  const [load = 0] = loadavg();
  const runs = new Map<Racer, Map<ScenarioName, Run[]>>();
  const excuses = new Map<string, string>();
  for (const racer of racers) await runOnce(racer, scenarios.oneShot, track).catch(() => undefined); // fills caches
  for (let turn = 0; turn < count; turn += 1)
    for (const name of scenarioNames)
      for (const racer of racers) {
        const mine = runs.get(racer) ?? new Map<ScenarioName, Run[]>();
        runs.set(racer, mine);
        try {
          mine.set(name, [...(mine.get(name) ?? []), await runOnce(racer, scenarios[name], track)]);
        } catch (error) {
          excuses.set(`${racer.name}, ${name}`, error instanceof Error ? error.message : String(error));
        }
        process.stderr.write(`\r\u{1B}[K${turn + 1} of ${count}: ${name}, ${racer.name}`);
      }
  process.stderr.write("\r\u{1B}[K");
  const heads = racers.map((racer) => `${racer.name} ${versionOf(racer)}`.trim());
  const table = rows.map(([what, value]) => [
    what,
    ...racers.map((racer) => shown(value(allOf(runs.get(racer))))),
  ]);
  const where = `Node ${process.version}, ${cpus().length} cores, load ${load.toFixed(1)} before, medians of ${count} runs each, ${new Date().toISOString().slice(0, 10)}`;
  console.log(where);
  printTable([["", ...heads], ...table]);
  for (const [who, why] of excuses) console.log(`${who}: ${why}`);
  if (values.write === true) writeInto([where, ["what", ...heads], table, [...excuses.keys()]]);
}

function writeInto([where, heads, table, failed]: [string, string[], string[][], string[]]): void {
  const page = join(import.meta.dirname, "..", "docs", "performance.md");
  const lines = [heads, heads.map(() => "---"), ...table].map((cells) => `| ${cells.join(" | ")} |`);
  const excuse = failed.length === 0 ? "" : `\n\nNot every run ended well: ${failed.join("; ")}.`;
  const between = /(<!-- race -->\n)[^]*?(\n<!-- \/race -->)/u;
  const text = readFileSync(page, "utf8");
  if (!between.test(text)) throw new Error("docs/performance.md has no place for the race.");
  writeFileSync(
    page,
    text.replace(
      between,
      (_, open: string, close: string) => `${open}\n${where}.\n\n${lines.join("\n")}${excuse}\n${close}`,
    ),
  );
}

function allOf(runs: ReadonlyMap<ScenarioName, readonly Run[]> | undefined): Runs {
  const of = (name: ScenarioName): readonly Run[] => runs?.get(name) ?? [];
  return {
    oneShot: of("oneShot"),
    rounds: of("rounds"),
    deltas: of("deltas"),
    argument: of("argument"),
    early: of("early"),
    six: of("six"),
  };
}

function versionOf({ packageName }: Racer): string {
  if (packageName === "") return "";
  const manifest: { version: string } = JSON.parse(
    readFileSync(join(packages, packageName, "package.json"), "utf8"),
  );
  return manifest.version;
}

const cpuOf = (runs: readonly Run[]): number => median(runs.map(({ cpu }) => cpu));
const firstOf = ({ requests, started }: Run): number => (requests[0]?.arrived ?? Number.NaN) - started;
const bytesOf = ({ requests }: Run): number => requests[0]?.bytes ?? Number.NaN;
const lastGap = (runs: readonly Run[]): number => median(runs.map((run) => gapsOf(run)[0] ?? Number.NaN));

/** Milliseconds from the end of each answer to the next request. */
const gapsOf = ({ requests }: Run): number[] =>
  requests.slice(1).map(({ arrived }, at) => arrived - (requests[at]?.answered ?? Number.NaN));

/** Milliseconds from a complete call to the start of its command, which printed the time in nanoseconds. */
const beginOf = (runs: readonly Run[], round: number): number =>
  median(
    runs.map(({ requests }) => {
      const begun = Number(/\d{19}/u.exec(requests[round + 1]?.last ?? "")?.[0]) / 1e6;
      return begun - (requests[round]?.called ?? Number.NaN);
    }),
  );

try {
  await race();
} finally {
  removePlace(place);
}
