/** What comes from the network: nothing is known of it. */

import { type Flow, unknownWord, type Word } from "../../command-line/word.ts";

export const fetched: Word = { ...unknownWord(new Set<Flow>(["network"])), mayBeSeveral: false };
