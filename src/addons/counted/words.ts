/** Splits a command into the pieces that may be file names or parts of them. */

import { basename, extname } from "node:path";

/** A command line for a shell, or a program with its arguments. */
export type CommandToRun = { type: "line"; line: string } | { type: "program"; command: readonly string[] };

/**
 * One simple command of a line: `words` without quotes; `before`: keywords, assignments and wrappers before the
 * program.
 */
export type Part = { text: string; words: readonly string[]; before: readonly string[] };

export type Pieces = {
  parts: readonly Part[];
  /** Each may be a file, a directory or part of a path; a false positive only costs a person another question. */
  names: ReadonlySet<string>;
  /** The subset in commands that run files: a matching file is run, or loaded by one that is. */
  ran: ReadonlySet<string>;
  /** Glob patterns whose matches would all run. */
  patterns: ReadonlySet<string>;
  /** Where one of these is a directory, any file in it may run. */
  whole: ReadonlySet<string>;
};

export function piecesOf(runs: CommandToRun): Pieces {
  const parts = partsOf(runs);
  const isRunning = parts.some(({ words }) => words.some(isInterpreter) || /[/$]/u.test(programOf(words)));
  const makesFiles = runs.type === "line" && /[^2&>]>|\btee\b/u.test(runs.line);
  const countsData =
    parts.some(({ words }) => words.some(isInterpreter)) ||
    (makesFiles && parts.some(({ words }) => programOf(words).includes("/")));
  const [names, ran] = [new Set<string>(), new Set<string>()];
  const [patterns, whole] = [new Set<string>(), new Set<string>()];
  for (const part of parts) {
    const program = programOf(part.words);
    const isData = harmless.has(program);
    if ((isData && !countsData) || isOnlyWritten(part, parts)) continue;
    const pieces = [...piecesIn(part.text), ...[...part.before, ...part.words].flatMap(variants)];
    for (const piece of [...pieces, ...namesKnownTo(part)]) {
      names.add(piece);
      if (runsFiles(part.words)) ran.add(piece);
    }
    if (isRunning && fillsIn(part.words)) for (const piece of pieces.filter(isPattern)) patterns.add(piece);
    for (const name of wholeIn(part.words)) whole.add(name);
  }
  if (runs.type === "program" && !harmless.has(runs.command[0] ?? ""))
    for (const text of runs.command) for (const piece of piecesIn(text)) names.add(piece);
  return { parts, names, ran, patterns, whole };
}

/** The part only assigns a variable for a file that is written to or tested, such as a log. */
function isOnlyWritten({ words, before }: Part, parts: readonly Part[]): boolean {
  const names = before.flatMap((word) => /^(\w+)=/u.exec(word)?.[1] ?? []);
  const isAlone = words.length === 0 && before.every((word) => /^\w+=|^(?:local|readonly)$/u.test(word));
  if (!isAlone || names.length === 0 || parts.some((part) => handsOn(part, names))) return false;
  const used = new RegExp(String.raw`\$\{?(?:${names.join("|")})(?!\w)`, "u");
  return !parts.some((part) => used.test(part.text) && !looksOnly.has(programOf(part.words)));
}

/** Whether the program runs the files it is given; `prettier src/a.ts`, for one, only processes them. */
function runsFiles(words: readonly string[]): boolean {
  const program = programOf(words);
  return isInterpreter(program) || /[/$]/u.test(program) || taskFilesOf(program) !== undefined;
}

/** Whether a pattern may expand to files that run, or to a directory they run in. */
const fillsIn = (words: readonly string[]): boolean => {
  const program = programOf(words);
  return /^(?:|for|cd|pushd)$|[/$]/u.test(program) || harmless.has(program) || isInterpreter(program);
};

/** Expects words without prefixes (`FOO=1`, `env`, `then`). */
export const programOf = (words: readonly string[]): string => words[0] ?? "";

function partsOf(runs: CommandToRun): Part[] {
  if (runs.type === "line") return partsOfLine(runs.line);
  const { command } = runs;
  const [program = ""] = command;
  const at = isShell(program) ? command.findIndex((word) => /^-\w*c$/u.test(word)) : -1;
  if (at < 0) return [partOf(command.join(" "), command)];
  const own = command.slice(0, at + 1);
  return [partOf(own.join(" "), own), ...command.slice(at + 1).flatMap(partsOfLine)];
}

