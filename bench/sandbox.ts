/**
 * The cost of the sandbox: a bare spawn against every profile, alternating so that machine noise affects both alike.
 */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { childEnvironment, runProcess } from "../src/base/process.ts";
import { type Profile, profiles } from "../src/protocol/fact-words.ts";
import { findSandbox } from "../src/safety/sandbox/sandbox.ts";
import { printTable, quantile, shown } from "./figures.ts";

const runs = 100;
const shell = ["/bin/bash", "--noprofile", "--norc", "-c", "true"];

const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-bench-")));
const workspace = join(root, "workspace");
const stateDir = join(root, "state");
for (let at = 0; at < 200; at += 1) {
  mkdirSync(join(workspace, "packages", `part-${at % 20}`, `folder-${at}`), { recursive: true });
  writeFileSync(join(workspace, "packages", `part-${at % 20}`, `folder-${at}`, "a.ts"), "export {};\n");
}
mkdirSync(stateDir, { recursive: true });
execFileSync("git", ["init", "--quiet"], { cwd: workspace });

const env = childEnvironment(process.env);
const searching = performance.now();
const sandbox = await findSandbox();
const searched = performance.now() - searching;
if (sandbox.kind === "none") throw new Error(sandbox.because);
const found = sandbox;

async function bare(): Promise<number> {
  const started = performance.now();
  await runProcess({ command: shell, cwd: workspace, env });
  return performance.now() - started;
}

async function inside(profile: Profile): Promise<number> {
  const started = performance.now();
  const contained = await found.contain({
    profile,
    command: shell,
    directory: workspace,
    workspace,
    stateDir,
    env,
    home: homedir(),
  });
  if (!contained.ok) throw new Error(contained.problem);
  const { exit } = await runProcess({ ...contained.value, cwd: workspace });
  await contained.value.finished();
  if (exit !== 0) throw new Error(`${profile} ended with ${exit}`);
  return performance.now() - started;
}

const rows = [["profile", "bare p50", "p99", "contained p50", "p99", "overhead p50"]];
let worst = 0;
let start = 0;
for (const profile of profiles) {
  const pairs: [number, number][] = [];
  await inside(profile);
  for (let at = 0; at < runs; at += 1) pairs.push([await bare(), await inside(profile)]);
  const [one, other] = [pairs.map(([first]) => first), pairs.map(([, second]) => second)];
  const over = quantile(
    pairs.map(([first, second]) => second - first),
    0.5,
  );
  start = Math.max(start, quantile(one, 0.5));
  if (profile !== "install") worst = Math.max(worst, over);
  rows.push([profile, ...[...both(one), ...both(other), over].map(shown)]);
}
printTable(rows);
console.log(`\nbubblewrap ${sandbox.version} found and tried in ${shown(searched)} ms`);
console.log(`shell start p50 ${shown(start)} ms (goal: at most 10)`);
console.log(
  `overhead p50 at most ${shown(worst)} ms without install, which starts a proxy (goal: at most 15)`,
);
rmSync(root, { recursive: true, force: true });

function both(values: readonly number[]): number[] {
  return [quantile(values, 0.5), quantile(values, 0.99)];
}
