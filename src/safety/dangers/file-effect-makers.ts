/** Short ways to tell what happens to files, for the rows of programs that work on them. */

import { flowsOf, joined, literal, type Word, withText } from "../command-line/word.ts";
import { danger, interprets } from "./effect-makers.ts";
import type { Effect } from "./effect.ts";
import type { Program, Use } from "./program.ts";

type WriteMode = Extract<Effect, { type: "writes" }>["how"];

/** Computes and prints. */
export const nothing: Program["does"] = () => [];

/** Operands that name files: `-` is standard input or output. */
export const filesIn = (words: readonly Word[]): Word[] =>
  words.filter(({ text }) => text !== "-" && text !== "");

export const writes = (paths: readonly Word[], how: WriteMode): Effect[] =>
  filesIn(paths).map((path) => ({ type: "writes", path, how }));

export const deletes = (paths: readonly Word[], deep: boolean): Effect[] =>
  filesIn(paths).map((path) => ({ type: "deletes", path, deep }));

/** Changes them in their places. */
export const edits = (paths: readonly Word[]): Effect[] => writes(paths, "edits");

/** Its content is still there, under another name. */
export const movesAway = (paths: readonly Word[]): Effect[] =>
  filesIn(paths).map((path) => ({ type: "deletes", path, deep: true, moved: true }));

export const readsFiles = (paths: readonly Word[]): Effect[] =>
  filesIn(paths).map((path) => ({ type: "reads", path }));

export const readsOperands: Program["does"] = ({ operands }) => readsFiles(operands);

/** Its output is another text than its input, so nobody sees beforehand what it says. */
export const printsDecoded: Effect = { type: "prints", flows: ["decoded"] };

/** An option whose value is a shell command. That is dangerous whatever the command is: nobody looks for one there. */
export const runsByOption = (option: string, code: Word): Effect[] => [
  danger("high", `its option ${option} runs a command`),
  interprets("shell", code),
];

/** For all the options with these names: `runsByOptions(use, ["compress-program"])`. */
export const runsByOptions = (use: Use, names: readonly string[]): Effect[] =>
  use.options.flatMap(({ name, value }) =>
    value && names.includes(name) ? runsByOption(dashed(name), value) : [],
  );

const dashed = (name: string): string => (name.length === 1 ? `-${name}` : `--${name}`);

/** The last part of a path, as it will be called in another directory; "." where it has no name of its own. */
export function nameOf(path: Word): Word {
  const text = withoutEndSlashes(path.text);
  const name = text.slice(text.lastIndexOf("/") + 1);
  return withText(path, name === "" || name === ".." ? "." : name);
}

/** The directory that a path lies in. */
export function directoryOf(path: Word): Word {
  const text = withoutEndSlashes(path.text);
  const end = text.lastIndexOf("/");
  if (end === 0) return withText(path, "/");
  return withText(path, end < 0 ? "." : text.slice(0, end));
}

/** Seen from a directory, unlike `/etc` and `~/x`. */
export const isRelative = ({ text }: Word): boolean => !/^[/~]/u.test(text);

/** A path below a directory. A pattern or an unknown part of either stays in it. */
export const below = (directory: Word, name: Word): Word => ({
  text: `${directory.text === "/" ? "" : withoutEndSlashes(directory.text)}/${name.text}`,
  isPattern: directory.isPattern || name.isPattern,
  mayBeSeveral: directory.mayBeSeveral || name.mayBeSeveral,
  carries: flowsOf([directory, name]),
});

/** A loop: a regular expression for it takes quadratic time on many slashes. */
function withoutEndSlashes(text: string): string {
  let end = text.length;
  while (end > 1 && text[end - 1] === "/") end -= 1;
  return text.slice(0, end);
}

/**
 * A list of files that were found below these: which ones only the run tells, but not that they lie there. Their name
 * is a stand-in: what is done with the list is done with files of the place.
 */
export const printsFound = (starts: readonly Word[]): Effect => {
  const found = starts.map((start) => below(below(start, literal("**")), literal("found")));
  return { type: "prints", text: { ...joined(found, "\n"), isPattern: true } };
};
