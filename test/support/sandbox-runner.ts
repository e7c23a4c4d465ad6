/**
 * Runs contained commands in a separate process, so that it can be another user: JSON requests in, JSON outcomes out.
 */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { runProcess } from "../../src/base/process.ts";
import { applyChanges } from "../../src/base/safe-fs/apply.ts";
import type { Change, Image } from "../../src/base/safe-fs/image.ts";
import { openTree } from "../../src/base/safe-fs/open-tree.ts";
import type { Tree } from "../../src/base/safe-fs/tree.ts";
import type { SandboxRefusal } from "../../src/protocol/facts.ts";
import type { ProcessLimits } from "../../src/safety/sandbox/process-limits.ts";
import { type ContainRequest, type SandboxOutcome, findSandbox } from "../../src/safety/sandbox/sandbox.ts";

/** What happens to changes: discarded; applied one by one as they come; or applied and then undone in reverse. */
type After = "leave" | "make" | "undo";

export type RunRequest = {
  requests: ContainRequest[];
  wallMs?: number;
  limits?: ProcessLimits;
  /** As if there were no bubblewrap. */
  landlock?: boolean;
  /** Runs all requests concurrently instead of one after another. */
  together?: boolean;
  /** What to do with the changes of each request's overlay; stands in for the pipeline. */
  after?: readonly After[];
  /** Run by the host's shell when the command's process has started; it may leave processes behind. */
  atStart?: string;
  /** Run by the host's shell after the command has ended, before its overlay is read. */
  meanwhile?: string;
  /** Leaves the overlay behind, like a killed process. */
  abandon?: boolean;
};

/** `text` is a file's content (Latin-1) or a link's target. */
type ShownImage = { kind: string; mode?: number; text?: string };
type ShownChange = { path: string; before: ShownImage | null; after: ShownImage | null };

export type RunOutcome = {
  /** The reason, if it was not run. */
  refused?: string;
  exit?: number;
  signal?: string;
  output: string;
  warnings: string[];
  changes: ShownChange[];
  uncovered: string[];
  tooLarge?: string;
  /** A launcher had been waiting for it: one does for all but the first of several requests. */
  isWaited?: boolean;
  /** What the kernel refused it; absent if nothing looked. */
  refusals?: readonly SandboxRefusal[];
  milliseconds: number;
  /** Duration of `finished` alone. */
  finishing: number;
};

const {
  requests,
  wallMs = 60_000,
  limits,
  landlock,
  together,
  after = [],
  atStart,
  meanwhile,
  abandon,
}: RunRequest = JSON.parse(readFileSync(0, "utf8"));
const sandbox = await findSandbox({ ...(limits ? { limits } : {}), ...(landlock ? { programs: [] } : {}) });
const nothing = { output: "", warnings: [], changes: [], uncovered: [], milliseconds: 0, finishing: 0 };

async function outcomeOf(request: ContainRequest, at: number): Promise<RunOutcome> {
  if (sandbox.kind === "none") return { ...nothing, refused: sandbox.because };
  sandbox.startNext?.();
  const started = performance.now();
  const contained = await sandbox.contain(request);
  if (!contained.ok) return { ...nothing, refused: contained.problem };
  const { command, ...others } = contained.value;
  const program = request.terminal ? onTerminal(command) : command;
  let isWaited = false;
  const { exit, signal, output, problem } = await runProcess({
    ...others,
    waiting() {
      const one = others.waiting?.();
      isWaited = one !== undefined;
      return one;
    },
    onStart(pid) {
      others.onStart(pid);
      if (atStart !== undefined) execFileSync("/bin/sh", ["-c", atStart], { stdio: "ignore" });
    },
    command: program,
    cwd: "/",
    wallMs,
  });
  if (meanwhile !== undefined)
    await runProcess({ command: ["/bin/sh", "-c", meanwhile], cwd: request.workspace, env: request.env });
  const ending = performance.now();
  const ended = await contained.value.finished();
  const finishing = performance.now() - ending;
  const shown = await Promise.all(ended.changes.map(showChange));
  ended.warnings.push(...((await ended.keep?.()) ?? []));
  await follow(after[at] ?? "leave", request.workspace, ended.changes);
  if (!abandon) await ended.settled();
  return {
    ...(exit === undefined ? {} : { exit }),
    ...(signal === undefined ? {} : { signal }),
    output: problem ?? Buffer.from(output.bytes).toString(),
    ...told(ended),
    ...(isWaited ? { isWaited } : {}),
    changes: shown,
    milliseconds: performance.now() - started,
    finishing,
  };
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** Wraps a command to run on a terminal of its own, like the terminal tool; `script` is the parent that it expects. */
function onTerminal(command: readonly string[]): string[] {
  const words = command.map((word) => (word === String(process.pid) ? '"$PPID"' : quoted(word))).join(" ");
  return ["/usr/bin/script", "--quiet", "--return", "--command", `exec ${words}`, "/dev/null"];
}

function told({ warnings, uncovered, tooLarge, refused }: SandboxOutcome) {
  const refusals = refused ? { refusals: refused } : {};
  return { warnings, uncovered, ...(tooLarge === undefined ? {} : { tooLarge }), ...refusals };
}

async function showChange({ path, before, after }: Change): Promise<ShownChange> {
  return { path, before: await showImage(before), after: await showImage(after) };
}

async function showImage(image: Image | null): Promise<ShownImage | null> {
  if (image === null) return null;
  if (image.kind === "link") return { kind: "link", text: image.target };
  const mode = image.mode === undefined ? {} : { mode: image.mode };
  if (image.kind === "directory") return { kind: "directory", ...mode };
  const text = Buffer.from(await image.content.read()).toString("latin1");
  return { kind: "file", ...mode, text };
}

async function follow(after: After, workspace: string, changes: readonly Change[]): Promise<void> {
  if (after === "leave") return;
  const known = await Promise.all(
    changes.map(async ({ path, ...images }): Promise<Change> => {
      return { path, before: await held(images.before), after: await held(images.after) };
    }),
  );
  const tree = openTree(workspace);
  if (!tree.ok) throw new Error(tree.problem);
  for (const change of known) await make(tree.value, change);
  if (after === "undo")
    for (const { path, before, after: now } of known.reverse())
      await make(tree.value, { path, before: now, after: before });
  tree.value.close();
}

/** Reads the content now, because it is gone once the change is applied. */
async function held(image: Image | null): Promise<Image | null> {
  if (image?.kind !== "file") return image;
  const bytes = await image.content.read();
  return { ...image, content: { ...image.content, read: async () => bytes } };
}

/** Throws if the current content is not `before`. */
async function make(tree: Tree, change: Change): Promise<void> {
  const made = await applyChanges(tree, [change], { durable: false, evenIfShut: true });
  if (!made.ok) throw new Error(made.problem);
}

const outcomes: RunOutcome[] = [];
if (together) outcomes.push(...(await Promise.all(requests.map(outcomeOf))));
else for (const [at, request] of requests.entries()) outcomes.push(await outcomeOf(request, at));
process.stdout.write(JSON.stringify(outcomes));
