/** Lets a person choose one of several: nothing else of the conversation is answered meanwhile. */

import type { ChoiceAnswer, ChoiceMenu } from "../../tui/choice.ts";
import type { Talk } from "./talk.ts";

/** Undefined if everything shall stay as it is. */
export async function chooseOne(talk: Talk, menu: ChoiceMenu): Promise<ChoiceAnswer | undefined> {
  const before = talk.busy;
  talk.busy = true; // Ctrl-C cancels the question and does not leave
  try {
    return await talk.terminal.choose(menu);
  } finally {
    talk.busy = before;
  }
}
