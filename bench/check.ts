/**
 * Counts that do not depend on the machine's speed, against stored ones: the system calls of a run, the code that it
 * loads, its processes, its collections of garbage, the size of its requests. `npm run bench:check [-- --write]`: exits
 * with 1 if a count has grown by more than a tenth; `--write` stores those of now in counts.json.
 */

import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod/mini";
import { printTable } from "./figures.ts";
import { makePlace, removePlace, type Place } from "./measure.ts";
import { startBenchServer, type BenchServer } from "./server.ts";

const command = join(import.meta.dirname, "..", "dist", "bin.cjs");
const stored = join(import.meta.dirname, "counts.json");
const allowedGrowth = 1.1;

/** Groups of system calls, as strace names them. Waiting, locks and memory depend on timing: they are not counted. */
const callGroups = {
  "files looked at or opened":
    "/^(open|openat|stat|lstat|newfstatat|statx|access|faccessat2?|readlink|getdents64)$",
  "reads and writes": "/^(readv?|writev?|sendmsg|sendto|recvfrom|recvmsg)$",
  "reads and writes at a position": "/^(pread(64|v2?)|pwrite(64|v2?))$",
  "waits for the disk": "fsync,fdatasync",
  "processes and threads": "/^(clone3?|v?fork|execve)$",
};

type Counts = Record<string, number>;
type Context = { server: BenchServer; place: Place };
/**
 * `rounds`: how many the script of the model has; counts are for each of them, over those of one answer.
 * `isSavedByTheClock`: how often its answer is put into the database depends on how long it takes, so what is read and
 * written there, at positions of its files, may double.
 */
type Scenario = { argv: readonly string[]; model?: string; rounds?: number; isSavedByTheClock?: true };

const scenarios: Readonly<Record<string, Scenario>> = {
  "--version": { argv: ["--version"] },
  "one answer": { argv: ["-p", "Go."], model: "one-shot" },
  "a round of 30": { argv: ["-p", "Go.", "--max-rounds", "100"], model: "rounds-30", rounds: 30 },
  "20,000 deltas": { argv: ["-p", "Go."], model: "deltas", isSavedByTheClock: true },
};

const run = promisify(execFile);
const context: Context = { server: await startBenchServer(), place: makePlace() };
try {
  // Fills caches, creates the database, and takes so long that the sandbox is tried: its outcome is remembered.
  await runs(context, { argv: ["-p", "Go."], model: "early" });
  const now: Record<string, Counts> = {};
  for (const [name, scenario] of Object.entries(scenarios)) now[name] = await countsOf(context, scenario);
  if (process.argv.includes("--write")) await writeFile(stored, `${JSON.stringify(now, undefined, 2)}\n`);
  process.exitCode = await compare(now);
} finally {
  context.server.close();
  removePlace(context.place);
}

/** The least of three runs: what a run did besides (a retry, a thread more) is not its own. */
async function countsOf(context: Context, scenario: Scenario): Promise<Counts> {
  const { rounds } = scenario;
  const all: Counts[] = [];
  for (let at = 0; at < 3; at += 1) all.push(await oneRun(context, scenario));
  const counts = leastOf(all);
  if (rounds === undefined) return counts;
  const base = await countsOf(context, { argv: scenario.argv, model: "one-shot" });
  return Object.fromEntries(
    Object.entries(counts).map(([what, count]) => [
      what,
      Math.round((10 * (count - (base[what] ?? 0))) / rounds) / 10,
    ]),
  );
}

function leastOf(all: readonly Counts[]): Counts {
  const [first = {}] = all;
  return Object.fromEntries(
    Object.keys(first).map((what) => [what, Math.min(...all.map((counts) => counts[what] ?? 0))]),
  );
}

async function oneRun(context: Context, scenario: Scenario): Promise<Counts> {
  const counts: Counts = {};
  const summary = join(context.place.root, "strace.txt");
  const all = Object.values(callGroups).join(",");
  await runs(context, scenario, [
    "strace",
    "-f",
    "-qq",
    "-c",
    "-U",
    "name,calls",
    "-o",
    summary,
    "-e",
    `trace=${all}`,
  ]);
  const calls = callsIn(await readFile(summary, "utf8"));
  for (const [what, group] of Object.entries(callGroups)) counts[what] = sumOf(calls, group);
  const printed = await runs(context, scenario, [], ["--trace-gc"]);
  counts["collections of garbage"] = printed.match(/^\[\d+:.*\bms: /gmu)?.length ?? 0;
  const sizes = context.server.requests.map(({ bytes }) => bytes);
  if (scenario.model !== undefined) counts["bytes of requests"] = sizes.reduce((sum, size) => sum + size, 0);
  return counts;
}

function callsIn(summary: string): ReadonlyMap<string, number> {
  const lines = summary.matchAll(/^\s*([a-z]\w*)\s+(\d+)$/gmu);
  return new Map([...lines].map(([, name = "", count]) => [name, Number(count)]));
}

function sumOf(calls: ReadonlyMap<string, number>, group: string): number {
  const pattern = group.startsWith("/") ? new RegExp(group.slice(1), "u") : undefined;
  const names = new Set(group.split(","));
  return [...calls].reduce(
    (sum, [name, count]) => sum + ((pattern?.test(name) ?? names.has(name)) ? count : 0),
    0,
  );
}

/** What it printed. */
async function runs(
  { server, place }: Context,
  { argv, model }: Scenario,
  before: readonly string[] = [],
  options: readonly string[] = [],
): Promise<string> {
  server.requests.length = 0;
  const named = model === undefined ? [] : ["--model", `openai-compatible/${model}`];
  const [program = "", ...words] = [...before, process.execPath, ...options, command, ...argv, ...named];
  const env = { ...place.env, OPENAI_COMPATIBLE_BASE_URL: server.url };
  const { stdout } = await run(program, words, { cwd: place.workspace, env, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

/** Prints both, and returns the exit code. */
async function compare(now: Readonly<Record<string, Counts>>): Promise<number> {
  const known = z
    .record(z.string(), z.record(z.string(), z.number()))
    .parse(JSON.parse(await readFile(stored, "utf8")));
  let grown = 0;
  const rows = Object.entries(now).flatMap(([name, counts]) =>
    Object.entries(counts).map(([what, count]) => {
      const before = known[name]?.[what] ?? 0;
      const mayDouble =
        what === "reads and writes at a position" && scenarios[name]?.isSavedByTheClock === true;
      const isGrown = count > Math.ceil(before * (mayDouble ? 2 : allowedGrowth));
      if (isGrown) grown += 1;
      return [`${name}: ${what}`, String(before), String(count), isGrown ? "grown" : ""];
    }),
  );
  printTable([["", "stored", "now", ""], ...rows]);
  if (grown > 0) console.log(`${grown} counts have grown. If that is meant: npm run bench:check -- --write`);
  return grown > 0 ? 1 : 0;
}
