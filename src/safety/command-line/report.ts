/** What a walk through a command line collects. */

import type { Risk } from "../../protocol/facts.ts";
import type { CommandPart, Finding, Touched } from "../judgement.ts";
import type { ParsedScript } from "./parse.ts";
import type { FunctionBody } from "./shell.ts";

export type Report = {
  readonly parts: CommandPart[];
  readonly touched: Touched[];
  /** What could not be understood, or runs without being a command of its own. */
  readonly doubts: Finding[];
  /** Texts that were not parsed: they are looked through for anything dangerous. */
  readonly untrusted: string[];
  /** Scripts that were found by parsing, and those that the walk has come to: what it passes by could run unseen. */
  readonly found: ParsedScript[];
  readonly entered: Set<ParsedScript>;
  /** Functions that nobody has called yet. */
  readonly uncalled: Map<string, FunctionBody>;
  /** What runs when the shell ends: it sees what the line has set until then. */
  readonly atExit: (() => void)[];
  /** Some part is git that its own profile cannot serve. */
  usesOpenGit: boolean;
  /** Some part is not known to only read and print. */
  doesMore: boolean;
  /** What it shows of keys and other secrets is among the variables that programs get. */
  showsVariables: boolean;
  usesNetwork: boolean;
  /** By something else than an install. */
  usesOtherNetwork: boolean;
  /** It talks to a server of this machine. */
  asksService: boolean;
  /** Steps that are left: what needs more is not understood. */
  steps: number;
  /** Paths that may still be looked at. */
  paths: number;
};

/** An honest line has a few; loops and functions are walked once for each of their words or calls. */
const mostSteps = 1_000;
const mostPaths = 500;
/** Words of one command. */
export const mostWords = 1_000;

export const openReport = (): Report => ({
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
  usesOtherNetwork: false,
  asksService: false,
  steps: mostSteps,
  paths: mostPaths,
});

export function doubt(report: Report, severity: Risk, because: string): void {
  if (!report.doubts.some((known) => known.because === because)) report.doubts.push({ severity, because });
}

/** False when there were too many: then something is left that was not looked at. */
export function takeStep(report: Report): boolean {
  report.steps -= 1;
  if (report.steps > 0) return true;
  if (report.steps === 0) doubt(report, "critical", "it has more parts than can be looked at");
  return false;
}

/** The same for the paths that it names. */
export function takePath(report: Report): boolean {
  report.paths -= 1;
  if (report.paths > 0) return true;
  if (report.paths === 0) doubt(report, "critical", "it names more files than can be looked at");
  return false;
}

/** An install says so by these words, whichever program does it. */
export const isInstall = ({ because }: Finding): boolean => because.startsWith("it installs ");

/** What was told before, in an earlier round of a loop, is not told again. */
export function addPart(report: Report, part: CommandPart): void {
  const isKnown = report.parts.some(
    ({ words, because, isPlain }) =>
      words === part.words && because === part.because && isPlain === part.isPlain,
  );
  if (!isKnown) report.parts.push(part);
}
