/** Folds file changes: for each turn, every file as it was before and as the turn left it (A40). */

import type { ChangedFile, FactOf } from "./facts.ts";

/** What exists at a path; `null`: nothing. A mode that no fact recorded is unknown. */
export type PathStanding = { kind: "file" | "link" | "directory"; hash: string; mode?: number } | null;

/** A turn's effect on one path. */
export type Trail = {
  path: string;
  before: PathStanding;
  /** As the turn left it. More than one if a crash of an earlier version hid which; the last is the likeliest. */
  left: readonly PathStanding[];
  added: number;
  removed: number;
  /** How much of the change is in force: all, nothing, or, after a partial undo, the content with this hash. */
  now: "all" | "nothing" | { hash: string };
  kept: boolean;
  /** Undone changes, the latest at the end, each with what was in force before. */
  taken: { seq: number; change: ChangedFile; was: Trail["now"] }[];
};

export type LineCounts = Pick<ChangedFile, "added" | "removed">;

/** What a change adds to the line counts of its call, or of its request. */
export const linesOf = (file: ChangedFile, of: "call" | "turn"): LineCounts => file.grows?.[of] ?? file;

type FileCounts = { path: string } & LineCounts;

/** A call's changed files with their line counts, each path once; `earlier`: the counts so far. */
export function filesOfCall(
  changes: readonly ChangedFile[],
  earlier: readonly FileCounts[] = [],
): FileCounts[] {
  const files = new Map<string, LineCounts>(earlier.map((file) => [file.path, file]));
  for (const file of changes) {
    const [lines, known] = [linesOf(file, "call"), files.get(file.path) ?? { added: 0, removed: 0 }];
    files.set(file.path, { added: known.added + lines.added, removed: known.removed + lines.removed });
  }
  return [...files].map(([path, { added, removed }]) => ({ path, added, removed }));
}

export type Status = "pending" | "kept" | "undone" | "partial";

/** What undo and redo made of a path since the model was last told: as it was, and as it is now. */
export type UntoldChange = {
  before: PathStanding;
  after: PathStanding;
  how: "undone" | "partly" | "redone";
};

export type ChangeLog = {
  /** By turn, then by path, in the order of each path's first change. */
  trails: Map<number, Map<string, Trail>>;
  /** Each path as the last fact left it. */
  last: Map<string, PathStanding>;
};

export const emptyChanges = (): ChangeLog => ({ trails: new Map(), last: new Map() });

/** The turn's paths that differ from before the turn. */
export function trailsOf(log: ChangeLog, turn: number): Trail[] {
  const trails = [...(log.trails.get(turn)?.values() ?? [])];
  return trails.filter(isChange);
}

const isChange = ({ before, left }: Trail): boolean => left.some((standing) => !isEqual(standing, before));

/**
 * Unlike `isSameStanding`, an unknown mode differs from a known one: a recreated file may have another mode than
 * before.
 */
const isEqual = (one: PathStanding, other: PathStanding): boolean =>
  isSameStanding(one, other) && one?.mode === other?.mode;

export function statusOf({ kept, now }: Trail): Status {
  if (now === "nothing") return "undone";
  if (kept) return "kept";
  return now === "all" ? "pending" : "partial";
}

/** The path's content as far as the change is in force; more than one if a crash of an earlier version hid which. */
export function inForce({ now, left, before }: Trail): readonly PathStanding[] {
  if (now === "all") return left;
  if (now === "nothing") return [before];
  const mode = left.at(-1)?.mode;
  return [{ kind: "file", hash: now.hash, ...(mode === undefined ? {} : { mode }) }];
}

/** Both states of a path as its fact records them. */
export function standingsOf(file: ChangedFile): { before: PathStanding; after: PathStanding } {
  const before = standingBefore(file, null);
  return { before, after: standingAfter(file, before) };
}

/** The same kind and content, and the same mode where both are known. */
export function isSameStanding(one: PathStanding, other: PathStanding): boolean {
  if (one === null || other === null) return one === other;
  if (one.kind !== other.kind || one.hash !== other.hash) return false;
  return one.mode === undefined || other.mode === undefined || one.mode === other.mode;
}

/** Later turns whose changes to the path are in force, oldest first. */
export function laterTurns(log: ChangeLog, turn: number, path: string): number[] {
  const later = [...log.trails].filter(([number, trails]) => {
    const trail = trails.get(path);
    return number > turn && trail !== undefined && trail.now !== "nothing" && isChange(trail);
  });
  return later.map(([number]) => number);
}

/** What undo knows of a call's work: files, and where it moved the references of repositories. */
export const undoableIn = ({
  changes,
  references = [],
}: Pick<FactOf<"change-applied">, "changes" | "references">): ChangedFile[] => [...changes, ...references];

/** Adds a call's changes, in place. `isCertain`: the changes are known to have happened. */
export function addChanges(
  log: ChangeLog,
  turn: number,
  done: { files: readonly ChangedFile[]; isCertain: boolean },
): void {
  const trails = log.trails.get(turn) ?? new Map<string, Trail>();
  if (done.files.length > 0) log.trails.set(turn, trails);
  for (const file of done.files) {
    const trail = extendTrail(trails.get(file.path), file, done.isCertain);
    trails.set(file.path, trail);
    log.last.set(file.path, trail.left.at(-1) ?? null);
  }
}

export function undone(log: ChangeLog, entry: FactOf<"changes-undone"> & { seq: number }): void {
  const trails = log.trails.get(entry.undoneTurn);
  for (const change of entry.changes) {
    log.last.set(change.path, standingsOf(change).after);
    const trail = trails?.get(change.path);
    if (!trail) continue;
    if (entry.again === true) trail.now = trail.taken.pop()?.was ?? "all";
    else {
      trail.taken.push({ seq: entry.seq, change, was: trail.now });
      const rest = entry.rest?.find(({ path }) => path === change.path);
      trail.now = rest ? { hash: rest.hash } : "nothing";
    }
  }
}

