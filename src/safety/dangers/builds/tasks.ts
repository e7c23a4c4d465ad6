/** Tasks that a project names itself (scripts, make targets): what their names reveal about effects outside it. */

import type { Word } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";

const outward = /(?:^|[:_-])(?:deploy|publish)(?:$|[:_-])/u;
const tried = /(?:^|[:_-])(?:dry|check|test|lint|build|preview|local|types?|docs?:build)(?:$|[:_-])/u;

/** `npm run deploy`, `make publish`: names that projects give to tasks visible to others. */
export const tasksThatReachOut = (tasks: readonly Word[]): Effect[] =>
  tasks.some(({ text }) => outward.test(text) && !tried.test(text))
    ? [danger("high", "its task is named for what reaches other machines")]
    : [];
