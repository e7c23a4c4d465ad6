/** /edit: changes an earlier message and sends it again, in a new session that keeps everything before it. */

import { visibleLine } from "../../base/visible-text.ts";
import { type Status, statusOf, trailsOf } from "../../protocol/fold-changes.ts";
import { typedIn } from "../../protocol/messages.ts";
import { currentTurn, type TurnState } from "../../protocol/session-state.ts";
import type { Choice } from "../../tui/choice.ts";
import { chooseOne } from "./choose-one.ts";
import { whileBusy } from "./interrupt-or-leave.ts";
import { moveTo } from "./other-session.ts";
import type { Talk } from "./talk.ts";

/** How many messages are listed for selection. */
const mostListed = 20;

/** The message to send; undefined if the person will send it later or has changed their mind. */
export async function editMessage(talk: Talk, rest: string): Promise<string | undefined> {
  const turn = await chosenTurn(talk, rest);
  if (!turn) return undefined;
  const { session, terminal, runtime, style } = talk;
  if (session.state.status === "running") {
    terminal.note("A request is open: answer it or interrupt it first.");
    return undefined;
  }
  const forked = await runtime.fork(session.id, turn.turn);
  if (!forked.ok) {
    terminal.note(style.yellow(`! ${visibleLine(forked.problem)}`));
    return undefined;
  }
  await offerUndo(talk, turn.turn);
  await moveTo(talk, forked.value);
  terminal.note(
    `This is a new session (${forked.value.id}) with everything before request ${turn.turn}.`,
    `The one before is kept: toolwright --resume ${session.id}`,
  );
  return toSend(talk, textOf(turn));
}

const textOf = ({ request }: TurnState): string => typedIn(request, "\n");

async function chosenTurn(talk: Talk, rest: string): Promise<TurnState | undefined> {
  const { session, terminal } = talk;
  const { turns } = session.state;
  if (turns.length === 0) {
    terminal.note("There is no message yet.");
    return undefined;
  }
  let said = rest;
  if (said === "") {
    const chosen = await chooseOne(talk, {
      title: "Which message do you want to change?",
      choices: requestChoices(turns),
      first: turns[0]?.turn ?? 1,
      at: turns.length - 1,
      lines: requestLines(turns),
      prompt: "Which message do you want to change? (Enter: none) ",
    });
    if (chosen?.type === "choice") return turns[chosen.at];
    if (!chosen) return undefined;
    said = chosen.words;
  }
  const turn = turns.find((each) => String(each.turn) === said.replace(/^#/u, ""));
  if (!turn) {
    const last = currentTurn(session.state)?.turn ?? 0;
    terminal.note(
      `There is no message ${visibleLine(said)}: they are numbered ${turns[0]?.turn ?? 1} to ${last}.`,
    );
    if (rest === "" && terminal.editsLines) terminal.prefill(said); // who went back by accident has written a message
  }
  return turn;
}

/** By what was said. */
export const requestChoices = (turns: readonly TurnState[]): Choice[] =>
  turns.map((turn) => ({ name: shortly(turn), says: "" }));

function requestLines(turns: readonly TurnState[]): string[] {
  const left = turns.length - mostListed;
  return [
    ...(left > 0 ? [`… ${left} earlier ones: /edit 1 is the first.`] : []),
    ...turns.slice(-mostListed).map((turn) => `${String(turn.turn).padStart(3)}. ${shortly(turn)}`),
  ];
}

function shortly(turn: TurnState): string {
  const text = visibleLine(textOf(turn).slice(0, 400).trim());
  const characters = Array.from(text);
  return characters.length <= 100 ? text : `${characters.slice(0, 99).join("")}…`;
}

const inForce: readonly Status[] = ["pending", "partial"];

/** Files stay unchanged; offers to undo the changes of the dropped requests, newest first. */
async function offerUndo(talk: Talk, from: number): Promise<void> {
  const { session, terminal, style } = talk;
  const { turns, changes } = session.state;
  const changed = turns
    .map(({ turn }) => turn)
    .filter(
      (turn) => turn >= from && trailsOf(changes, turn).some((trail) => inForce.includes(statusOf(trail))),
    );
  if (changed.length === 0) return;
  const which = changed.length === 1 ? `Request ${changed[0]}` : `Requests ${changed.join(", ")}`;
  terminal.note(`${which} changed files, and they stay as they are.`);
  const { confirm } = await import("./questions.ts");
  const wanted = await whileBusy(talk, () => confirm(terminal, "Undo these changes?"));
  if (wanted !== true) return;
  for (const turn of changed.toReversed()) {
    const undone = await session.command({ type: "undo", turn });
    terminal.note(
      undone.ok
        ? `↶ Undone: request ${turn}`
        : style.yellow(`! Request ${turn}: ${visibleLine(undone.problem)}`),
    );
    if (!undone.ok) return; // older changes lie beneath this one
  }
}

/** A longer text appears at the prompt as a paste mark. */
const mostInLine = 400;

/** A single short line is edited at the prompt, anything longer in an editor. */
async function toSend(talk: Talk, text: string): Promise<string | undefined> {
  const { terminal } = talk;
  const isLong = !terminal.editsLines && (text.includes("\n") || text.length > mostInLine);
  const edited = isLong ? await terminal.edit(text, "message.md") : undefined;
  if (edited === undefined) {
    if (isLong) terminal.note("It is too long for this line: with $EDITOR set, /edit opens it there.");
    terminal.prefill(text);
    return undefined;
  }
  if (edited.ok) return edited.value.trimEnd();
  terminal.note(edited.problem);
  terminal.prefill(text);
  return undefined;
}