/** Adds what an undo or redo did to what the model has yet to be told, in place. */
export function addUntold(
  untold: Map<string, UntoldChange>,
  { changes, rest = [], again = false }: FactOf<"changes-undone">,
): void {
  for (const change of changes) {
    const { before, after } = standingsOf(change);
    const isPart = rest.some(({ path }) => path === change.path);
    const how = again ? "redone" : isPart ? "partly" : "undone";
    const known = untold.get(change.path);
    untold.set(change.path, { before: known ? known.before : before, after, how });
  }
}

export function markKept(log: ChangeLog, { keptTurn, paths }: FactOf<"changes-kept">): void {
  for (const trail of log.trails.get(keptTurn)?.values() ?? [])
    if (paths === undefined || paths.includes(trail.path)) trail.kept = true;
}

function extendTrail(trail: Trail | undefined, file: ChangedFile, isCertain: boolean): Trail {
  const standing = trail?.left.at(-1) ?? null;
  const found = standingBefore(file, standing);
  const after = standingAfter(file, found);
  const lines = linesOf(file, "turn");
  return {
    path: file.path,
    before: trail ? withMode(trail, file) : found,
    left: isCertain ? [after] : [...(trail?.left ?? [found]), after],
    added: (trail?.added ?? 0) + lines.added,
    removed: (trail?.removed ?? 0) + lines.removed,
    now: "all",
    kept: false,
    taken: [],
  };
}

/** A change that records no mode kept it, so a later one that does record it reveals the original mode. */
function withMode({ before, left }: Trail, { was }: ChangedFile): PathStanding {
  const isUntouched =
    before?.kind === was?.kind && left.every((standing) => standing?.mode === undefined && standing !== null);
  return before !== null && before.mode === undefined && was?.mode !== undefined && isUntouched
    ? { ...before, mode: was.mode }
    : before;
}

function standingBefore({ before, was }: ChangedFile, last: PathStanding): PathStanding {
  return before === null ? null : standingOf(before, was, last);
}

function standingAfter({ after, is }: ChangedFile, before: PathStanding): PathStanding {
  return after === null ? null : standingOf(after, is, before);
}

/** An unrecorded mode is that of the previous entry at the path, if it was of the same kind. */
function standingOf(hash: string, told: ChangedFile["was"], last: PathStanding): PathStanding {
  const kind = told?.kind ?? "file";
  const mode = told?.mode ?? (last?.kind === kind ? last.mode : undefined);
  return { kind, hash, ...(mode === undefined || kind === "link" ? {} : { mode }) };
}

export type CheckpointFile = {
  path: string;
  action: "created" | "modified" | "deleted";
  kind: "file" | "link" | "directory";
  /** Permission bits before and after, if both are known and differ. */
  mode?: { before: number; after: number };
  status: Status;
  added: number;
  removed: number;
};

/** A turn's changes and their present status: one checkpoint for each turn, from its first fact on (A7). */
export type Checkpoint = {
  /** `ckpt_<milliseconds since 1970>_<8 hexadecimal digits>`: derived, so always the same for a turn. */
  id: string;
  turn: number;
  startedAt: number;
  status: Status;
  added: number;
  removed: number;
  files: CheckpointFile[];
  /** Directories that were created, deleted or given another mode. */
  directories: CheckpointFile[];
};

/** The parts of the session state that checkpoints are derived from. */
type Session = { session: string; turns: readonly { turn: number; startedAt: number }[]; changes: ChangeLog };

/** Oldest first. */
export const checkpointsOf = (state: Session): Checkpoint[] =>
  state.turns.map((turn) => checkpoint(state, turn));

export function checkpointOf(state: Session, turn: number): Checkpoint | undefined {
  const found = state.turns.find((candidate) => candidate.turn === turn);
  return found && checkpoint(state, found);
}

/** Also the owner under which the turn's before-images are stored. */
export function checkpointId({ session, turns }: Session, turn: number): string {
  const at = turns.find((candidate) => candidate.turn === turn)?.startedAt ?? 0;
  return `ckpt_${at}_${digest(JSON.stringify([session, turn, at]))}`;
}

function checkpoint(state: Session, { turn, startedAt }: Session["turns"][number]): Checkpoint {
  const all = trailsOf(state.changes, turn).map(fileOf);
  const [files, directories] = [
    all.filter(({ kind }) => kind !== "directory"),
    all.filter(({ kind }) => kind === "directory"),
  ];
  const statuses = new Set((files.length > 0 ? files : directories).map(({ status }) => status));
  const [only = "pending"] = statuses;
  return {
    id: checkpointId(state, turn),
    turn,
    startedAt,
    status: statuses.size > 1 ? "partial" : only,
    added: files.reduce((sum, file) => sum + file.added, 0),
    removed: files.reduce((sum, file) => sum + file.removed, 0),
    files,
    directories,
  };
}

function fileOf(trail: Trail): CheckpointFile {
  const { path, before, left, added, removed } = trail;
  const after = left.at(-1) ?? null;
  const action = before === null ? "created" : after === null ? "deleted" : "modified";
  const modes = { before: before?.mode, after: after?.mode };
  const mode =
    modes.before !== undefined && modes.after !== undefined && modes.before !== modes.after
      ? { mode: { before: modes.before, after: modes.after } }
      : {};
  return {
    path,
    action,
    kind: (after ?? before)?.kind ?? "file",
    ...mode,
    status: statusOf(trail),
    added,
    removed,
  };
}

/** FNV-1a: spreads ids well, but is not a cryptographic hash. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}
