/** Finds the parts of a command that do not reveal which workspace files they run or load. */

import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { Meant } from "./files.ts";
import {
  harmless,
  isInterpreter,
  isPattern,
  isShell,
  modulesIn,
  type Part,
  type Pieces,
  runsWhatItFinds,
  taskFilesOf,
  variants,
} from "./words.ts";

/** Replaces the known spellings of the workspace path, so that its files can be resolved. */
export function withoutKnown(line: string, workspace: string): string {
  const place =
    "\\$\\{?(?:CLAUDE_PROJECT_DIR|TOOLWRIGHT_HOOK_WORKSPACE|PWD)\\}?(?!\\w)|\\$\\(\\s*pwd\\s*\\)|`\\s*pwd\\s*`";
  const withDefault = `\\$\\{(?:CLAUDE_PROJECT_DIR|TOOLWRIGHT_HOOK_WORKSPACE|PWD):?-"?(?:\\.|${place})"?\\}`;
  const known = line.replaceAll(new RegExp(`${withDefault}|${place}`, "gu"), ".");
  if (!existsSync(join(workspace, ".git"))) return known;
  const top =
    "git\\s+rev-parse\\s+--show-toplevel(?:\\s+2>\\s*/dev/null)?(?:\\s*\\|\\|\\s*(?:pwd|echo\\s+\\.))?";
  return known.replaceAll(new RegExp(`\\$\\(\\s*${top}\\s*\\)|\`\\s*${top}\\s*\``, "gu"), ".");
}

/** Verbatim from the command, without duplicates. */
export function unfollowed({ parts }: Pieces, meant: Meant): string[] {
  const values = new Map<string, string[]>();
  for (const [name, value] of parts.flatMap(assignedIn))
    values.set(name, [...(values.get(name) ?? []), value]);
  const isFile = (word: string): boolean => variants(word).some((piece) => meant.filesOf(piece).length > 0);
  const known: Known = {
    meant,
    isKnown: (word) => !leftOver(word, values),
    isFile: (word) => isFile(word) || (values.get(variableAtEnd(word))?.every(isFile) ?? false),
  };
  const left = parts.filter((part) => !isFollowed(part, known));
  return [...new Set(left.map(({ text }) => text))];
}

/** Variables assigned in the line itself: their values are among its pieces. */
function assignedIn({ before, words }: Part): [name: string, value: string][] {
  const set = before.flatMap((word): [string, string][] => {
    const [, name, value = ""] = /^(\w+)=(.*)$/su.exec(word) ?? [];
    return name === undefined ? [] : [[name, value]];
  });
  const [program, name = "", of, ...listed] = words;
  if (program !== "for") return set;
  return [...set, ...(of === "in" ? listed : [""]).map((value): [string, string] => [name, value])];
}

const variableAtEnd = (word: string): string => {
  const [, braced, bare] = /(?:^|\/)\$(?:\{(\w+)\}|(\w+))$/u.exec(word) ?? [];
  return braced ?? bare ?? "";
};

/** Whether a word's value is known only at run time. Known variables resolve only as whole segments of a path. */
function leftOver(word: string, assigned: ReadonlyMap<string, unknown>): boolean {
  if (isPattern(word) && word.includes("$")) return true;
  const rest = word
    .replace(/^\w+=/u, "")
    .replaceAll(/(?<=^|\/)\$(?:\{(\w+)\}|(\w+))(?=$|\/)/gu, (whole, one?: string, other?: string) =>
      assigned.has(one ?? other ?? "") ? "" : whole,
    );
  return rest.includes("$");
}

type Known = {
  meant: Meant;
  isKnown: (word: string) => boolean;
  /** Also through a variable that is only ever set to files. */
  isFile: (word: string) => boolean;
};

function isFollowed({ text, before, words }: Part, known: Known): boolean {
  const { isKnown, isFile } = known;
  if (before.some((word) => saysWhatIsLoaded(word) || !isKnown(word))) return false;
  if (words.length === 0) return true;
  const [program = "", ...rest] = words;
  if (harmless.has(program)) return !setsVariables(words);
  if (text.includes(">")) return false; // quoted, so it is part of a name
  if (!words.every(isKnown)) return false;
  if (plain.has(program)) return true;
  if (runsWhatItFinds(words)) return findsInside(words, known.meant);
  if (basename(program) === "run-parts") return rest.length > 0 && !rest.some((word) => word.includes("$"));
  const tasks = taskFilesOf(program);
  if (tasks) return tasks.some(isFile) && !runsElsewhere(rest);
  if (isInterpreter(program)) return isInterpreted(words, known);
  return /[/$]/u.test(program) && isFile(program);
}

function isInterpreted([program = "", ...rest]: readonly string[], known: Known): boolean {
  if (/^(?:eval|xargs)$/u.test(basename(program)) || rest.some((word) => /^-s?$/u.test(word))) return false;
  if (isShell(program)) {
    const at = rest.findIndex((word) => /^-\w*c$/u.test(word));
    const words = rest.slice(at + 1);
    if (at >= 0) return isFollowed({ text: "", before: [], words }, known);
  } else if (rest.some((word) => holdsProgram.test(word) || (word === "-r" && basename(program) === "php")))
    return false;
  const { isFile } = known;
  const modules = modulesIn(rest);
  if (modules.length > 0)
    return modules.every((path) => isFile(`${path}.py`) || isFile(`${path}/__main__.py`));
  const scripts = rest.filter((word) => !word.startsWith("-"));
  return scripts.some((word) => isFile(word) || endings.some((end) => isFile(`${word}${end}`)));
}

/** Options that run the argument's text, or files that the interpreter finds by itself. */
const holdsProgram = /^(?:-[ecp]|-\w+[ecpr]|--eval|--print|--test|--run)$/u;
const endings = [".js", ".cjs", ".mjs", ".ts", "/__main__.py", "/index.js"];

/** `find` in the workspace itself could reach every file, so that is not followed. */
function findsInside(words: readonly string[], meant: Meant): boolean {
  const at = words.findIndex((word) => /^-(?:exec|ok)/u.test(word));
  const run = words[at + 1] ?? "";
  const ends = words.findIndex((word) => word.startsWith("-"));
  const places = words.slice(1, ends);
  const isOwn = places.some((word) => /^[./]*$/u.test(word)) || places.length === 0;
  return (
    !isOwn &&
    !places.some((word) => isPattern(word) || word.includes("$")) &&
    meant.files.size > 0 &&
    (isShell(run) || run === "")
  );
}

const setsVariables = ([program = "", ...rest]: readonly string[]): boolean =>
  program === "read" || (program === "printf" && rest.includes("-v"));

/** Programs that change the directory, control the flow, or load nothing from a workspace. */
const plain: ReadonlySet<string> = new Set(
  "cd pushd popd for done fi esac set pwd basename dirname mktemp wait gofmt notify-send say logger cp mv".split(
    " ",
  ),
);
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
