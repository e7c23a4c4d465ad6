/**
 * The cost of the sandbox: a bare spawn against every profile, alternating so that machine noise affects all alike; right
 * behind another command, when the next launcher was started, and with one that has waited while a model was silent. Of
 * git also a commit, around which what git keeps is recorded.
 */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { childEnvironment, runProcess } from "../src/base/process.ts";
import { type Profile, profiles } from "../src/protocol/fact-words.ts";
import { recordRepositories } from "../src/runtime/moved-references.ts";
import { findSandbox } from "../src/safety/sandbox/sandbox.ts";
import { printTable, quantile, shown } from "./figures.ts";

const runs = Number(process.env["TOOLWRIGHT_RUNS"] ?? 100);
/** In which a launcher gets ready, in milliseconds. */
const silence = 40;
const shell = (line: string): string[] => ["/bin/bash", "--noprofile", "--norc", "-c", line];

type Measured = { name: string; profile: Profile; line: string };
const measured: readonly Measured[] = [
  ...profiles.map((profile) => ({ name: profile, profile, line: "true" })),
  { name: "git, a commit", profile: "git", line: "git commit --quiet --allow-empty -m more" },
];

const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-bench-")));
const workspace = join(root, "workspace");
const stateDir = join(root, "state");
for (let at = 0; at < 200; at += 1) {
  mkdirSync(join(workspace, "packages", `part-${at % 20}`, `folder-${at}`), { recursive: true });
  writeFileSync(join(workspace, "packages", `part-${at % 20}`, `folder-${at}`, "a.ts"), "export {};\n");
}
mkdirSync(stateDir, { recursive: true });
for (const words of [
  ["init", "--quiet"],
  ["config", "user.name", "A"],
  ["config", "user.email", "a@b.example"],
])
  execFileSync("git", words, { cwd: workspace });

const env = childEnvironment(process.env);
const searching = performance.now();
const sandbox = await findSandbox();
const searched = performance.now() - searching;
if (sandbox.kind === "none") throw new Error(sandbox.because);
const found = sandbox;

async function bare({ line }: Measured): Promise<number> {
  const started = performance.now();
  await runProcess({ command: shell(line), cwd: workspace, env });
  return performance.now() - started;
}

async function inside({ name, profile, line }: Measured): Promise<number> {
  const started = performance.now();
  const contained = await found.contain({
    profile,
    command: shell(line),
    directory: workspace,
    workspace,
    stateDir,
    env,
    home: homedir(),
  });
  if (!contained.ok) throw new Error(contained.problem);
  const moves = name !== profile;
  const writable = contained.value.repositories;
  const record = moves
    ? await recordRepositories(workspace, { directory: workspace, env }, writable)
    : undefined;
  const { exit } = await runProcess({ ...contained.value, cwd: workspace });
  await contained.value.finished();
  await record?.changes();
  if (exit !== 0) throw new Error(`${name} ended with ${exit}`);
  const took = performance.now() - started;
  for (const settle of record?.settling ?? []) await settle();
  return took;
}

async function waitedFor(one: Measured): Promise<number> {
  found.startNext?.();
  await pause(silence);
  return inside(one);
}

const rows = [
  [
    "profile",
    "bare p50",
    "p99",
    "contained p50",
    "p99",
    "overhead p10",
    "p50",
    "waited for: overhead p10",
    "p50",
  ],
];
let worst = 0;
let start = 0;
for (const one of measured) {
  const [alone, contained, over, waited]: [number[], number[], number[], number[]] = [[], [], [], []];
  await inside(one);
  for (let at = 0; at < runs; at += 1) {
    const took = await bare(one);
    alone.push(took);
    contained.push(await inside(one));
    over.push((contained.at(-1) ?? 0) - took);
    waited.push((await waitedFor(one)) - (await bare(one)));
  }
  if (one.line === "true") start = Math.max(start, quantile(alone, 0.5));
  if (one.name !== "install") worst = Math.max(worst, quantile(waited, 0.5));
  const overheads = [over, waited].flatMap((each) => [quantile(each, 0.1), quantile(each, 0.5)]);
  rows.push([one.name, ...[...both(alone), ...both(contained), ...overheads].map(shown)]);
}
printTable(rows);
console.log(`\nbubblewrap ${sandbox.version} found and tried in ${shown(searched)} ms`);
console.log(`shell start p50 ${shown(start)} ms (goal: at most 10)`);
console.log(
  `overhead p50 at most ${shown(worst)} ms where a launcher has waited, without install, which starts a proxy (goal: at most 15)`,
);
rmSync(root, { recursive: true, force: true });

function both(values: readonly number[]): number[] {
  return [quantile(values, 0.5), quantile(values, 0.99)];
}
