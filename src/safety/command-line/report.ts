/** The results that a walk through a command line collects. */

import type { Risk } from "../../protocol/facts.ts";
import type { CommandPart, Finding, TextRange, TouchedPath } from "../judgement.ts";
import type { ParsedScript } from "./parse.ts";
import type { FunctionBody, Output } from "./shell.ts";
import type { Word } from "./word.ts";

/** One use of a program, as far as it was traced. */
export type TracedUse = {
  readonly words: readonly Word[];
  /** What else it is given by the line: variables (`NAME=value`), and the file that is its input. */
  readonly given: readonly Word[];
  readonly directory: string | undefined;
  /** Its effects by type; code in a language as `interprets python`. None: the program is unknown. */
  readonly effects: ReadonlySet<string>;
};

export type Report = {
  /** Every use of a program, in the order in which they were understood, for whoever asks for them. */
  readonly uses: TracedUse[] | undefined;
  readonly parts: CommandPart[];
  readonly touched: TouchedPath[];
  /** What could not be understood, or runs without being a separate command. */
  readonly doubts: Finding[];
  /** Texts that were not parsed; they are searched for anything dangerous. */
  readonly untrusted: string[];
  /** Scripts that the parser found, and those that the walk has reached: one that it misses could run unseen. */
  readonly found: ParsedScript[];
  readonly entered: Set<ParsedScript>;
  /** Functions that the line has not called yet. */
  readonly uncalled: Map<string, FunctionBody>;
  /** What runs when the shell exits, and sees everything that the line has set by then. */
  readonly atExit: (() => Output)[];
  /** Some part is a git command that the git profile cannot serve. */
  usesOpenGit: boolean;
  /** Some part is not known to only read and print, or to ask another host for what it prints. */
  doesMore: boolean;
  /** Its output includes the variables that programs receive, and with them maybe secrets. */
  showsVariables: boolean;
  usesNetwork: boolean;
  /** The line itself decides which host that is: not the configuration of a program. */
  namesHost: boolean;
  /** Also for something else than asking a package registry. */
  usesOtherNetwork: boolean;
  /** It talks to a server on this machine. */
  usesService: boolean;
  /** Steps that are left; a line that needs more is not understood. */
  steps: number;
  /** Files and parts whose texts were looked at, since they may run, and the directories in which they were. */
  readonly looked: Map<object, Set<string | undefined>>;
  /** Steps that are left for what only may run. */
  guesses: number;
  /** Paths that may still be checked. */
  paths: number;
};

/** A legitimate line needs few; loops and functions are traced once for each of their words or calls. */
const mostSteps = 1_000;
const mostGuesses = 2_000;
const mostPaths = 500;
/** The limit for the words of one command. */
export const mostWords = 1_000;

export const openReport = (uses?: TracedUse[]): Report => ({
  uses,
  parts: [],
  touched: [],
  doubts: [],
  untrusted: [],
  found: [],
  entered: new Set(),
  uncalled: new Map(),
  atExit: [],
  usesOpenGit: false,
  doesMore: false,
  showsVariables: false,
  usesNetwork: false,
  namesHost: false,
  usesOtherNetwork: false,
  usesService: false,
  steps: mostSteps,
  looked: new Map(),
  guesses: mostGuesses,
  paths: mostPaths,
});

export function doubt(report: Report, severity: Risk, because: string, range?: TextRange): void {
  if (!report.doubts.some((known) => known.because === because))
    report.doubts.push({ severity, because, range });
}

const tooMany = "it has more parts than can be looked at";

/** False after too many steps: then some part of the line was not checked. */
export function takeStep(report: Report, steps = 1): boolean {
  report.steps -= steps;
  if (report.steps > 0) return true;
  doubt(report, "critical", tooMany);
  return false;
}

/** Commands with many words are several steps. */
export const takeWords = (report: Report, words: readonly Word[]): boolean =>
  takeStep(report, 1 + Math.floor(words.length / 32));

/** Looks at what only may run, in a report of its own; a line can have only so much of it. */
export function guessing(report: Report, steps: number, look: (guess: Report) => void): Report {
  const given = Math.max(0, Math.min(steps, report.guesses));
  const guess = { ...openReport(), steps: given };
  if (given > 0) look(guess);
  report.guesses -= given - Math.max(0, guess.steps) + (mostPaths - guess.paths);
  if (report.guesses <= 0) doubt(report, "critical", tooMany);
  return guess;
}

/** The same for the paths that the line names. */
export function takePath(report: Report): boolean {
  report.paths -= 1;
  if (report.paths > 0) return true;
  if (report.paths === 0) doubt(report, "critical", "it names more files than can be looked at");
  return false;
}

/** Every install reports these words, whichever program does it. */
export const isInstall = ({ because }: Finding): boolean => because.startsWith("it installs ");

/** Another remote, named by its part, and the push that reaches it. */
export function publishesElsewhere({ parts }: Report): boolean {
  const set = parts.findIndex(({ findings }) => findings.some(({ because }) => isOtherRemote.test(because)));
  if (set < 0) return false;
  const words = parts[set]?.argv ?? [];
  const names = words.includes("add") ? words.slice(words.indexOf("add") + 1) : [];
  return parts
    .slice(set)
    .some(
      ({ argv, findings }) =>
        findings.some(({ because }) => because === "it publishes commits") &&
        (names.length === 0 || argv === undefined || argv.some((word) => names.includes(word))),
    );
}

const isOtherRemote = /^it changes where (?:git|it) fetches from/u;

/** Does not repeat what an earlier round of a loop has reported. */
export function addPart(report: Report, part: CommandPart): void {
  const isKnown = report.parts.some(
    ({ words, because, isPlain }) =>
      words === part.words && because === part.because && isPlain === part.isPlain,
  );
  if (!isKnown) report.parts.push(part);
}
