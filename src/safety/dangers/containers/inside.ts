/** What a command deletes inside a container that goes on running, whose files are nowhere else. */

import type { Word } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";

/** The whole of it, a directory at the top, or where services keep their data. */
const kept = /^\/(?:\*|(?!tmp(?:\/|$))[^/]+\/?\*?|var\/(?:lib|www|backups)(?:\/.*)?)?$/u;

/** `docker exec db rm -rf /data`. */
export function deletesInside([first, ...rest]: readonly Word[]): Effect[] {
  if (!first || !/^(?:.*\/)?rm$/u.test(first.text)) return [];
  const isDeep = rest.some(({ text }) => /^-[A-Za-z]*[rR]|^--recursive$/u.test(text));
  return isDeep && rest.some(({ text }) => kept.test(text))
    ? [danger("high", "it deletes what a running container keeps")]
    : [];
}
