/** Functions of `files.yaml`: what searches for files, and for text in files. */

import { joinWords, literal, type Word } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import { runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { below, printsFound, readsFiles } from "../file-effect-makers.ts";
import type { Use } from "../program.ts";
import { commandIn, fillIn, foundMark } from "./find.ts";

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

const commandOption = /^(?:-[HILalsgipuq0Fv1]*[xX]|--exec(?:-batch)?)$/u;

/** `fd pattern directory -x command {}`: everything behind `-x` is the command, up to `;`. */
function* findsByName({ words, operands, value, values, has }: Use): Iterable<Effect> {
  const at = words.findIndex(({ text }) => commandOption.test(text));
  const behind = at < 0 ? [] : words.slice(at + 1);
  const [name, ...places] = operands.filter((word) => !behind.includes(word));
  const starts = orHere([...values("search-path", "base-directory", "C"), ...places]);
  if (at < 0) yield printsFound(starts);
  const text = name?.text ?? "";
  const ending = value("e", "extension");
  const alike = has("g", "glob") ? text : /^[\w-]+$/u.test(text) ? `*${text}*` : "?*";
  const found = literal(ending ? `*.${ending.text}` : alike);
  const paths = starts.map((start) => ({ ...below(below(start, literal("**")), found), isPattern: true }));
  while (behind.length > 0) {
    const command = commandIn(behind).filter((word) => !commandOption.test(word.text));
    const isFilled = command.some((word) => word.text.search(foundMark) >= 0);
    for (const path of command.length > 0 ? paths : [])
      yield runs(isFilled ? command.map((word) => fillIn(word, path)) : [...command, path]);
  }
}
