/** /btw: a side question, answered from the conversation while the request goes on, and no part of it. */

import { errorMessage } from "../../base/expected.ts";
import { visibleLine } from "../../base/visible-text.ts";
import type { Entry } from "../../protocol/facts.ts";
import { blockLines } from "../../view/plain.ts";
import { emptyTranscript, showEntry } from "../../view/transcript.ts";
import { whileBusy } from "./interrupt-or-leave.ts";
import { showNew, tellProblem } from "./queue-commands.ts";
import type { Talk } from "./talk.ts";

/** At the prompt it is waited for; during a request it is not, so that what is typed next is not held up. */
export async function aside(talk: Talk, question: string): Promise<void> {
  const { session, terminal, style } = talk;
  if (question === "")
    return terminal.note("/btw QUESTION asks the model beside the work; it is no part of the conversation.");
  terminal.note(style.dim("Asking beside the conversation …"));
  if (talk.busy) {
    void askBeside(talk, question);
    return;
  }
  tellProblem(talk, await whileBusy(talk, () => session.aside(question)));
  await showNew(talk);
}

/**
 * Whoever prints the request's events prints the answer, too, unless the request is over by then or waits at a question,
 * for which the answer may have been wanted.
 */
async function askBeside(talk: Talk, question: string): Promise<void> {
  const { session, terminal, style } = talk;
  const answers: Entry[] = [];
  const leave = session.log.listen((event) => {
    if (event.type === "aside-answered") answers.push(event);
  });
  try {
    const answered = await session.aside(question);
    if (!answered.ok) terminal.announce(style.yellow(`! ${visibleLine(answered.problem)}`));
    if (talk.busy && !terminal.isAsking) return;
    for (const answer of answers) {
      if (answer.seq <= talk.seen) continue;
      talk.seenBefore.add(answer.seq);
      const blocks = showEntry(emptyTranscript(), answer);
      terminal.announce(...blocks.flatMap((block) => blockLines(block, style)));
    }
  } catch (error) {
    terminal.announce(style.red(`! ${visibleLine(errorMessage(error))}`));
  } finally {
    leave();
  }
}
