/** Reviews a turn's changes: what it did to each file, their present status, and the conflicts an undo would meet. */

import type { Expected } from "../../base/expected.ts";
import type { UndoConflict } from "../../protocol/commands.ts";
import {
  type Checkpoint,
  type CheckpointFile,
  checkpointOf,
  inForce,
  type PathStanding,
  type Trail,
} from "../../protocol/fold-changes.ts";
import { choose } from "./choose.ts";
import { hunksIn } from "./hunks.ts";
import type { CheckpointContext } from "./images.ts";
import { conflictOf, waysBack } from "./ways.ts";

type ReviewedFile = CheckpointFile & {
  /** A unified diff from the state before the turn to the one it left, without parts undone since. */
  diff: string;
  /** Numbered from 1, as `undo` accepts them. */
  hunks: { number: number; text: string }[];
  /** Why there are no hunks. */
  problem?: string;
  /** The conflict an undo would meet now. */
  conflict?: UndoConflict;
};

/** The changes of a turn, file by file. @experimental */
export type Review = Omit<Checkpoint, "files"> & { files: ReviewedFile[] };

/** Defaults to the newest turn that changed something. Changes nothing, and works for every past turn. */
export async function review(
  turn: number | undefined,
  context: CheckpointContext,
): Promise<Expected<Review>> {
  const statuses = ["pending", "partial", "undone", "kept"] as const;
  const which = turn === undefined ? {} : { turn };
  const chosen = choose(context.state, which, { statuses, purpose: "to look at", whileOpen: true });
  if (!chosen.ok) return chosen;
  const checkpoint = checkpointOf(context.state, chosen.value.turn);
  if (!checkpoint) return { ok: false, problem: `There is no request ${chosen.value.turn}.` };
  const files: ReviewedFile[] = [];
  for (const file of checkpoint.files) {
    const trail = chosen.value.trails.find(({ path }) => path === file.path);
    if (trail) files.push(await reviewFile(file, trail, { turn: chosen.value.turn, context }));
  }
  return { ok: true, value: { ...checkpoint, files } };
}

async function reviewFile(
  file: CheckpointFile,
  trail: Trail,
  { turn, context }: { turn: number; context: CheckpointContext },
): Promise<ReviewedFile> {
  const compared = await hunksIn(trail, context);
  const hunks = compared.ok ? compared.value.hunks.map(({ number, text }) => ({ number, text })) : [];
  const conflict = await conflictNow(trail, turn, context);
  return {
    ...file,
    diff: [...headOf(trail), ...hunks.map(({ text }) => text)].join(""),
    hunks,
    ...(compared.ok ? {} : { problem: compared.problem }),
    conflict,
  };
}

async function conflictNow(
  trail: Trail,
  turn: number,
  context: CheckpointContext,
): Promise<UndoConflict | undefined> {
  if (trail.kept || trail.now === "nothing") return undefined;
  const ways = await waysBack({ path: trail.path, left: inForce(trail), target: trail.before }, context);
  return ways.plain ? undefined : conflictOf(ways, turn, context);
}

/** In git's format. */
function headOf({ path, before, left }: Trail): string[] {
  const after = left.at(-1) ?? null;
  const [old, now] = [gitMode(before), gitMode(after)];
  const modes =
    old !== undefined && now !== undefined && old !== now ? [`old mode ${old}\n`, `new mode ${now}\n`] : [];
  const born = before === null ? [`new file mode ${now ?? "100644"}\n`] : [];
  const gone = after === null ? [`deleted file mode ${old ?? "100644"}\n`] : [];
  const names = [before === null ? "/dev/null" : `a/${path}`, after === null ? "/dev/null" : `b/${path}`];
  const isSameContent = before?.hash === after?.hash;
  return [...modes, ...born, ...gone, ...(isSameContent ? [] : [`--- ${names[0]}\n`, `+++ ${names[1]}\n`])];
}

function gitMode(standing: PathStanding): string | undefined {
  if (standing === null) return undefined;
  if (standing.kind === "link") return "120000";
  return standing.mode === undefined ? undefined : (0o100000 | standing.mode).toString(8);
}
