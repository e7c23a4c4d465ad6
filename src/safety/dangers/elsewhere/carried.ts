/** What clients carry: files that their words name go out, and what comes from the network is unknown. */

import { type Flow, unknownWord, type Word, withText } from "../../command-line/word.ts";

export const fetched: Word = { ...unknownWord(new Set<Flow>(["network"])), mayBeSeveral: false };

/** `~/x`, `/etc/x`, `.env`, `dist/x.tgz`, each also behind `--file=`, `name=@`, `name@` or `fileb://`. */
const file =
  /^(?:--?[\w-]+=)?(?:[\w.[\]-]+[=@])?(?:@|fileb?:\/\/|<)?((?:[~./]|[\w-]+(?:\/[\w.@-]+)*\.[a-z])\S*)$/su;

export const filesNamed = (words: readonly Word[]): Word[] =>
  words.flatMap((word) => {
    const path = file.exec(word.text)?.[1];
    return path === undefined || /^\.{1,2}$|\.\.\.|^\/\/|:\/\//u.test(path) ? [] : [withText(word, path)];
  });
