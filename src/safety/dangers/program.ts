/** The row type of the program tables: a program's names, how its arguments are parsed, and the effects they have. */

import type { Word } from "../command-line/word.ts";
import type { Looks, OwnPrograms } from "./data/row.ts";
import type { Effect, Input, Variable } from "./effect.ts";

/** How a program parses its options. */
export type OptionForm = {
  /** Short options (letters) whose value is the rest of the word or, if that is empty, the next word. */
  short?: string;
  /** Short options whose optional value is the rest of the word, never the next word: `sed -i.bak`. */
  attached?: string;
  /**
   * Short options whose optional value is only the matching text right after the letter: `perl -0777ne`. More letters
   * may follow.
   */
  behind?: Readonly<Record<string, RegExp>>;
  /** Long options whose value is the next word (`--name=value` is always accepted). Names without dashes. */
  long?: readonly string[];
  /** Other long options, listed so that abbreviations (`--recurs`) are resolved, as GNU programs do. */
  known?: readonly string[];
  /** The first operand ends the options: for programs that take a command (`env`, `timeout`). */
  stopAtOperand?: boolean;
  /** The first word may hold short options without a dash, whose values are the next words in their order: `tar cfb x 20`. */
  bundled?: boolean;
  /**
   * A single dash starts a long option (`find -name`, `java -jar`, `terraform -chdir=x`); letters are never combined.
   */
  oneDash?: boolean;
  /** No word is an option, whatever it begins with. */
  isBare?: boolean;
};

export type Program = {
  /** Names the program is called by, without directories. */
  readonly names: readonly string[];
  readonly options?: OptionForm;
  /** The effects of one use. None at all means that it only computes and prints. */
  does(use: Use): Iterable<Effect>;
  /**
   * `wrapper`: runs another command; `interpreter`: runs code. A user's approval of one is never widened beyond that
   * one use. `builds`: runs workspace-defined code (tests, builds, scripts), so it writes there.
   */
  readonly kind?: "wrapper" | "interpreter" | "builds";
  /** The uses whose success says something about the workspace's files, because they check them. */
  readonly checks?: Checking;
  /** Of a subcommand of git: what the sandbox's profile for git can serve. */
  readonly git?: string;
  /** Which of its uses may look outside of the sandbox without a question. */
  readonly looks?: Looks;
  /** Where its row of data stands: `builds.yaml:12`. */
  readonly from?: string;
  /**
   * How many leading words identify the action when the user approves more than one use: 2 for `git status`; 1 by
   * default.
   */
  readonly verbs?: number;
};

/** One use of a program, with its arguments parsed by the row's option form. */
export type Use = {
  /** The name it was called by, without directories, in lower case if the row's name is. */
  readonly name: string;
  /** All arguments, unparsed. */
  readonly words: readonly Word[];
  /** Arguments that are neither options nor option values. */
  readonly operands: readonly Word[];
  /** How its words were parsed. */
  readonly form: OptionForm;
  /** Options in order; names without dashes. */
  readonly options: readonly UsedOption[];
  /** Whether any of these options is given. */
  readonly has: (...names: readonly string[]) => boolean;
  /** The last value given for any of these options. */
  readonly value: (...names: readonly string[]) => Word | undefined;
  readonly values: (...names: readonly string[]) => readonly Word[];
  readonly input: Input;
  /** `NAME=value` assignments in front of the command. */
  readonly variables: readonly Variable[];
  readonly around: Around;
};

export type UsedOption = { readonly name: string; readonly value?: Word };

/** The directories a command line runs in and refers to. All are absolute, link-free and "/"-separated. */
export type Around = {
  readonly home: string;
  readonly workspace: string;
  /** Undefined after a `cd` whose target is only known at run time. */
  readonly directory: string | undefined;
  /** What the configuration says of programs. */
  readonly own?: OwnPrograms | undefined;
};

/** The names that a row may have for a program: without directories and an `.exe`, in any case, of any version. */
export function namesMeant(path: string): string[] {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const plain = name.toLowerCase().replace(/\.exe$/u, "");
  return [name, plain, plain.replace(/-?\d+(?:\.\d+)*$/u, "")];
}

export type WordsDo = (words: readonly Word[], use: Use) => Iterable<Effect>;

/** Matched against a use as a line, its name first. */
export type Checking = RegExp;

/** It does what tasks say that the project, or the program, has named: `npm run test:unit`, `cargo build`, `make check`. */
export const byTask: Checking =
  /^(?!.*\s(?:install|i|add|remove|rm|uninstall|update|upgrade|link|publish|init|create|new|dev|serve|start|deploy|push|explain|config|get|view|info|show|search|list|ls|why)(?:\s|$)).*\s:?(?:[\w.@/:-]*[:_-])?(?:t|tst|tests?|specs?|e2e|unit|build|compile|--?check|checks?|lint|types?|type-?check|tsc|verify|validate|vet|clippy|nextest|analyze|assemble|all)(?:[:_-][\w:-]+)?(?:\s|$)/u;

/** As `byTask`; without a task it builds everything. */
export const byTaskOrAll: Checking = new RegExp(`${byTask.source}|^\\S+(?:\\s+-\\S+)*$`, "u");

/** As `byTaskOrAll`, of a program that with these options only tells what it would do: `make -n`. */
export const byTarget: Checking = new RegExp(`^(?!.*\\s-[kBs]*[nqt](?:\\s|$))(?:${byTaskOrAll.source})`, "u");

/**
 * A file named for tests: `cart.test.ts`, `run_tests.py`. Whether a name has an ending is asked once, in front; asked
 * behind each "test" it took quadratic time.
 */
export const testFile =
  /(?:^|[\s/])(?=[\w.-]*\.\w{1,20}(?:\s|$))(?:[\w.-]+?[._-])?tests?(?:\.(?!\.)|[_-][\w-]+\.)/u;

/** It answers a question instead of checking, or takes "nothing found" for success. */
const idle =
  /\s(?:--help|-h|--version|-V|--dry-run|--just-print|--init|--watch(?:All)?|(?:[\w.:-]+:)?watch(?::[\w.:-]+)?|--question|--touch|--collect-only|--co|--?list(?:-?[tT]ests)?|--show-?[cC]onfig|--print-config|--if-present|--pass-?[wW]ith-?[nN]o-?[tT]ests|--no-run|--exit-zero|--quit)(?:[\s=]|$)/u;

export const checksWith = (checks: Checking | undefined, line: string): boolean =>
  checks?.test(line) === true && !idle.test(line);
