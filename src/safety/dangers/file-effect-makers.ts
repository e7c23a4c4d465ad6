/** Short constructors for effects on files, used by the program tables. */

import {
  type Flow,
  type Word,
  flowsOf,
  joinWords,
  literal,
  unknownWord,
  withText,
} from "../command-line/word.ts";
import { danger, interprets } from "./effect-makers.ts";
import type { Effect } from "./effect.ts";

type WriteMode = Extract<Effect, { type: "writes" }>["how"];

/** Operands that name files; `-` is standard input or output. */
export const filesIn = (words: readonly Word[]): Word[] =>
  words.filter(({ text }) => text !== "-" && text !== "");

export const writes = (paths: readonly Word[], how: WriteMode): Effect[] =>
  filesIn(paths).map((path) => ({ type: "writes", path, how }));

export const deletes = (paths: readonly Word[], deep: boolean): Effect[] =>
  filesIn(paths).map((path) => ({ type: "deletes", path, deep }));

/** Edits files in place. */
export const edits = (paths: readonly Word[]): Effect[] => writes(paths, "edits");

/** Edits files in place with a filter's program. One that prints nothing of a line leaves them empty. */
export const filters = (paths: readonly Word[], code: string, isQuiet: boolean): Effect[] =>
  everyLine.test(code) || (isQuiet && !printing.test(code))
    ? filesIn(paths).map((path) => ({ type: "writes", path, how: "replaces", content: literal("") }))
    : edits(paths);

/** In sed and editors: every line is deleted, or replaced by the same text. */
const everyLine =
  /^[\s:]*(?:(?:1?,\$?|%|\/(?:[$^]|\^?\.\*\$?)\/)\s*)?\{?\s*(?:[dzQ]\s*(?:[;}|\n]|$)|c\b|c\\|s(?<mark>[/|,#!])\^?\.[*+]\$?\k<mark>[^\\&$]*\k<mark>)/u;
const printing = /print|\bsay\b|\bputs\b|\$(?:stdout|_\s*=)|(?:^|[\s;{}\d$/!gI])[pPiacwW](?:$|[\s;}])/u;

export const readsFiles = (paths: readonly Word[]): Effect[] =>
  filesIn(paths).map((path) => ({ type: "reads", path }));

/** Shows a directory to whoever asks; that of the workspace may be shown. */
export const showsDirectories = (paths: readonly Word[]): Effect[] =>
  paths
    .filter(({ text }) => /^(?:\/|~|\.\.|\0)/u.test(text))
    .map((path) => ({ type: "sends", to: undefined, files: [path] }));

/** Decoded output differs from the input, so it cannot be reviewed beforehand. */
export const printsDecoded: Effect = { type: "prints", flows: ["decoded"] };

/**
 * An option whose value is a shell command. Dangerous whatever the command is, since reviewers do not expect one there.
 */
export const runsByOption = (option: string, code: Word): Effect[] => [
  danger("high", `its option ${option} runs a command`),
  interprets("shell", code),
];

/** The last part of a path, to reuse as a name in another directory; "." if the path has no usable name. */
export function nameOf(path: Word): Word {
  const text = withoutEndSlashes(path.text);
  const name = text.slice(text.lastIndexOf("/") + 1);
  return withText(path, name === "" || name === ".." ? "." : name);
}

/** The parent directory of a path. */
export function directoryOf(path: Word): Word {
  const text = withoutEndSlashes(path.text);
  const end = text.lastIndexOf("/");
  if (end === 0) return withText(path, "/");
  return withText(path, end < 0 ? "." : text.slice(0, end));
}

/** Whether a path is relative, unlike `/etc` and `~/x`. */
export const isRelative = ({ text }: Word): boolean => !/^[/~]/u.test(text);

/** Joins a directory and a name. Patterns and unknown parts of either are preserved. */
export const below = (directory: Word, name: Word): Word => ({
  text: `${directory.text === "/" ? "" : withoutEndSlashes(directory.text)}/${name.text}`,
  isPattern: directory.isPattern || name.isPattern,
  mayBeSeveral: directory.mayBeSeveral || name.mayBeSeveral,
  carries: flowsOf([directory, name]),
});

/** Uses a loop because a regular expression takes quadratic time on many slashes. */
function withoutEndSlashes(text: string): string {
  let end = text.length;
  while (end > 1 && text[end - 1] === "/") end -= 1;
  return text.slice(0, end);
}

export const anyName = "found";

/**
 * Prints a list of files found below these starting points. Their names are known only at run time, so each is
 * represented by a placeholder path: whatever uses the list is judged as using files in those places.
 */
export const printsFound = (starts: readonly Word[]): Effect => {
  const found = starts.map((start) => below(below(start, literal("**")), literal(anyName)));
  return { type: "prints", text: { ...joinWords(found, "\n"), isPattern: true } };
};

export const fetched: Word = { ...unknownWord(new Set<Flow>(["network"])), mayBeSeveral: false };

/** `~/x`, `/etc/x`, `.env`, `dist/x.tgz`, each also behind `--file=`, `name=@`, `name@` or `fileb://`. */
const file =
  /^(?:--?[\w-]+=)?(?:[\w.[\]-]+[=@])?(?:@|fileb?:\/\/|<)?((?:[~./]|[\w-]+(?:\/[\w.@-]+)*\.[a-z])\S*)$/su;

export const filesNamed = (words: readonly Word[]): Word[] =>
  words.flatMap((word) => {
    const path = file.exec(word.text)?.[1];
    return path === undefined || /^\.{1,2}$|\.\.\.|^\/\/|:\/\//u.test(path) ? [] : [withText(word, path)];
  });
