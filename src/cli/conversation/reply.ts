/** Reads replies to questions of the turn, until one is taken; slash commands may precede them. */

import { visibleLine } from "../../base/visible-text.ts";
import type { Command } from "../../protocol/commands.ts";
import type { Card } from "../../tui/card.ts";
import { waitsOn } from "./interrupt-or-leave.ts";
import type { Talk } from "./talk.ts";

/** `undefined` at the end of the input or when the question was cancelled. */
export async function readReply(talk: Talk, card: Card): Promise<string | undefined> {
  const { interruptedAt } = talk;
  for (;;) {
    const line = await talk.terminal.ask(card);
    if (line === undefined) {
      if (talk.interruptedAt === interruptedAt) talk.terminal.note(""); // ends the line of the question
      return undefined;
    }
    if (/^\/(?:quit|exit)$/iu.test(line.trim())) return undefined; // leaves, like the end of the input
    if (!(await talk.command(line))) return line;
  }
}

/** `read`: undefined at the end of the input or when it was cancelled. `refusal`: the answer where nobody is left to give one. */
type QuestionReading<Answer> = {
  isOpen: () => boolean;
  read: () => Promise<Answer | undefined>;
  refusal: Answer;
  command: (answer: Answer) => Command;
};

/**
 * Asks until there is an answer and sends it. When the input ends, the question stays open at a terminal and is refused
 * elsewhere; a question that was answered or cancelled meanwhile is skipped.
 */
export async function askUntilTaken<Answer>(
  talk: Talk,
  { isOpen, read, refusal, command }: QuestionReading<Answer>,
): Promise<void> {
  while (isOpen()) {
    const answer = await read();
    if (!isOpen() || (answer === undefined && waitsOn(talk))) return;
    const outcome = await talk.session.command(command(answer ?? refusal));
    if (outcome.ok) return;
    talk.terminal.note(`  ${visibleLine(outcome.problem)}`);
  }
}
