/** Deletions inside a running container, whose files exist nowhere else. */

import type { Word } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";

/** The entire file system, a top-level directory, or the usual places of service data. */
const kept = /^\/(?:\*|(?!tmp(?:\/|$))[^/]+\/?\*?|var\/(?:lib|www|backups)(?:\/.*)?)?$/u;

/** `docker exec db rm -rf /data`. */
export function deletesInside([first, ...rest]: readonly Word[]): Effect[] {
  if (!first || !/^(?:.*\/)?rm$/u.test(first.text)) return [];
  const isDeep = rest.some(({ text }) => /^-[A-Za-z]*[rR]|^--recursive$/u.test(text));
  return isDeep && rest.some(({ text }) => kept.test(text))
    ? [danger("high", "it deletes what a running container keeps")]
    : [];
}

/** What reads its orders where nobody has looked: `echo … | docker exec -i db sh`. */
export function typesInside([first, ...rest]: readonly Word[]): Effect[] {
  const reads = first !== undefined && takesOrders.test(first.text);
  return reads &&
    rest.every(({ text }) => text.startsWith("-") && !/^-[a-z]*[ce]|^--(?!help|version)/u.test(text))
    ? [danger("medium", "it gives orders to a program in a container")]
    : [];
}

const takesOrders =
  /^(?:.*\/)?(?:\w*sh|python[\d.]*|node|perl|ruby|irb|php|psql|mysql|mariadb|sqlite3|redis-cli|mongo)$/u;
