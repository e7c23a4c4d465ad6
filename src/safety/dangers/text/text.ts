/** Functions of `text.yaml`: programs that print what they read, in whole, in part, or converted. */

import { withText, type Word } from "../../command-line/word.ts";
import { isSecretVariable } from "../../secret-variables.ts";
import type { WordsDo } from "../data/does.ts";
import { printsDecoded, readsFiles, runsByOption } from "../file-effect-makers.ts";

/** Deleting blanks or line ends, or inserting them, hides nothing. */
const blanks = /^(?:\s|\\[nrtfv0]|\\\\n|\[:(?:space|blank|cntrl):\])*$/u;
const separators = /^(?:\s|\\n|[,;:|])*$/u;

const plainPager = /^(?:less|more|cat|most|never|col -b|\/usr\/bin\/less)?(?: -\w+)*$/u;
/** `less '+!command' file` */
const pagerCommand = /^\+*[^/?!|]*?[!|#](.*)$/su;

const commandOf = (word: Word): Word | undefined => {
  const code = pagerCommand.exec(word.text)?.[1];
  return word.text.startsWith("+") && code !== undefined ? withText(word, code) : undefined;
};

export const textFunctions: Readonly<Record<string, WordsDo>> = {
  /** Without files it prints its input. */
  "passes on": (files, { options, input: { text } }) =>
    text && options.length === 0 && files.every(({ text: name }) => name === "-")
      ? [{ type: "prints", text }]
      : [],
  translated: ([from, to]) =>
    from && blanks.test(from.text) && (to === undefined || separators.test(to.text)) ? [] : [printsDecoded],
  pagers: (words) =>
    words.filter(({ text }) => !plainPager.test(text)).flatMap((word) => runsByOption("--pager", word)),
  paged: (words) => [
    ...words.flatMap((word) => commandOf(word) ?? []).flatMap((code) => runsByOption("+", code)),
    ...readsFiles(words.filter(({ text }) => !text.startsWith("+"))),
  ],
  "variables of the input": (_, { input: { text } }) =>
    (text?.text.match(/[A-Za-z_]\w*/gu) ?? []).some(isSecretVariable)
      ? [{ type: "prints", flows: ["secret"] }]
      : [],
  "endless numbers": (words) =>
    words.some(({ text }) => /^inf(?:inity)?$/iu.test(text)) ? [{ type: "prints", flows: ["endless"] }] : [],
  clipboard: (words, { name, has }) => [
    ...readsFiles(words),
    ...(name.endsWith("paste") || has("o", "out", "output")
      ? [{ type: "prints", flows: ["private"] } as const]
      : []),
  ],
};
