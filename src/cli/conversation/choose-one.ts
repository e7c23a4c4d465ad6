/** Lets a person choose one of several: nothing else of the conversation is answered meanwhile. */

import type { ChoiceAnswer, ChoiceMenu } from "../../tui/choice.ts";
import { whileBusy } from "./interrupt-or-leave.ts";
import type { Talk } from "./talk.ts";

/** Undefined if everything shall stay as it is. */
export const chooseOne = (talk: Talk, menu: ChoiceMenu): Promise<ChoiceAnswer | undefined> =>
  whileBusy(talk, () => talk.terminal.choose(menu));
