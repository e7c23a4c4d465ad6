/** Writes a set of changes to the disk, all or none: checked and staged first, then committed or rolled back. */

import { closeSync, constants, openSync } from "node:fs";
import { refuse } from "../expected.ts";
import { commit, type CommitResult } from "./commit.ts";
import { descend, type PinnedDirectory } from "./directory.ts";
import type { Change } from "./image.ts";
import { withLocks } from "./locks.ts";
import { syncOpen } from "./open-file.ts";
import { OpenDirectories } from "./places.ts";
import { keysOf, stepsOf } from "./plan.ts";
import { type FileProblem, type FileResult, fileProblem, problem, shownPath } from "./problems.ts";
import { openShut, shutAgain } from "./shut.ts";
import { discard, stage, type ChangeStep } from "./step.ts";
import type { ApplyOptions } from "./tree.ts";

/** Returns what was made, in order: the changes, and the missing directories above them. */
export async function putAll(
  root: PinnedDirectory,
  changes: readonly Change[],
  options: ApplyOptions = {},
): Promise<FileResult<Change[]>> {
  try {
    const steps = stepsOf(root, changes);
    return await withLocks(keysOf(root, steps), () => putSteps(root, steps, options));
  } catch (error) {
    return fileProblem(changes[0]?.path ?? ".", error, "write");
  }
}

/** Syncing a file takes some milliseconds; ten thousand would take a minute. */
const mostDurable = 200;

async function putSteps(
  root: PinnedDirectory,
  steps: readonly ChangeStep[],
  { durable = steps.length <= mostDurable, stillCurrent, evenIfShut = false }: ApplyOptions,
): Promise<FileResult<Change[]>> {
  const opened = openShut(root, steps, evenIfShut);
  let isMade = false;
  try {
    const failure = await stageAll(root, steps, durable);
    if (failure) return failure;
    if ((await stillCurrent?.()) === false)
      return problem("ECANCELED", "It was stopped before anything was written");
    const made = await commitAll(root, steps);
    isMade = made.ok;
    if (made.ok && durable) await syncAbove(root, steps);
    return made;
  } finally {
    discardReady(root, steps);
    shutAgain(root, opened, isMade);
  }
}

/** Steps that one worker stages before yielding; more workers would hold more contents in memory at once. */
const stepsInTurn = 16;
const workers = 4;

async function stageAll(
  root: PinnedDirectory,
  steps: readonly ChangeStep[],
  durable: boolean,
): Promise<FileResult<never> | undefined> {
  let next = 0;
  let failure: FileResult<never> | undefined;
  const work = async (): Promise<void> => {
    const places = new OpenDirectories(root);
    try {
      for (let from = next; from < steps.length && !failure; from = next) {
        next += stepsInTurn;
        for (const step of steps.slice(from, next))
          if (!failure) failure = await stageOne(step, places, durable);
        await othersFirst();
      }
    } finally {
      places.close();
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, Math.ceil(steps.length / stepsInTurn)) }, work));
  return failure;
}

const othersFirst = (): Promise<unknown> => new Promise(setImmediate);

async function stageOne(
  step: ChangeStep,
  places: OpenDirectories,
  durable: boolean,
): Promise<FileResult<never> | undefined> {
  try {
    Object.assign(step, await stage(step, places.beforehand(step), durable));
    return undefined;
  } catch (error) {
    return fileProblem(step.change.path, error, step.change.after === null ? "remove" : "write");
  }
}

type CommittedStep = { step: ChangeStep; made: CommitResult };

/** Long sets yield to other work every so many steps. */
const stepsAtOnce = 512;

