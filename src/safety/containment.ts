/** In which profile of the sandbox a command runs, and whether that contains it. */
import type { Profile } from "../protocol/facts.ts";
import { isAtLeast, type Judgement, type Touched } from "./judgement.ts";
import { leavesWorkspace as isElsewhere } from "./judge/summary.ts";
import type { Subject, Surroundings } from "./subject.ts";

export type Containment = {
  profile: Profile;
  /** The profile holds it: no network, nothing written outside the workspace. What is `open` is not contained. */
  isContained: boolean;
};

export function containmentOf(
  judgement: Judgement | undefined,
  around: Surroundings,
  isOn: boolean,
): Containment {
  const profile = judgement ? profileOf(judgement, around) : "open";
  const isHeld = judgement?.uncontainable === undefined && profile !== "open";
  return { profile, isContained: isOn && isHeld };
}

/** What is dangerous is only done when a person said so, and then it must work: an approved high risk runs open. */
function profileOf(judgement: Judgement, around: Surroundings): Profile {
  const { severity, onlyReads, onlyGit, onlyInstalls, usesNetwork, usesOpenGit } = judgement;
  const leaves = whatItLeaves(judgement, around) !== undefined;
  const isPlainGit = onlyGit && !usesNetwork && !leaves;
  if (isAtLeast(severity, "high")) return isPlainGit ? "git" : "open";
  if (reachesService(judgement)) return "open";
  if (onlyInstalls && !leaves) return "install";
  if (usesNetwork || usesOpenGit) return "open";
  if (onlyReads) return "read";
  if (leaves) return "open";
  return isPlainGit ? "git" : "build";
}

/** It works only through a service of this machine, which no other profile reaches: all that containers do. */
export const reachesService = ({ asksService, parts }: Judgement): boolean =>
  asksService || parts.some(({ words }) => containerProgram.test(words));

const containerProgram = /^(?:\S*\/)?(?:docker|docker-compose|podman|nerdctl)(?:\s|$)/u;

/** What a command touches outside the working zone (B12), or "unknown" where that is not known; undefined inside. */
export function whatItLeaves(
  { touched, leavesWorkspace }: Judgement,
  { home, workspace }: Surroundings,
): Touched | "unknown" | undefined {
  if (!leavesWorkspace) return undefined;
  const around = { home, workspace, directory: workspace };
  return touched.find((each) => isElsewhere(each, around)) ?? "unknown";
}

/** Every command of it is known, and it only reads what lies here, without anything dangerous in it. */
export const isHarmless = ({ judgement }: Subject): boolean =>
  judgement?.onlyReads === true && judgement.severity === "none" && !judgement.usesNetwork;

/** Secret places that a command gets to see once it was allowed to run. */
export type Shown = {
  /** What its programs need to do their work, relative to the home. */
  needs: readonly string[];
  /** What it names itself; absolute, a pattern is left in it. */
  named: readonly string[];
};

/** What it only reads by the way, nobody was asked about: that stays hidden. */
export function shownTo(judgement: Judgement | undefined): Shown {
  if (!judgement) return { needs: [], named: [] };
  const { touched, needs, severity } = judgement;
  const approved = isAtLeast(severity, "medium")
    ? touched
    : touched.filter(({ access }) => access !== "read");
  return { needs, named: [...new Set(approved.map(({ path }) => path))] };
}
