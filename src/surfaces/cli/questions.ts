/** Questions on the terminal: the whole command or diff, and one line in answer. */
import type { FactOf } from "../../protocol/facts.ts";
import { pendingApprovals } from "../../protocol/fold.ts";
import { questionLines } from "../view/plain.ts";
import type { LineInput } from "./line-input.ts";
import type { Talk } from "./talk.ts";

export type Answer = { answer: "allow" | "deny"; scope: "once" | "turn" | "session"; note?: string };

const choices = "  [y]es once · [t]his turn · [s]ession · [n]o, or type why not: ";
const hint = "  Please answer y, t, s or n; a longer answer is a no with its reason.";

/**
 * Asks until there is an answer and sends it. The end of the input is a no; a question that has been answered
 * or given up meanwhile is not asked.
 */
export async function askApproval(talk: Talk, asked: FactOf<"approval-asked">): Promise<void> {
  if (!isPending(talk, asked.callId)) return;
  talk.printer.note(...questionLines(asked, talk.style));
  const answer = await readAnswer(talk);
  if (!isPending(talk, asked.callId)) return;
  await talk.session.command({ type: "answer-approval", callId: asked.callId, by: "terminal", ...answer });
}

/** Asks a yes-or-no question of our own; `undefined` at the end of the input or when it was given up. */
export async function confirm(input: LineInput, question: string): Promise<boolean | undefined> {
  for (;;) {
    const line = await input.answer(`${question} [y/n] `);
    if (line === undefined) return undefined;
    if (/^no?$/iu.test(line.trim())) return false;
    if (/^y(es)?$/iu.test(line.trim())) return true;
  }
}

/** `undefined`: it cannot be told what is meant. */
export function parseAnswer(line: string): Answer | undefined {
  const said = line.trim();
  const word = said.toLowerCase();
  if (word === "y" || word === "yes") return { answer: "allow", scope: "once" };
  if (word === "t" || word === "turn" || word === "this turn") return { answer: "allow", scope: "turn" };
  if (word === "s" || word === "session") return { answer: "allow", scope: "session" };
  if (word === "n" || word === "no") return { answer: "deny", scope: "once" };
  const note = said.replace(/^no?[\s,:;.–-]+/iu, "");
  // A slip of the finger is not a reason.
  return note.length < 4 && note === said ? undefined : { answer: "deny", scope: "once", note };
}

async function readAnswer(talk: Talk): Promise<Answer> {
  for (;;) {
    const line = await talk.input.answer(choices);
    if (line === undefined) {
      talk.printer.note("");
      return { answer: "deny", scope: "once" };
    }
    const answer = parseAnswer(line);
    if (answer) return answer;
    talk.printer.note(hint);
  }
}

const isPending = ({ session }: Talk, callId: string): boolean =>
  pendingApprovals(session.state).some((open) => open.callId === callId);
