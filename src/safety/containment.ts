/** In which profile of the sandbox a command runs, and whether that contains it. */
import type { Profile } from "../protocol/facts.ts";
import { isAtLeast, type Judgement } from "./judgement.ts";
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
  const { severity, onlyReads, onlyGit, onlyInstalls, usesNetwork } = judgement;
  const leaves = whatItLeaves(judgement, around) !== undefined;
  const isPlainGit = onlyGit && !usesNetwork && !leaves;
  if (isAtLeast(severity, "high")) return isPlainGit ? "git" : "open";
  if (onlyInstalls && !leaves) return "install";
  if (usesNetwork) return "open";
  if (onlyReads) return "read";
  if (leaves) return "open";
  return isPlainGit ? "git" : "build";
}

/** What of the working zone a command leaves (B12): a path, or an empty text where that is not known; else undefined. */
export function whatItLeaves(
  { touched, leavesWorkspace }: Judgement,
  { home, workspace }: Surroundings,
): string | undefined {
  if (!leavesWorkspace) return undefined;
  const around = { home, workspace, directory: workspace };
  return touched.find((each) => isElsewhere(each, around))?.path ?? "";
}

/** Every command of it is known, and it only reads what lies here, without anything dangerous in it. */
export const isHarmless = ({ judgement }: Subject): boolean =>
  judgement?.onlyReads === true && judgement.severity === "none" && !judgement.usesNetwork;