async function commitAll(root: PinnedDirectory, all: readonly ChangeStep[]): Promise<FileResult<Change[]>> {
  const steps = all.filter(({ closes }) => closes !== "now");
  const done: CommittedStep[] = [];
  const places = new OpenDirectories(root);
  try {
    for (const [at, step] of steps.entries()) {
      const made = commitOne(step, places, { last: at === steps.length - 1 });
      if (!made.ok) return refuse(takenBack(root, done, made.problem));
      done.push({ step, made: made.value });
      if (at % stepsAtOnce === stepsAtOnce - 1) await othersFirst();
    }
  } finally {
    places.close();
  }
  forgetAsides(root, done);
  const shut = shutOpen(root, all);
  if (!shut.ok) return shut;
  return { ok: true, value: done.flatMap(({ step, made }) => (made.nothing ? [] : [step.change])) };
}

/**
 * Runs at the very end, after the saved old files are removed. Only setting the mode of our own directory can fail
 * here.
 */
function shutOpen(root: PinnedDirectory, steps: readonly ChangeStep[]): FileResult<void> {
  const places = new OpenDirectories(root);
  try {
    for (const step of steps.filter(({ closes }) => closes === "now")) {
      const made = commitOne(step, places, { last: true });
      if (!made.ok) return made;
    }
    return { ok: true, value: undefined };
  } finally {
    places.close();
  }
}

function commitOne(
  step: ChangeStep,
  places: OpenDirectories,
  { last }: { last: boolean },
): FileResult<CommitResult> {
  try {
    const made = commit(step, { ...places.of(step), last });
    step.ready = undefined;
    return { ok: true, value: made };
  } catch (error) {
    return fileProblem(step.change.path, error, step.change.after === null ? "remove" : "write");
  }
}

/** Undoes the steps, newest first, and extends the message by the outcome. */
function takenBack(
  root: PinnedDirectory,
  done: readonly CommittedStep[],
  { code, message }: FileProblem,
): FileProblem {
  const lost: string[] = [];
  const places = new OpenDirectories(root);
  for (const { step, made } of done.toReversed()) {
    try {
      made.undo(places.of(step));
    } catch {
      lost.push(shownPath(step.change.path) + whereKept(step, made));
    }
  }
  places.close();
  if (lost.length > 0)
    return {
      code,
      message: `${message}. These could not be put back as they were: ${lost.join(", ")}`,
    };
  const words = done.some(({ step }) => !step.implied)
    ? ". The files written before it were put back as they were"
    : "";
  return { code, message: `${message}${words}` };
}

function whereKept({ above, refuge }: ChangeStep, { aside }: CommitResult): string {
  return aside === undefined ? "" : ` (its content is in ${[...above.slice(0, refuge), aside].join("/")})`;
}

function forgetAsides(root: PinnedDirectory, done: readonly CommittedStep[]): void {
  const places = new OpenDirectories(root);
  for (const { step, made } of done) {
    const { aside } = made;
    if (aside !== undefined) asFarAsPossible(() => discard(places.refuge(step), aside));
  }
  places.close();
}

function discardReady(root: PinnedDirectory, steps: readonly ChangeStep[]): void {
  const places = new OpenDirectories(root);
  for (const step of steps) {
    const { ready } = step;
    if (ready !== undefined) asFarAsPossible(() => discard(places.beforehand(step).standing, ready));
  }
  places.close();
}

/** A failed clean-up does not change the outcome of the changes. */
function asFarAsPossible(tidy: () => void): void {
  try {
    tidy();
  } catch {
    // The directory is gone, or the disk is.
  }
}

/** Makes renames durable, where directories can be synced. */
async function syncAbove(root: PinnedDirectory, steps: readonly ChangeStep[]): Promise<void> {
  const above = new Map(steps.map((step) => [step.above.join("/"), step.above]));
  await Promise.all([...above.values()].map((names) => sync(root, names).catch(() => undefined)));
}

async function sync(root: PinnedDirectory, names: readonly string[]): Promise<void> {
  const directory = descend(root, names);
  try {
    const file = openSync(directory.here, constants.O_RDONLY | constants.O_DIRECTORY);
    await syncOpen(file).finally(() => closeSync(file));
  } finally {
    directory.close();
  }
}
