/** Takes from a traced command the pieces that may be file names or parts of them. */

import { basename, extname } from "node:path";
import type { TracedUse } from "../command-line/report.ts";
import type { Shell } from "../command-line/shell.ts";
import { unknown, type Word } from "../command-line/word.ts";
import { traceLine } from "../judge.ts";
import { withoutDoubt } from "./shell-at.ts";

/** One use of a program in a line: its words as far as they are known, with `$` for what is not. */
export type ProgramUse = Omit<TracedUse, "words" | "given"> & {
  /** For people. */
  text: string;
  words: readonly string[];
  given: readonly string[];
  /** It only reads, prints and writes. */
  isData: boolean;
};

export type Pieces = {
  parts: readonly ProgramUse[];
  /** Each may be a file, a directory or part of a path; a false positive only costs a person another question. */
  names: ReadonlySet<string>;
  /** The subset in commands that run files: a matching file is run, or loaded by one that is. */
  ran: ReadonlySet<string>;
  /** Glob patterns whose matches would all run. */
  patterns: ReadonlySet<string>;
  /** Where one of these is a directory, any file in it may run. */
  whole: ReadonlySet<string>;
};

export function piecesOf(line: string, shell: Shell): Pieces {
  const traced: TracedUse[] = [];
  const report = traceLine(withoutDoubt(line), shell, traced);
  const uses = traced.map(usedIn);
  const isWhole =
    report.untrusted.length === 0 && report.doubts.every(({ severity }) => severity !== "critical");
  const parts = isWhole ? uses : [...uses, untracedIn(line)];
  const isRunning = parts.some(({ words }) => words.some(isInterpreter) || isOwnProgram(programOf(words)));
  const countsData = parts.some(
    ({ words }) => isInterpreter(programOf(words)) || programOf(words).includes("/"),
  );
  const [names, ran] = [new Set<string>(), new Set<string>()];
  const [patterns, whole] = [new Set<string>(), new Set<string>()];
  for (const part of parts) {
    const program = programOf(part.words);
    if (part.isData && (!countsData || looksOnly.has(program))) continue;
    // Code for a shell is traced by itself.
    const words = part.effects.has("interprets shell")
      ? part.words.filter((word) => !/\s/u.test(word))
      : part.words;
    const pieces = [...words, ...part.given].flatMap(piecesIn);
    for (const piece of [...pieces, ...namesKnownTo(part)]) {
      names.add(piece);
      if (runsFiles(part)) ran.add(piece);
    }
    if (isRunning && fillsIn(part.words)) for (const piece of pieces.filter(isPattern)) patterns.add(piece);
    for (const name of wholeIn(part.words)) whole.add(name);
  }
  return { parts, names, ran, patterns, whole };
}

/** What is known only at run time is written as the variable `$`. */
function usedIn({ words, given, directory, effects }: TracedUse): ProgramUse {
  const [program = "", ...rest] = words.map(textOf);
  const runsNothing = [...effects].every((effect) => dataEffects.has(effect));
  return {
    text: [program, ...rest].join(" ").replaceAll("$", "…"),
    words: [program, ...rest],
    given: given.map(textOf),
    directory,
    effects,
    isData: (harmless.has(program) || looksOnly.has(program)) && runsNothing,
  };
}

const textOf = ({ text }: Word): string => text.replaceAll(unknown, "$");

