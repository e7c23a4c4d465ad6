/** In which profile of the sandbox a command runs, and whether that contains it. */

import type { Coverage, Profile, Sandboxed } from "../protocol/facts.ts";
import { makesContainers } from "./judge/needs.ts";
import { leavesWorkspace as isElsewhere } from "./judge/summary.ts";
import { isAtLeast, type Judgement, type Touched } from "./judgement.ts";
import type { SandboxState, Subject, Surroundings } from "./subject.ts";

export type Containment = {
  profile: Profile;
  /** The profile holds it: no network, nothing written outside the workspace. What is `open` is not contained. */
  isContained: boolean;
};

/**
 * What stays on a terminal is typed into later: it can write in the workspace, and what is typed runs where it runs.
 */
export function containmentOf(
  { judgement, stages = false, lasting = false, runsIn }: Subject,
  around: Surroundings,
  isOn: boolean,
): Containment {
  if (runsIn) return { profile: runsIn.profile, isContained: isContaining(runsIn) };
  const understood = !judgement ? "open" : stages ? stagedProfile(judgement) : profileOf(judgement, around);
  const profile = lasting && understood === "read" ? "build" : understood;
  const isHeld = judgement?.uncontainable === undefined && profile !== "open";
  return { profile, isContained: isOn && isHeld };
}

/** Whether anything would run in the sandbox: of all else a decision is the same with one and without. */
export const concernsSandbox = ({ command, judgement, stages, runsIn }: Subject): boolean =>
  (command ?? judgement ?? runsIn) !== undefined || stages === true;

/** What is typed into a contained program stays contained, whatever it makes of that. */
export const isContaining = ({ isOn, profile }: Sandboxed): boolean => isOn && profile !== "open";

/** Over a layer nothing can be harmed but what lies beyond the workspace, and that a staged command must not reach. */
function stagedProfile(judgement: Judgement): Profile {
  const { onlyReads, onlyGit, onlyInstalls, usesNetwork, usesOpenGit } = judgement;
  if (reachesService(judgement) || usesOpenGit) return "open";
  if (onlyInstalls) return "install";
  if (usesNetwork) return "open";
  if (onlyReads) return "read";
  return onlyGit ? "git" : "build";
}

/** Why a command cannot be staged; undefined if it can. */
export function whyNotStaged(
  { judgement, lasting }: Subject,
  { profile }: Containment,
  { isOn, because, layers }: SandboxState,
): string | undefined {
  if (profile === "read") return undefined;
  if (lasting) return "what runs on a terminal changes files at once";
  if (!isOn) return `the sandbox is off${because === undefined ? "" : ` (${because})`}`;
  if (layers?.works === false) return layers.because;
  if (judgement?.uncontainable !== undefined) return judgement.uncontainable;
  return profile === "open" ? "it reaches beyond the workspace" : undefined;
}

/** What undo can take back of the command's changes; undefined where it changes nothing. */
export function coverageOf(
  { judgement, lasting, stages }: Subject,
  { profile }: Containment,
  { isOn, layers }: SandboxState,
): Coverage | undefined {
  if (profile === "read" || stages) return undefined;
  if (lasting) return "nothing";
  const isLayered = isOn && layers?.works !== false && judgement?.uncontainable === undefined;
  const cannot = judgement !== undefined && isBeyondLayers(judgement);
  return isLayered && !cannot ? "workspace" : "partly";
}

/** A repository is no part of a layer, so there it stays where it is. */
const isBeyondLayers = (judgement: Judgement): boolean =>
  reachesService(judgement) || renamesAtOnce(judgement) || judgement.takesRepositories === true;

/** `git mv` renames directories in one step, which the kernel cannot do on a layer. */
const renamesAtOnce = ({ parts }: Judgement): boolean =>
  parts.some(({ argv }) => argv?.[0] === "git" && argv[1] === "mv");

/** What is dangerous is only done when a person said so, and then it must work: an approved high risk runs open. */
function profileOf(judgement: Judgement, around: Surroundings): Profile {
  const { severity, onlyReads, onlyGit, onlyInstalls, usesNetwork, usesOpenGit } = judgement;
  const leaves = whatItLeaves(judgement, around) !== undefined;
  const isPlainGit = onlyGit && !usesNetwork && !leaves;
  if (judgement.onlyShowsVariables && !leaves) return "read";
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
  asksService || parts.some(makesContainers);

/** What a command touches outside the working zone (B12), or "unknown" where that is not known; undefined inside. */
export function whatItLeaves(
  { touched, leavesWorkspace }: Judgement,
  { home, workspace }: Surroundings,
): Touched | "unknown" | undefined {
  if (!leavesWorkspace) return undefined;
  const around = { home, workspace, directory: workspace };
  return touched.find((each) => isElsewhere(each, around)) ?? "unknown";
}

/**
 * Every command of it is known, and it only reads what lies here, without anything dangerous in it. Nothing on a
 * terminal is: what is typed later makes of a program what it will, and what was typed before is what the words mean by
 * now.
 */
export const isHarmless = ({ judgement, lasting = false }: Subject): boolean =>
  judgement?.onlyReads === true && judgement.severity === "none" && !judgement.usesNetwork && !lasting;

/** Secret places that a command gets to see once it was allowed to run. */
export type ShownSecrets = {
  /** What its programs need to do their work, relative to the home. */
  needs: readonly string[];
  /** What it names itself; absolute, a pattern is left in it. */
  named: readonly string[];
};

/** What it plainly writes or deletes; absolute, patterns are left in. */
export const changedBy = (judgement: Judgement | undefined): string[] =>
  (judgement?.touched ?? []).filter(({ access }) => access !== "read").map(({ path }) => path);

/** What it only reads by the way, nobody was asked about: that stays hidden. */
export function shownTo(judgement: Judgement | undefined): ShownSecrets {
  if (!judgement) return { needs: [], named: [] };
  const { touched, needs, severity } = judgement;
  const approved = isAtLeast(severity, "medium")
    ? touched
    : touched.filter(({ access }) => access !== "read");
  return { needs, named: [...new Set(approved.map(({ path }) => path))] };
}
