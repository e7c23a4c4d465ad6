/** Undo, redo and keep for a person: shows conflicts, and asks how to resolve them if someone can answer. */

import { visibleLine } from "../../base/visible-text.ts";
import type { ChangeSelection } from "../../configuration/options/change-selection.ts";
import type { CommandOutcome, OnConflict, UndoConflict } from "../../protocol/commands.ts";
import type { Entry } from "../../protocol/facts.ts";
import { checkpointOf, type Status } from "../../protocol/fold-changes.ts";
import type { SessionState } from "../../protocol/session-state.ts";
import { uncoveredFrom, uncoveredIn } from "../../protocol/uncovered-changes.ts";
import type { LiveSession } from "../../runtime/live-session.ts";
import type { ChangesCommand } from "../../runtime/undoing.ts";
import type { Style } from "../../view/plain.ts";
import { choicesOf, conflictLines, leftLines } from "../../view/review.ts";
import { type ResolvedSelection, whichOf } from "./changes-asked.ts";

/** The session to work on, and the ways to reach the person. */
export type Desk = {
  session: LiveSession;
  style: Style;
  tell: (...lines: string[]) => void;
  /** Absent if no person can answer; resolves to undefined without an answer. */
  ask?: (question: string) => Promise<string | undefined>;
  /** The command line that repeats the operation on this turn with a chosen resolution. */
  again: (way: OnConflict, turn: number) => string;
};

/**
 * `entry`: the fact that records the change. `uncovered`: what the request did besides and undo could not take back.
 * `told`: the person has already been shown the reason.
 */
export type TakeBackResult =
  | { ok: true; entry: Entry; uncovered: string[] }
  | { ok: false; problem: string; conflicts?: UndoConflict[]; told: boolean };

/** The statuses of the changes that each operation applies to. */
export const statusesFor: Readonly<Record<ChangesCommand["type"], readonly Status[]>> = {
  undo: ["pending", "partial"],
  redo: ["undone", "partial"],
  keep: ["pending", "partial"],
};

/** If the result is not `ok`, nothing was changed. */
export async function takeBack(
  type: ChangesCommand["type"],
  asked: ChangeSelection,
  desk: Desk,
): Promise<TakeBackResult> {
  const { log } = desk.session;
  const isLast = type === "redo" && asked.turn === undefined && asked.paths.length === 0;
  const which = isLast
    ? ({ ok: true, value: {} } as const)
    : whichOf(asked, desk.session.state, statusesFor[type]);
  if (!which.ok) return { ...which, told: false };
  const before = desk.session.state.seq;
  const done = await carryOut(wantedOf(type, which.value, asked), desk);
  if (!done.ok) return done;
  let entry: Entry | undefined;
  for await (const told of log.read(before))
    if (told.type === "changes-undone" || told.type === "changes-kept") entry = told;
  if (!entry) return { ok: false, problem: "Nothing was changed.", told: false };
  return { ok: true, entry, uncovered: notUndone(entry, asked, desk.session.state) };
}

/** An undo of a few paths leaves the others because it was told to, unless it was the last of several. */
function notUndone(entry: Entry, { turn, paths, hunks }: ChangeSelection, state: SessionState): string[] {
  if (entry.type !== "changes-undone" || entry.again === true) return [];
  const { undoneTurn } = entry;
  if (paths.length > 0 || hunks !== undefined)
    return checkpointOf(state, undoneTurn)?.status === "undone" ? uncoveredIn(state, undoneTurn) : [];
  return (turn === undefined ? uncoveredFrom : uncoveredIn)(state, undoneTurn);
}

function wantedOf(
  type: ChangesCommand["type"],
  which: ResolvedSelection,
  { hunks, onConflict }: ChangeSelection,
): ChangesCommand {
  if (type === "keep") return { type, ...which };
  const way = onConflict ? { onConflict } : {};
  return type === "redo" ? { type, ...which, ...way } : { type, ...which, hunks, ...way };
}

type CarryOutResult = { ok: true } | Extract<TakeBackResult, { ok: false }>;

/** Asks again for as long as the chosen resolution meets a conflict. */
async function carryOut(wanted: ChangesCommand, desk: Desk): Promise<CarryOutResult> {
  let outcome: CommandOutcome = await desk.session.command(wanted);
  while (!outcome.ok) {
    const { conflicts } = outcome;
    if (wanted.type === "keep" || !conflicts) return { ...outcome, told: false };
    showConflicts(conflicts, wanted.turn ?? 0, desk);
    const way = await askWay(choicesOf(conflicts), desk);
    if (way === undefined) return { ...outcome, told: true };
    outcome = await desk.session.command({ ...wanted, onConflict: way });
  }
  return outcome;
}

function showConflicts(conflicts: readonly UndoConflict[], turn: number, desk: Desk): void {
  const files = checkpointOf(desk.session.state, turn)?.files ?? [];
  const again = desk.ask ? {} : { again: desk.again };
  desk.tell(...conflictLines(conflicts, { turn, files, ...again }, desk.style));
}

const letters: Readonly<Record<OnConflict, string>> = {
  skip: "[s]kip",
  restore: "[r]estore",
  merge: "[m]erge",
};

/** Undefined means do nothing. */
async function askWay(ways: readonly OnConflict[], { ask, tell }: Desk): Promise<OnConflict | undefined> {
  if (!ask) return undefined;
  const question = `  ${ways.map((way) => letters[way]).join(" · ")} · [n]othing: `;
  for (;;) {
    const line = await ask(question);
    const word = line?.trim().toLowerCase();
    if (word === undefined || /^(?:n|no|nothing)$/u.test(word)) return undefined;
    const way = ways.find((each) => word === each || word === each[0]);
    if (way) return way;
    tell(`  Please answer ${ways.map((each) => each[0]).join(", ")} or n.`);
  }
}

type TakeBackSuccess = Extract<TakeBackResult, { ok: true }>;

/** Additional lines to print after the fact itself. */
export function afterwards(
  { session, style }: Desk,
  { entry, uncovered }: TakeBackSuccess,
  redo: string,
): string[] {
  if (entry.type !== "changes-undone" || entry.again === true) return [];
  const checkpoint = checkpointOf(session.state, entry.undoneTurn);
  return [
    ...(checkpoint ? leftLines(checkpoint) : []),
    ...uncovered.map((words) => style.yellow(`! Not undone: ${visibleLine(words)}`)),
    style.dim(`${redo} brings it back.`),
  ];
}
