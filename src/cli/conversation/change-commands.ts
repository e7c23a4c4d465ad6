/** The conversation's commands about changes: /diff, /undo, /redo, /keep, /checkpoints. */

import { visibleLine } from "../../base/visible-text.ts";
import { readAskedLine } from "../../configuration/options/change-selection.ts";
import type { ChangesCommand } from "../../runtime/undoing.ts";
import { reviewLines } from "../../view/review.ts";
import { turnAgain } from "../changes/changes-asked.ts";
import { aboutTurn, checkpointLines, reviewAsked } from "../changes/diff.ts";
import { afterwards, type Desk, takeBack } from "../changes/taking-back.ts";
import { whileBusy } from "./interrupt-or-leave.ts";
import { showNew } from "./queue-commands.ts";
import type { Talk } from "./talk.ts";

/** A longer diff would scroll everything else away. */
const mostLines = 400;

export async function showDiff({ session, terminal, style }: Talk, rest: string): Promise<void> {
  const asked = readAskedLine("diff", rest);
  const review = asked.ok
    ? await reviewAsked(asked.value, { state: session.state, review: (turn) => session.review(turn) })
    : asked;
  if (!review.ok) return terminal.note(visibleLine(review.problem));
  const { turn } = review.value;
  const lines = reviewLines(review.value, style, aboutTurn(session.state, turn));
  terminal.quote(...lines.slice(0, mostLines));
  const left = lines.length - mostLines;
  if (left > 0) terminal.note(style.dim(`… ${left} more lines: name a file (/diff ${turn} PATH).`));
}

export function showCheckpoints({ session, terminal }: Talk): void {
  terminal.note(...checkpointLines(session.state, Date.now()));
}

export const undo = (talk: Talk, rest: string): Promise<void> => carryOut("undo", talk, rest);
export const redo = (talk: Talk, rest: string): Promise<void> => carryOut("redo", talk, rest);
export const keep = (talk: Talk, rest: string): Promise<void> => carryOut("keep", talk, rest);

/** Strips an earlier resolution that did not work, so that a retry names only the new one. */
const chosen = /\s*--conflict[ =]\S+/gu;

async function carryOut(type: ChangesCommand["type"], talk: Talk, rest: string): Promise<void> {
  const { session, terminal, style } = talk;
  const asked = readAskedLine(type, rest);
  if (!asked.ok) return terminal.note(visibleLine(asked.problem));
  const desk: Desk = {
    session,
    style,
    tell: (...lines) => terminal.note(...lines),
    ask: (question) => terminal.answer(question),
    again: (way, turn) =>
      [`/${type}`, ...turnAgain(asked.value, turn), rest.replace(chosen, ""), "--conflict", way]
        .filter((word) => word !== "")
        .join(" "),
  };
  const taken = await whileBusy(talk, () => takeBack(type, asked.value, desk));
  await showNew(talk);
  if (taken.ok) return terminal.note(...afterwards(desk, taken, "/redo"));
  return terminal.note(taken.told ? "Nothing was changed." : visibleLine(taken.problem));
}
