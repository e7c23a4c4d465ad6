/** Handles input typed during a turn: messages for it or for afterwards, and commands that do not disturb it. */

import { errorMessage } from "../../base/expected.ts";
import { visibleLine } from "../../base/visible-text.ts";
import type { Delivery } from "../../protocol/facts.ts";
import { say } from "./attaching.ts";
import { quit } from "./interrupt-or-leave.ts";
import { obeyOwnLine } from "./own-line.ts";
import { tellProblem } from "./queue-commands.ts";
import { isSlashCommand, runBeside } from "./slash-commands.ts";
import type { Talk } from "./talk.ts";

/** Starts delivering typed lines to the running turn. */
export function listenWhileRunning(talk: Talk): void {
  talk.terminal.deliverTo((text, when) => {
    talk.sending = talk.sending
      .then(() => handleInput(talk, text, when))
      .catch((error: unknown) => {
        const words = errorMessage(error);
        talk.terminal.note(talk.style.red(`! ${visibleLine(words)}`));
      });
    return talk.sending;
  });
}

/** Stops delivering, so that typed lines wait for the next prompt. Resolves when earlier ones have been sent. */
export async function listenNoMore(talk: Talk): Promise<void> {
  talk.terminal.deliverTo(undefined);
  await talk.sending;
}

async function handleInput(talk: Talk, text: string, when: Delivery): Promise<void> {
  if (isSlashCommand(text)) return runBeside(talk, text.trim());
  if (await obeyOwnLine(talk, text)) return undefined;
  if (/^(?:exit|quit)$/iu.test(text.trim())) return quit(talk);
  tellProblem(talk, await say(talk, text, when));
}
