/** Functions of `files.yaml`: what searches for files, and for text in files. */

import { joinWords, literal, unknownWord, withText, type Word } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import { runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { below, printsFound, readsFiles } from "../file-effect-makers.ts";
import type { Use } from "../program.ts";

export const finding: Readonly<Record<string, WordsDo>> = {
  /** The first operand is the pattern, unless an option supplies it. */
  searched(operands, { has }) {
    const searched = has("e", "f", "regexp", "file", "files", "match") ? operands : operands.slice(1);
    const isList = has("l", "L", "files", "files-with-matches", "files-without-match");
    return [...readsFiles(searched), ...(isList ? [printsFound(orHere(searched))] : [])];
  },
  /** Prints the given names, or those in the current directory; of other directories without their path. */
  listed(operands, { has }) {
    if (has("l", "long", "R", "recursive", "T", "tree")) return [];
    const names = operands.length === 0 ? [{ ...literal("*"), isPattern: true }] : operands;
    return operands.every(({ isPattern }) => isPattern)
      ? [{ type: "prints", text: { ...joinWords(names, "\n"), isPattern: true } }]
      : [];
  },
  "found by name": (_, use) => findsByName(use),
};

const orHere = (starts: readonly Word[]): readonly Word[] => (starts.length > 0 ? starts : [literal(".")]);

const commandOption = /^(?:-[HILalsgipuq0Fv1]*[xX]|--exec(?:-batch)?(?:=(.*))?)$/su;

/** `fd pattern directory -x command {}`: everything behind `-x` is the command, up to `;`. */
function* findsByName({ words, operands, value, values, has }: Use): Iterable<Effect> {
  const at = words.findIndex(({ text }) => commandOption.test(text));
  const behind = words.slice(at);
  const [name, ...places] = at < 0 ? operands : operands.filter((word) => !behind.includes(word));
  const starts = orHere([...values("search-path", "base-directory", "C"), ...places]);
  if (at < 0) {
    yield printsFound(starts);
    return;
  }
  const text = name?.text ?? "";
  const ending = value("e", "extension");
  const alike = has("g", "glob") ? text : /^[\w-]+$/u.test(text) ? `*${text}*` : "?*";
  const found = literal(ending ? `*.${ending.text}` : alike);
  // Unusually many starting points are treated as a single unknown one.
  for (const start of starts.length > 8 ? [unknownWord()] : starts)
    for (const command of commandsIn(behind))
      yield runs(withPath(command, { ...below(below(start, literal("**")), found), isPattern: true }));
}

function commandsIn(words: readonly Word[]): Word[][] {
  const commands: Word[][] = [];
  let isOpen = false;
  for (const word of words) {
    if (!isOpen && commandOption.test(word.text)) {
      const [, given] = commandOption.exec(word.text) ?? [];
      commands.push(given === undefined ? [] : [withText(word, given)]);
      isOpen = true;
    } else if (word.text === ";") isOpen = false;
    else if (isOpen) commands.at(-1)?.push(word);
  }
  return commands.filter((command) => command.length > 0);
}

const placeholder = /\{(?:|\/|\/\/|\.|\/\.)\}/gu;

function withPath(command: readonly Word[], path: Word): Word[] {
  const filled = command.map((word) => {
    const text = word.text.replaceAll(placeholder, path.text);
    return text === word.text ? word : { ...path, text };
  });
  return filled.some((word, at) => word !== command[at]) ? filled : [...filled, path];
}
