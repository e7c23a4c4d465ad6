/** Functions of `text.yaml`: pagers, and what looks at more than the words say. */

import { withText, type Word } from "../../command-line/word.ts";
import { isSecretVariable } from "../../secret-variables.ts";
import type { WordsDo } from "../data/does.ts";
import { doesMore } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { edits, readsFiles, runsByOption, writes } from "../file-effect-makers.ts";

const plainPager = /^(?:less|more|cat|most|never|col -b|\/usr\/bin\/less)?(?: -\w+)*$/u;

const isCommand = ({ text }: Word): boolean => text.startsWith("+");

const pagerCommand = (word: Word): Effect[] => {
  const [, sign, code] = /^\+*(?:[^/?!|]*?)([!|#])(.*)$/su.exec(word.text) ?? [];
  return sign !== undefined && code !== undefined ? runsByOption("+", withText(word, code)) : [];
};

export const lookingFunctions: Readonly<Record<string, WordsDo>> = {
  pagers: (words) =>
    words.filter(({ text }) => !plainPager.test(text)).flatMap((word) => runsByOption("--pager", word)),
  "pager commands": (words) => words.flatMap(pagerCommand),
  paged: (words) => [
    ...words.filter(isCommand).flatMap(pagerCommand),
    ...readsFiles(words.filter((word) => !isCommand(word))),
  ],
  "pages of a manual": (words, { has }) => (has("l", "local-file") ? readsFiles(words) : []),
  // With -n each file is followed by the one that gets its lines.
  "line ends": (words, { has }) =>
    has("n", "newfile")
      ? words.flatMap((word, at) => (at % 2 === 0 ? readsFiles([word]) : writes([word], "replaces")))
      : edits(words),
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
  *logged(words, { value, values }) {
    const files = values("f", "file");
    const to = value("n", "server");
    yield doesMore;
    if (to) yield { type: "sends", to, words, files, input: words.length + files.length === 0 };
    else yield* readsFiles(files);
  },
};
