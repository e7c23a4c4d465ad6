/** Finds the parts of a command that do not reveal which workspace files they run or load. */

import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { NamedFiles } from "./files.ts";
import {
  harmless,
  isInterpreter,
  isOwnProgram,
  isPattern,
  isShell,
  modulesIn,
  type ProgramUse,
  type Pieces,
  runsWhatItFinds,
  taskFilesOf,
  variants,
} from "./words.ts";

/** In the words of the command, without duplicates. */
export function unfollowedParts({ parts }: Pieces, meant: NamedFiles): string[] {
  const isFile = (word: string): boolean => variants(word).some((piece) => meant.filesOf(piece).length > 0);
  const left = parts.filter((part) => !isFollowed(part, { meant, isFile }));
  const texts = [...new Set(left.map(({ text }) => text.replace(/^node_modules\/\.bin\//u, "")))];
  return texts.filter((text) => !texts.some((other) => isToldBy(text, other)));
}

const isToldBy = (text: string, other: string): boolean =>
  other !== text && (text === "…" || other.endsWith(` ${text}`));

type ProgramUseContext = { meant: NamedFiles; isFile: (word: string) => boolean };

function isFollowed(part: ProgramUse, known: ProgramUseContext): boolean {
  const { words, effects, isData } = part;
  const [program = "", ...rest] = words;
  if (harmless.has(program)) return isData && !(setsVariables(words) && !words.every(isKnown));
  if (part.given.some(saysWhatIsLoaded) || !words.every(isKnown) || part.directory === undefined)
    return false;
  if (effects.has("interprets-input")) return false;
  if (plain.has(program) || isData) return true;
  if (program === "git" && rest.join(" ") === "rev-parse --show-toplevel")
    return known.meant.bases.some((base) => existsSync(join(base, ".git")));
  if (program === "export" || program === "readonly" || program === "local" || program === "declare")
    return !rest.some(saysWhatIsLoaded);
  if (runsWhatItFinds(words)) return findsInside(words, known);
  if (launchers.has(program)) return rest.some(isInterpreter);
  if (wrappers.has(basename(program))) return !rest.some(saysWhatIsLoaded);
  if (basename(program) === "run-parts") return rest.length > 0;
  const tasks = taskFilesOf(program);
  if (tasks && effects.has("runs")) return tasks.some(known.isFile);
  if (tasks) return tasks.some(known.isFile) && !runsElsewhere(rest);
  if (isInterpreter(program)) return isInterpreted(part, known);
  return isOwnProgram(program) && known.isFile(program);
}

const setsVariables = ([program = "", ...rest]: readonly string[]): boolean =>
  program === "read" || (program === "printf" && rest.includes("-v"));

const isKnown = (word: string): boolean => !word.includes("$");

function isInterpreted(
  { words: [program = "", ...rest], effects }: ProgramUse,
  { isFile }: ProgramUseContext,
): boolean {
  if (isShell(program)) {
    if (effects.has("interprets shell") && !effects.has("loads")) return true;
  } else if (rest.some((word) => holdsProgram.test(word) || (word === "-r" && basename(program) === "php")))
    return false;
  if (basename(program).startsWith("python") && rest.some((word) => ownSettings.test(word))) return false;
  const modules = modulesIn(rest);
  if (modules.length > 0)
    return modules.every((path) => isFile(`${path}.py`) || isFile(`${path}/__main__.py`));
  const scripts = rest.filter((word) => !word.startsWith("-"));
  return scripts.some((word) => isFile(word) || endings.some((end) => isFile(`${word}${end}`)));
}

/** Options with which Python does not obey its variables, so it could load compiled code beside the source. */
const ownSettings = /^-(?:[a-zA-Z]*[EI][a-zA-Z]*|X.*)$/u;

/** Options that run the argument's text, or files that the interpreter finds by itself. */
const holdsProgram = /^(?:-[ecp]|-\w+[ecpr]|--eval|--print|--test|--run)$/u;
const endings = [".js", ".cjs", ".mjs", ".ts", "/__main__.py", "/index.js"];

/** `find` in the workspace itself could reach every file, so that is not followed. */
function findsInside(words: readonly string[], { meant }: ProgramUseContext): boolean {
  const at = words.findIndex((word) => /^-(?:exec|ok)/u.test(word));
  const run = words[at + 1] ?? "";
  const ends = words.findIndex((word) => word.startsWith("-"));
  const places = words.slice(1, ends);
  const isOwn = places.some((word) => /^[./]*$/u.test(word)) || places.length === 0;
  return !isOwn && !places.some(isPattern) && meant.files.size > 0 && (isShell(run) || run === "");
}

const programs = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Programs that change the directory, control the flow, or load nothing from a workspace. */
const plain = programs(
  "cd pushd popd set pwd basename dirname mktemp wait gofmt notify-send say logger cp mv shift return trap unset",
);

/** What they run is traced as a use of its own. */
const wrappers = programs("env exec command builtin nohup nice time timeout");
const launchers = programs("npx bunx pnpx");

/** Assignments that make programs load further files, such as `PATH=…` and `NODE_OPTIONS=…`. */
export const saysWhatIsLoaded = (assignment: string): boolean => loaders.test(assignment);

const loaders =
  /^(?:\w*PATH|NODE_OPTIONS|LD_\w+|DYLD_\w+|BASH_ENV|ENV|PERL5\w+|RUBYOPT|PYTHON\w+|MAKE\w+|npm_\w+)=/iu;

/** Whether a task runner is pointed at another place than the task file here. */
function runsElsewhere(words: readonly string[]): boolean {
  const at = words.findIndex((word) => /^run(?:-script)?$/u.test(word));
  const verbs = at < 0 ? words : words.slice(0, at);
  return words.some((word) => elsewhere.test(word)) || verbs.some((word) => otherVerbs.test(word));
}

const elsewhere = /^(?:-w|-F|-r|--workspaces?(?:=.*)?|--filter(?:=.*)?|--recursive)$/u;
const otherVerbs = /^(?:workspaces?|exec|x|dlx|create|init|install|i|ci|add|link|global)$/u;
