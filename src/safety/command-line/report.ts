/** What a walk through a command line collects. */
import type { Risk } from "../../protocol/facts.ts";
import type { FunctionBody } from "./shell.ts";
import type { CommandPart, Finding, Touched } from "../judgement.ts";

export type Report = {
  readonly parts: CommandPart[];
  readonly touched: Touched[];
  /** What could not be understood, or runs without being a command of its own. */
  readonly doubts: Finding[];
  /** Texts that were not parsed: they are looked through for anything dangerous. */
  readonly untrusted: string[];
  /** Functions that nobody has called yet. */
  readonly uncalled: Map<string, FunctionBody>;
  readonly needs: Set<string>;
  /** How many parts are git without anything that executes. */
  plainGit: number;
  /** Some part is not known to only read and print. */
  doesMore: boolean;
  usesNetwork: boolean;
  /** Steps that are left: what needs more is not understood. */
  steps: number;
};

/** An honest line has a few; loops and functions are walked once for each of their words or calls. */
const mostSteps = 4_000;

export const openReport = (): Report => ({
  parts: [],
  touched: [],
  doubts: [],
  untrusted: [],
  uncalled: new Map(),
  needs: new Set(),
  plainGit: 0,
  doesMore: false,
  usesNetwork: false,
  steps: mostSteps,
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
