/** What the words of a client send along: the files that they name. */

import { type Word, withText } from "../../command-line/word.ts";

/** `~/x`, `/etc/x`, `.env`, `dist/x.tgz`, each also behind `--file=`, `name=@` or `fileb://`. */
const file =
  /^(?:--?[\w-]+=)?(?:[\w.[\]-]+=)?(?:@|fileb?:\/\/|<)?((?:[~./]|[\w-]+(?:\/[\w.@-]+)*\.[a-z])\S*)$/su;

export const filesNamed = (words: readonly Word[]): Word[] =>
  words.flatMap((word) => {
    const path = file.exec(word.text)?.[1];
    return path === undefined || /^\.{1,2}$|\.\.\.|^\/\/|:\/\//u.test(path) ? [] : [withText(word, path)];
  });
