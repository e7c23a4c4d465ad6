/** Undo, redo and keep as commands of a session: each is a fact; `session/checkpoints` does the work. */

import type { EnvironmentVariables } from "../base/environment-variables.ts";
import { type Expected, refuse } from "../base/expected.ts";
import { childEnvironment } from "../base/process.ts";
import type { Tree } from "../base/safe-fs/tree.ts";
import type { Command, CommandOutcome } from "../protocol/commands.ts";
import { repositoryProblem } from "../safety/repository-places.ts";
import {
  type CheckpointContext,
  keep,
  prune,
  redo,
  undo,
  type Undone,
} from "../session/checkpoints/checkpoints.ts";
import { type Review, review } from "../session/checkpoints/review.ts";
import { withReferences } from "../session/git-references/references-tree.ts";
import type { SessionLog } from "../session/log.ts";
import { recoverFiles } from "../session/recover-files.ts";
import { type Store, StoreError } from "../session/store.ts";

export type { Review };

/** `environment`: of the git that moves references back; by default that of every program which the session starts. */
export type ChangesContext = {
  log: SessionLog;
  files: Tree;
  store: Store;
  environment: EnvironmentVariables | undefined;
};

export type ChangesCommand = Extract<Command, { type: "undo" | "redo" | "keep" }>;

/** Must not be called while the engine runs. */
export async function reviseChanges(
  command: ChangesCommand,
  context: ChangesContext,
): Promise<CommandOutcome> {
  try {
    await context.log.confirm();
    switch (command.type) {
      case "undo":
        return await record(await undo(command, checkpointContext(context)), command, context);
      case "redo":
        return await record(await redo(command, checkpointContext(context)), command, context);
      case "keep":
        return await keepChanges(command, context);
      default:
        return command satisfies never;
    }
  } catch (error) {
    if (error instanceof StoreError) return refuse(error.message);
    throw error;
  }
}

export const reviewOf = (turn: number | undefined, context: ChangesContext): Promise<Expected<Review>> =>
  review(turn, checkpointContext(context));

/** Completes, on disk and in the log, changes that a crash left between intent and fact. */
export async function settleChanges(context: ChangesContext): Promise<void> {
  await context.log.append(...(await recoverFiles(checkpointContext(context))));
}

/** Removes what a crash during undo or redo left next to any file the session ever changed. */
export async function sweep({ log, files }: ChangesContext): Promise<void> {
  const paths = [...log.state.changes.trails.values()].flatMap((trails) => [...trails.keys()]);
  if (paths.length > 0) await files.removeLeftovers([...new Set(paths)]);
}

const checkpointContext = ({ log, files, store, environment }: ChangesContext): CheckpointContext => ({
  state: log.state,
  files: withReferences(files, {
    workspace: files.root,
    env: environment ?? childEnvironment(process.env),
  }),
  store,
  forbids(paths) {
    const because = repositoryProblem(paths, files.root);
    return because && `Nothing was changed: ${because}. Take back the other files, or bring it back by hand.`;
  },
});

async function record(
  undone: Undone,
  { by }: ChangesCommand,
  { log }: ChangesContext,
): Promise<CommandOutcome> {
  if (!undone.ok) return undone;
  try {
    await log.append({ ...undone.fact, by });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return refuse(`The files are changed, but that could not be recorded: ${error.message} Then try again.`);
  }
  return { ok: true };
}

async function keepChanges(
  which: Extract<Command, { type: "keep" }>,
  context: ChangesContext,
): Promise<CommandOutcome> {
  const kept = keep(which, checkpointContext(context));
  if (!kept.ok) return kept;
  await context.log.append({ ...kept.value, by: which.by });
  await prune(kept.value.keptTurn, checkpointContext(context));
  return { ok: true };
}
