/** Reads a reply to a question of the turn; slash commands may precede it. */

import type { Card } from "../../tui/card.ts";
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