function partsOfLine(line: string): Part[] {
  return withoutTargets(line.replaceAll("\\\n", "").replaceAll(queries, "$1 ."))
    .split(/[;|&\n(){}`]/u)
    .map((text) => partOf(text, shellWords(text)))
    .filter(({ words, before }) => words.length > 0 || before.length > 0);
}

/** jq's language is full of brackets, and runs nothing. */
const queries = /\b(jq(?:\s+-[\w-]+)*)\s+'[^']*'/gu;

/** Drops redirection targets, which are no code. A quoted `>` redirects nothing, except in a line for another shell. */
function withoutTargets(line: string): string {
  const isForAnother = /(?:\w*sh\s(?:.*\s)?-\w*c|\beval)\s/su.test(line);
  if (isForAnother) return line.replaceAll(target, " ");
  return line.replaceAll(quotedOrTarget, (found: string) => (/^[\d>]/u.test(found) ? " " : found));
}

/** Excludes values known only at run time, which may themselves run something. */
const value = String.raw`\$(?:\w+|\{\w+(?::?[-+=?][^}$\x60]*)?\})`;
const targetWord = String.raw`(?:"(?:[^"$\x60\\]|\\.|${value})*"|'[^']*'|\\.|${value}|[^\s;|&()<>"'$\x60\\])+`;
const redirect = String.raw`\d*>{1,2}\|?\s*(?:&[\d-]|${targetWord})`;
const target = new RegExp(redirect, "gu");
const quotedOrTarget = new RegExp(String.raw`\\.|'[^']*'|"(?:[^"\\]|\\.)*"|${redirect}`, "gsu");

function partOf(text: string, words: readonly string[]): Part {
  let from = 0;
  let isPython = false;
  for (let isWrapped = false; from < words.length; from += 1) {
    const word = words[from] ?? "";
    const isOfWrapper = isWrapped && /^-|^\d+[smhd]?$/u.test(word);
    const verb = launcherVerb(word);
    const isLauncher = verb !== undefined && (verb === "" || words[from + 1] === verb);
    if (isLauncher && verb !== "") from += 1;
    isPython ||= isLauncher && pythons.has(basename(word));
    if (wrappers.has(basename(word)) || isLauncher) isWrapped = true;
    else if (!keywords.has(word) && !/^\w+=/u.test(word) && !isOfWrapper) break;
  }
  const program = isPython && words[from]?.endsWith(".py") ? ["python3"] : [];
  return { text: text.trim(), words: [...program, ...words.slice(from)], before: words.slice(0, from) };
}

/** Splits as a shell would; a line that is passed to another shell (`sh -c`) is split as well. */
function shellWords(text: string): string[] {
  const bare = bareWords(text);
  if (bare.some((word) => /^-\w*c$/u.test(word)) && bare.some(isShell)) return bare;
  const words = text.match(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s<>"'\\])+/gu) ?? [];
  const stripped = words.map((word) => word.replaceAll(/["'\\]/gu, ""));
  return stripped.join(" ") === bare.join(" ") ? stripped.filter((word) => word !== "") : bare;
}

const bareWords = (text: string): string[] =>
  text
    .replaceAll(/["'\\]/gu, "")
    .split(/[\s<>]+/u)
    .filter((word) => word !== "" && !word.includes("\0"));

/** Also finds names with spaces, which are quoted or escaped. */
function piecesIn(text: string): string[] {
  const quoted = [...text.matchAll(/"([^"]+)"|'([^']+)'/gu)].map(([, one, other]) => one ?? other ?? "");
  const escaped = [...text.matchAll(/(?:\\.|[^\s\\;|&<>"'])*\\\s(?:\\.|[^\s\\;|&<>"'])*/gu)];
  const spaced = [...quoted, ...escaped.map(([word]) => word.replaceAll(/\\(.)/gu, "$1"))];
  const bare = text.split(/[;|&\n(){}`]/u).flatMap(bareWords);
  return [...spaced, ...bare, ...bare.flatMap((word) => word.split(/[=,:]/u))].flatMap(variants);
}

/**
 * The pieces of a word around its expansions, and the value after an option: `$x/a.sh` may be a.sh of any directory.
 */
export function variants(word: string): string[] {
  const between = word.split(/\$\{[^}]*\}|\$\([^)]*\)|\$\w*|`[^`]*`/u);
  const pieces = [word, ...between].flatMap((piece) => [
    piece,
    piece.replace(/^\/+/u, ""),
    piece.replace(/^-+/u, ""),
    piece.replace(/^-\w/u, ""),
  ]);
  return [...new Set(pieces)].filter((piece) => piece !== "" && !piece.includes("\0"));
}

/** Files that a program loads without being told, by their conventional names. */
function namesKnownTo({ words, before }: Part): string[] {
  const launched = before.some((word) => launcherVerb(word) !== undefined)
    ? [`node_modules/.bin/${programOf(words)}`]
    : [];
  const tasks = [...launched, ...[...before, ...words].flatMap((word) => taskFilesOf(word) ?? [])];
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
/** Whether the command passes variables on: it runs in the same shell, or exports them. */
const handsOn = ({ words, before }: Part, names: readonly string[]): boolean =>
  /^(?:\.|source|eval|declare|typeset)$/u.test(programOf(words)) ||
  (programOf(words) === "set" && words.some((word) => /^-\w*a|^allexport$/u.test(word))) ||
  (before.includes("export") &&
    [...before, ...words].some((word) => names.includes(word.replace(/=.*$/su, ""))));
/** Programs that never turn a file into something runnable. */
const looksOnly = wordsOf("mkdir rmdir touch rm test [ [[ : wc ls stat dirname basename tee chmod");
/** Programs that launch another, preferring the workspace's; some only with this verb. */
const launchers: Readonly<Record<string, string>> = {
  npx: "",
  bunx: "",
  pnpx: "",
  pnpm: "exec",
  npm: "exec",
  uv: "run",
  poetry: "run",
  pipenv: "run",
  pdm: "run",
  bundle: "exec",
};
const launcherVerb = (word: string): string | undefined =>
  Object.hasOwn(launchers, basename(word)) ? launchers[basename(word)] : undefined;
const pythons = wordsOf("uv poetry pipenv pdm");
const keywords = wordsOf("then do else elif if while until ! export local declare readonly");
const wrappers = wordsOf("env exec command builtin nohup nice time timeout");
const shells = /^(?:.*sh|eval|source|\.)$/u;
const interpreters = /^(?:node|tsx|ts-node|deno|bun|python[\d.]*|perl|ruby|php|lua|xargs|exec|env)$/u;

/** Includes builtins that execute a line or a file (`eval`, `source`). */
export const isShell = (program: string): boolean =>
  shells.test(basename(program)) && extname(program) === "";
export const isInterpreter = (program: string): boolean =>
  isShell(program) || interpreters.test(basename(program));
