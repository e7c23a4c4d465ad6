/** Tasks that a project names itself (scripts, targets of make): what their names say of where they reach. */

import type { Word } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";

const outward = /(?:^|[:_-])(?:deploy|publish)(?:$|[:_-])/u;
const tried = /(?:^|[:_-])(?:dry|check|test|lint|build|preview|local|types?|docs?:build)(?:$|[:_-])/u;

/** `npm run deploy`, `make publish`: the project's own words for what others will see. */
export const tasksThatReachOut = (tasks: readonly Word[]): Effect[] =>
  tasks.some(({ text }) => outward.test(text) && !tried.test(text))
    ? [danger("high", "its task is named for what reaches other machines")]
    : [];
