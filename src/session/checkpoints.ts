/** Taking back a turn's file changes, from the before-images that were kept when they were made. */
import type { Parsed } from "../base/json.ts";
import type { ChangedFile } from "../protocol/facts.ts";
import type { CallState, SessionState, TurnState } from "../protocol/fold.ts";
import { sha256 } from "../base/crypto.ts";
import type { Hash } from "./store.ts";

/** The workspace's files. Paths are workspace-relative; problems are one line. */
export type UndoFiles = {
  /** `null`: there is no such file. */
  read(path: string): Promise<Parsed<Uint8Array | null>>;
  write(path: string, bytes: Uint8Array): Promise<Parsed<void>>;
  remove(path: string): Promise<Parsed<void>>;
};

export type UndoRequest = {
  state: SessionState;
  /** The newest turn that has changes when absent. */
  turn?: number;
  getBlob: (hash: Hash) => Promise<Uint8Array | undefined>;
  files: UndoFiles;
};

/** `paths`: the files that stand in the way. */
export type Undone =
  | { ok: true; value: { undoneTurn: number; changes: ChangedFile[] } }
  | { ok: false; problem: string; paths: string[] };

/** What a turn did to one file. `left`: the contents it may have been left with, more than one after a crash. */
type Trail = { path: string; before: Hash | null; left: Set<Hash | null>; added: number; removed: number };
type Restoring = { trail: Trail; current: Hash | null; bytes: Uint8Array | null };

/**
 * Restores every file that the turn changed to its content before the turn; the value goes into `changes-undone`.
 * Nothing is written when a file is no longer as the turn left it: later work is never destroyed. Files that are
 * as before already are left alone, so an undo that a crash cut short can simply be asked for again.
 */
export async function undoTurn(request: UndoRequest): Promise<Undone> {
  const chosen = chooseTurn(request.state, request.turn);
  if (!chosen.ok) return { ...chosen, paths: [] };
  const planned = await plan(trailsOf(request.state, chosen.value), request);
  if (!planned.ok) return planned;
  for (const { trail, current, bytes } of planned.value) {
    if (current === trail.before) continue;
    const { path } = trail;
    const written = bytes ? await request.files.write(path, bytes) : await request.files.remove(path);
    if (!written.ok) return { ...written, paths: [path] };
  }
  const changes = planned.value.map(({ trail, current }) => undoing(trail, current));
  return { ok: true, value: { undoneTurn: chosen.value.turn, changes } };
}

function chooseTurn(state: SessionState, wanted: number | undefined): Parsed<TurnState> {
  const hasChanges = (turn: TurnState) => trailsOf(state, turn).length > 0;
  const turn =
    wanted === undefined
      ? state.turns.findLast((candidate) => !candidate.undone && hasChanges(candidate))
      : state.turns.find((candidate) => candidate.turn === wanted);
  if (!turn)
    return problem(
      wanted === undefined ? "There are no changes to take back." : `There is no request ${wanted}.`,
    );
  if (turn.undone) return problem(`The changes of request ${turn.turn} were taken back already.`);
  if (!hasChanges(turn)) return problem(`Request ${turn.turn} changed no files.`);
  if (state.status === "running" && turn.turn === state.turn)
    return problem("The request is not over. Finish or interrupt it before taking its changes back.");
  return { ok: true, value: turn };
}

function problem(words: string): { ok: false; problem: string } {
  return { ok: false, problem: words };
}

/** One trail for each path, over the turn's calls in their order: the order in which changes run. */
function trailsOf(state: SessionState, turn: TurnState): Trail[] {
  const trails = new Map<string, Trail>();
  for (const id of turn.callIds) {
    const known = state.calls.get(id);
    if (!known) continue;
    const { changes, isCertain } = changesOf(known);
    for (const file of changes) trails.set(file.path, longer(trails.get(file.path), file, isCertain));
  }
  return [...trails.values()].filter(({ before, left }) => left.size > 1 || !left.has(before));
}

/** A crash between the write and its fact leaves only the intent: each of its files may be written or not. */
function changesOf({ applied, start, result }: CallState): {
  changes: readonly ChangedFile[];
  isCertain: boolean;
} {
  if (applied) return { changes: applied.changes, isCertain: true };
  const isUnknown = result?.outcome === "interrupted" && start?.changes !== undefined;
  return { changes: isUnknown ? (start.changes ?? []) : [], isCertain: false };
}

function longer(trail: Trail | undefined, file: ChangedFile, isCertain: boolean): Trail {
  const before = trail ? trail.before : file.before;
  const left = new Set(isCertain ? [file.after] : [...(trail?.left ?? [file.before]), file.after]);
  const added = (trail?.added ?? 0) + file.added;
  const removed = (trail?.removed ?? 0) + file.removed;
  return { path: file.path, before, left, added, removed };
}

/** Looks at everything before anything is touched. */
async function plan(
  trails: readonly Trail[],
  { files, getBlob }: UndoRequest,
): Promise<{ ok: true; value: Restoring[] } | { ok: false; problem: string; paths: string[] }> {
  const restoring: Restoring[] = [];
  const moved: string[] = [];
  for (const trail of trails) {
    const { path } = trail;
    const read = await files.read(path);
    if (!read.ok) return { ...read, paths: [path] };
    const bytes = trail.before === null ? null : await getBlob(trail.before);
    if (bytes === undefined)
      return {
        ...problem(`The earlier content of ${path} is no longer stored; nothing was changed.`),
        paths: [path],
      };
    const current = read.value && sha256(read.value);
    if (current !== trail.before && !trail.left.has(current)) moved.push(path);
    restoring.push({ trail, current, bytes });
  }
  if (moved.length === 0) return { ok: true, value: restoring };
  const words = `${moved.join(", ")} changed since; nothing was taken back. Undo the later changes first.`;
  return { ...problem(words), paths: moved };
}

/** The way back, as a change: lines are those of the turn, the other way round. */
function undoing({ path, before, added, removed }: Trail, current: Hash | null): ChangedFile {
  return { path, before: current, after: before, added: removed, removed: added };
}