/** A line that was not understood: each of its words may be a file. */
const untracedIn = (line: string): ProgramUse => ({
  text: line,
  words: ["$", ...line.replaceAll(/["'\\]/gu, "").split(/[\s;|&<>(){}`]+/u)],
  given: [],
  directory: undefined,
  effects: new Set(),
  isData: false,
});

const dataEffects: ReadonlySet<string> = new Set([
  "reads",
  "writes",
  "deletes",
  "permits",
  "prints",
  "handles-own-processes",
]);

/** A program of the workspace itself; one of an installed package may load anything, such as its settings. */
export const isOwnProgram = (program: string): boolean =>
  /[/$]/u.test(program) && !program.split("/").includes("node_modules");

/** Whether the program runs the files it is given; `prettier src/a.ts`, for one, only processes them. */
function runsFiles({ words, effects }: ProgramUse): boolean {
  const program = programOf(words);
  if (isInterpreter(program) || isOwnProgram(program)) return true;
  return taskFilesOf(program) !== undefined && !effects.has("runs");
}

/** Whether a pattern may expand to files that run, or to a directory they run in. */
const fillsIn = (words: readonly string[]): boolean => {
  const program = programOf(words);
  return (
    /^(?:cd|pushd)$/u.test(program) ||
    isOwnProgram(program) ||
    harmless.has(program) ||
    isInterpreter(program)
  );
};

const programOf = (words: readonly string[]): string => words[0] ?? "";

/** A word, what it holds if it is a line or a list, and its value if it is an option. */
const piecesIn = (word: string): string[] =>
  [word, ...word.split(/[\s;|&<>(){}`"']+/u), ...word.split(/[=,:\s"']/u)].flatMap(variants);

/**
 * The pieces of a word around its expansions, and the value after an option: `$x/a.sh` may be a.sh of any directory.
 */
export function variants(word: string): string[] {
  const between = word.split("$");
  const pieces = [word, ...between].flatMap((piece) => [
    piece,
    piece.replace(/^\/+/u, ""),
    piece.replace(/^-+/u, ""),
    piece.replace(/^-\w/u, ""),
  ]);
  return [...new Set(pieces)].filter((piece) => piece !== "" && !piece.includes("\0"));
}

/** Files that a program loads without being told, by their conventional names. */
function namesKnownTo({ words }: ProgramUse): string[] {
  const tasks = words.flatMap((word) => taskFilesOf(word) ?? []);
  if (!words.some((word) => isInterpreter(word) && !isShell(word))) return tasks;
  const bare = words.slice(1).flatMap((word) => [word, ...word.split("=").slice(1)]);
  const loaded = bare.filter((word) => /\w/u.test(word) && !/\s/u.test(word) && extname(word) === "");
  const modules = modulesIn(words).flatMap((path) => {
    const steps = path.split("/").slice(0, -1);
    const packages = steps.map((_, at) => `${steps.slice(0, at + 1).join("/")}/__init__.py`);
    return [`${path}.py`, ...packages];
  });
  return [...tasks, ...loaded.flatMap((word) => endings.map((end) => `${word}${end}`)), ...modules];
}

const endings = [".js", ".cjs", ".mjs", ".ts", ".json", ".py", ".rb"];

/** `python3 -m a.b` as the path a/b. */
export const modulesIn = (words: readonly string[]): string[] =>
  words.flatMap((word, at) => {
    if (!/^-m./u.test(word) && word !== "-m") return [];
    const name = word === "-m" ? (words[at + 1] ?? "") : word.slice(2);
    return /^\w+(?:\.\w+)*$/u.test(name) ? [name.replaceAll(".", "/")] : [];
  });

function wholeIn(words: readonly string[]): string[] {
  const [program = "", ...rest] = words;
  if (runsWhatItFinds(words)) {
    const end = rest.findIndex((word) => word.startsWith("-"));
    return (end <= 0 ? rest : rest.slice(0, end)).flatMap(variants);
  }
  if (basename(program) === "run-parts") return rest.flatMap(variants);
  if (!isInterpreter(program)) return [];
  const script = rest.find((word) => !word.startsWith("-")) ?? "";
  return [...variants(script), ...modulesIn(words)];
}

/** Recognizes `find … -exec`. */
export const runsWhatItFinds = (words: readonly string[]): boolean =>
  basename(programOf(words)) === "find" && words.some((word) => /^-(?:exec|ok)(?:dir)?$/u.test(word));

export const isPattern = (word: string): boolean => /[*?]|\[.+\]/u.test(word);

/** The conventional files that define what these programs run. */
export const taskFilesOf = (program: string): readonly string[] | undefined =>
  Object.hasOwn(taskFiles, basename(program)) ? taskFiles[basename(program)] : undefined;

const taskFiles: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ["npm", "pnpm", "yarn", "bun"].map((name) => [name, ["package.json", ".npmrc", ".yarnrc.yml"]]),
  ),
  ...Object.fromEntries(["make", "gmake"].map((name) => [name, ["GNUmakefile", "makefile", "Makefile"]])),
  just: ["justfile", ".justfile", "Justfile"],
  task: ["Taskfile.yml", "Taskfile.yaml", "Taskfile.dist.yml", "Taskfile.dist.yaml"],
  rake: ["Rakefile", "rakefile", "Rakefile.rb"],
  composer: ["composer.json"],
  npx: ["package.json", ".npmrc"],
  ...Object.fromEntries(["bunx", "pnpx"].map((name) => [name, ["package.json", ".npmrc"]])),
  ...Object.fromEntries(["uv", "poetry", "pdm"].map((name) => [name, ["pyproject.toml", `${name}.toml`]])),
  pipenv: ["Pipfile"],
  bundle: ["Gemfile"],
};

const wordsOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Programs that run nothing, whatever their arguments. */
export const harmless = wordsOf(
  "cat touch rm rmdir mkdir echo printf tee grep head tail wc ls test [ [[ : type which date jq sort uniq cut tr sleep true false exit diff stat read",
);
/** Programs that never turn a file into something runnable. */
const looksOnly = wordsOf(
  "mkdir rmdir touch rm test [ [[ : wc ls stat dirname basename tee chmod readonly local",
);
const shells = /^(?:.*sh|eval|source|\.)$/u;
const interpreters = /^(?:node|tsx|ts-node|deno|bun|python[\d.]*|perl|ruby|php|lua|xargs|exec|env)$/u;

/** Includes builtins that execute a line or a file (`eval`, `source`). */
export const isShell = (program: string): boolean =>
  shells.test(basename(program)) && extname(program) === "";
export const isInterpreter = (program: string): boolean =>
  isShell(program) || interpreters.test(basename(program));
