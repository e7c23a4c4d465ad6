/**
 * The cost of undo by workspace size: for an edit, for a command over an overlay, and for one between two scans of the
 * files.
 */

import { execFileSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { childEnvironment, runProcess } from "../src/base/process.ts";
import { openTree } from "../src/base/safe-fs/open-tree.ts";
import { scriptedModel, type ScriptedStep } from "../src/providers/scripted-model.ts";
import { findSandbox } from "../src/safety/sandbox/sandbox.ts";
import { openSqliteStore } from "../src/session/sqlite/sqlite.ts";
import type { CapturedImages } from "../src/session/workspace-record/capture.ts";
import { gitReader } from "../src/session/workspace-record/git-reader.ts";
import { recordWorkspace } from "../src/session/workspace-record/record.ts";
import { testSession, type TestSession, type TestSessionOptions } from "../src/testing/session.ts";
import { median, printTable, shown } from "./figures.ts";

const sizes = [100, 10_000, 50_000];
const runs = 10;
const perFolder = 100;

const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-bench-")));
process.env["TOOLWRIGHT_HOME"] = join(root, "state");
const env = childEnvironment(process.env);
const sandbox = await findSandbox();

/** Changes five files; the others are only there. */
const command = "sed -i s/value/changed/ folder-0/file-{0,1,2,3,4}.ts";
const edit: ScriptedStep = {
  call: "edit_file",
  with: { path: "folder-0/file-0.ts", old: "// 0", new: "// changed" },
};
const run: ScriptedStep = { call: "run_command", with: { command } };

const rows = [["what is taken back", "files", "the change", "of it bare", "undo"]];
const looks = [["look at the workspace", "files", "before", "after", "lstat alone"]];
try {
  for (const files of sizes) {
    const workspace = makeWorkspace(files);
    const bareTimes: number[] = [];
    for (let at = 0; at < runs; at += 1) bareTimes.push(await bareCommand(workspace));
    const bare = median(bareTimes);
    rows.push(await row({ what: "one edit by a tool", step: edit, files, workspace }));
    if (sandbox.kind === "none") console.log(`no row over a layer: ${sandbox.because}`);
    else
      rows.push(
        await row({
          what: "a command over a layer",
          step: run,
          files,
          workspace,
          bare,
          options: { sandbox: async () => sandbox },
        }),
      );
    rows.push(await row({ what: "a command between two looks", step: run, files, workspace, bare }));
    looks.push(await look(files, workspace, "with git"));
    rmSync(join(workspace, ".git"), { recursive: true });
    looks.push(await look(files, workspace, "without git"));
    rmSync(workspace, { recursive: true });
  }
  console.log(`Milliseconds, p50 of ${runs}; each change touches at most 5 files.\n`);
  printTable(rows);
  console.log();
  printTable(looks);
} finally {
  rmSync(root, { recursive: true, force: true });
}

/** A repository with everything committed, long ago. */
function makeWorkspace(files: number): string {
  const workspace = join(root, `workspace-${files}`);
  const line = "export const value = { name: 'example', list: [1, 2, 3] };\n";
  for (let at = 0; at < files; at += 1) {
    const folder = join(workspace, `folder-${Math.floor(at / perFolder)}`);
    if (at % perFolder === 0) mkdirSync(folder, { recursive: true });
    const path = join(folder, `file-${at % perFolder}.ts`);
    writeFileSync(path, `// ${at}\n${line.repeat(20)}`);
    utimesSync(path, 1_700_000_000, 1_700_000_000.5);
  }
  const git = (...words: string[]): void =>
    void execFileSync("git", ["-c", "user.name=b", "-c", "user.email=b@b", "-c", "gc.auto=0", ...words], {
      cwd: workspace,
      stdio: "ignore",
    });
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message=all");
  return workspace;
}

type Row = {
  what: string;
  step: ScriptedStep;
  files: number;
  workspace: string;
  bare?: number;
  options?: TestSessionOptions;
};

/** The whole turn, from the request to its end, and the undo after it. */
async function row({
  what,
  step,
  files,
  workspace,
  bare = Number.NaN,
  options = {},
}: Row): Promise<string[]> {
  const model = scriptedModel((_, round) => (round % 2 === 1 ? [step] : [{ say: "done" }]));
  const store = openSqliteStore(join(root, `${files}-${what.replaceAll(" ", "-")}.db`));
  const session = await testSession(model, {
    mode: "auto",
    store,
    workspace: {
      root: workspace,
      read: async () => "",
      files: async () => [],
      remove: async () => undefined,
    },
    ...options,
  });
  const path = join(workspace, "folder-0/file-0.ts");
  const before = readFileSync(path, "utf8");
  const times: [number, number][] = [];
  for (let at = 0; at <= runs; at += 1) {
    const started = performance.now();
    await session.ask("change");
    const changed = performance.now();
    if (readFileSync(path, "utf8") === before) throw new Error(`${what}: ${whyNot(session)}`);
    const asked = performance.now();
    const undone = await session.session.command({ type: "undo" });
    const took = performance.now() - asked;
    if (!undone.ok) throw new Error(undone.problem);
    if (readFileSync(path, "utf8") !== before) throw new Error("it was not taken back");
    if (at > 0) times.push([changed - started, took]);
  }
  await session.close();
  await store.close();
  const [change, undo] = [times.map(([first]) => first), times.map(([, second]) => second)];
  return [what, String(files), shown(median(change)), shown(bare), shown(median(undo))];
}

function whyNot(session: TestSession): string {
  return JSON.stringify(session.facts().findLast(({ type }) => type === "result"));
}

async function bareCommand(workspace: string): Promise<number> {
  const shell = ["/bin/bash", "--noprofile", "--norc", "-c", command];
  const started = performance.now();
  const ended = await runProcess({ command: shell, cwd: workspace, env });
  const took = performance.now() - started;
  if (ended.exit !== 0) throw new Error(`${command} ended with ${ended.exit}`);
  execFileSync("git", ["checkout", "--quiet", "."], { cwd: workspace, stdio: "ignore" });
  return took;
}

/** The recording alone, before and after a command, and the minimum of system calls it needs. */
async function look(files: number, workspace: string, what: string): Promise<string[]> {
  const opened = openTree(workspace);
  if (!opened.ok) throw new Error(opened.problem);
  const tree = opened.value;
  const remembered: CapturedImages = new Map();
  const { signal } = new AbortController();
  const times: [number, number, number][] = [];
  for (let at = 0; at <= runs; at += 1) {
    const started = performance.now();
    const git = gitReader({ workspace, env });
    const recorded = await recordWorkspace(tree, { named: [], git, signal, remembered });
    const before = performance.now();
    const { changes } = await recorded.changes();
    const after = performance.now();
    if (changes.length > 0) throw new Error("nothing was changed");
    if (at > 0) times.push([before - started, after - before, lstatAll(workspace)]);
  }
  tree.close();
  const column = (place: 0 | 1 | 2): string => shown(median(times.map((each) => each[place])));
  return [what, String(files), column(0), column(1), column(2)];
}

function lstatAll(workspace: string): number {
  const paths = readdirSync(workspace, { recursive: true, encoding: "utf8" }).map((path) =>
    join(workspace, path),
  );
  const started = performance.now();
  for (const path of paths) lstatSync(path);
  return performance.now() - started;
}
