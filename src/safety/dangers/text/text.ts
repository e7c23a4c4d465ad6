/** Functions of `text.yaml`: what prints what it reads, and what tells names, places, times and variables. */

import { posix } from "node:path";
import { isLiteral, literal, unknown, type Word, withText } from "../../command-line/word.ts";
import { isSecretVariable } from "../../secret-variables.ts";
import { danger, printsVariables } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { directoryOf, printsDecoded, readsFiles, runsByOption } from "../file-effect-makers.ts";
import { namesIn } from "../parts.ts";
import type { Use, WordsDo } from "../program.ts";

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

const printsSecrets: Effect = { type: "prints", flows: ["secret"] };

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
    (text?.text.match(/[A-Za-z_]\w*/gu) ?? []).some(isSecretVariable) ? [printsSecrets] : [],
  "endless numbers": (words) =>
    words.some(({ text }) => /^inf(?:inity)?$/iu.test(text)) ? [{ type: "prints", flows: ["endless"] }] : [],
  /** Resolves a path, as far as its text allows; without one, it is where the command runs. */
  "tells place"([path = literal(""), ...more], { around: { directory }, has }) {
    if (more.length > 0 || !isLiteral(path) || has("relative-to", "relative-base")) return [];
    if (!path.text.startsWith("/") && directory === undefined) return [];
    return [{ type: "prints", text: literal(posix.resolve(directory ?? "/", path.text)) }];
  },
  "tells directory": ([path]) =>
    path && isLiteral(path) ? [{ type: "prints", text: withText(path, `${directoryOf(path).text}\n`) }] : [],
  /** What the clock says is only known when it runs. */
  "tells time"(operands, { has }) {
    const isNumber = operands.some(({ text }) => /^\d{4,}(?:\.\d+)?$/u.test(text));
    if (has("s", "set") || (isNumber && !has("j", "v")))
      return [danger("high", "it sets the clock of this machine")];
    const format = operands.find(({ text }) => text.startsWith("+"));
    const told = format?.text.slice(1).replaceAll(/%[-_0^#+:\d]*[EO]?[a-zA-Z%]/gu, unknown);
    return format && told !== undefined ? [{ type: "prints", text: withText(format, told) }] : [];
  },
  /** Without a dash, `e` adds the environment of every process: `ps auxe`. */
  "tells processes": (_, { words: [first] }) => (/^\w*e\w*$/u.test(first?.text ?? "") ? [printsSecrets] : []),
  "tells variables"(names) {
    if (names.length === 0) return [printsVariables];
    return names.some(({ text }) => isSecretVariable(text)) ? [printsSecrets] : [];
  },
};

/** What prints some of its input lines unchanged, so that a list of files remains one: but not with these options. */
const selecting: readonly (readonly [names: RegExp, changing: string])[] = [
  [/^g?(?:head|tail)$/u, "c bytes v verbose"],
  [/^g?(?:sort|shuf)$/u, "e echo i input-range files0-from o"],
  [/^g?uniq$/u, "c count group"],
  [/^g?tac$/u, "s r b"],
  [
    /^[efg]?grep$/u,
    `o c n H b A B C T l L q r R only-matching count line-number with-filename byte-offset context after-context
      before-context label recursive color colour`,
  ],
];

/** Further operands than the pattern of grep are input files. */
export function onlySelects({ name, operands, has }: Use): boolean {
  const changing = selecting.find(([names]) => names.test(name))?.[1];
  const isSearch = name.endsWith("grep") && !has("e", "f", "regexp", "file");
  return changing !== undefined && operands.length <= (isSearch ? 1 : 0) && !has(...namesIn(changing));
}
