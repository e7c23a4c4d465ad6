/** Chooses the sandbox profile that a command runs in, with what it is given besides, and whether that contains it. */

import { profiles as allProfiles } from "../protocol/fact-words.ts";
import type { Coverage, Profile, SandboxRecord } from "../protocol/facts.ts";
import { outsideInWords, readOutside } from "../protocol/outside.ts";
import { leavesWorkspace as isElsewhere } from "./judge/leaves-workspace.ts";
import { aboutProcesses, makesContainers } from "./judge/needs.ts";
import { placeOf } from "./judge/place.ts";
import { isAtLeast, type Finding, type Judgement, type TouchedPath } from "./judgement.ts";
import { refusalsInWords } from "./refusals.ts";
import type { SandboxState, Subject, Surroundings } from "./subject.ts";

export type Containment = {
  profile: Profile;
  /** The profile confines it: no network, no writes outside the workspace. Never true for `open`. */
  isContained: boolean;
};

/**
 * A program on a terminal receives input later, so it gets at least write access to the workspace; typed input runs in
 * the sandbox of the program that receives it.
 */
export function containmentOf(subject: Subject, around: Surroundings, isOn: boolean): Containment {
  const { judgement, stages = false, lasting = false, runsIn, reaches } = subject;
  if (runsIn) return { profile: runsIn.profile, isContained: isContaining(runsIn) };
  if (reaches) return { profile: reaches.profile, isContained: isOn };
  const understood = !judgement
    ? "open"
    : wantsMore(subject)
      ? profileWithGiven(judgement, subject, around)
      : stages
        ? stagedProfile(judgement)
        : profileOf(judgement, around);
  const profile = lasting && understood === "read" ? "build" : understood;
  const isHeld = judgement?.uncontainable === undefined && profile !== "open";
  return { profile, isContained: isOn && isHeld };
}

/** The sandbox as this command finds it: off, if it does not have the profile that the command needs. */
export function sandboxFor(subject: Subject, around: Surroundings, sandbox: SandboxState): SandboxState {
  const { isOn, profiles } = sandbox;
  if (!isOn || profiles === undefined || subject.runsIn || !concernsSandbox(subject)) return sandbox;
  const { profile } = containmentOf(subject, around, isOn);
  if (profiles.includes(profile)) return sandbox;
  return { isOn: false, beyond: true, because: `the one of this machine has no profile ${profile}` };
}

/** Whether anything would run in the sandbox; no other decision depends on the sandbox. */
export const concernsSandbox = ({ command, judgement, stages, runsIn }: Subject): boolean =>
  (command ?? judgement ?? runsIn) !== undefined || stages === true;

/** Input typed into a contained program stays contained, whatever that program does with it. */
export const isContaining = ({ isOn, profile }: SandboxRecord): boolean => isOn && profile !== "open";

/** What its words need besides is not given in a narrower profile. */
function profileWithGiven(judgement: Judgement, subject: Subject, around: Surroundings): Profile {
  const { usesNetwork, usesOpenGit, onlyInstalls, onlyGit, touched } = judgement;
  const { outside = [] } = subject;
  const given = profileGiven(outside);
  const beyond = touched.some(
    (each) => isElsewhere(each, inside(around)) && !isGivenPlace(each.path, subject),
  );
  const needsNetwork = usesNetwork && !onlyInstalls && given !== "install";
  // Git writes protected places only where nothing is protected: a working tree has all of a commit or nothing.
  const isOfGit = onlyGit && outside.some((words) => words.startsWith(`${around.workspace}/`));
  return reachesService(judgement) || usesOpenGit || needsNetwork || beyond || isOfGit ? "open" : given;
}

const inside = (around: Surroundings): Surroundings & { directory: string } => ({
  ...around,
  directory: around.workspace,
});

/** On an overlay only things outside the workspace could be harmed, and a staged command must not reach those. */
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
  { isOn, because, overlays }: SandboxState,
): string | undefined {
  if (profile === "read") return undefined;
  if (lasting) return "what runs on a terminal changes files at once";
  if (!isOn) return `the sandbox is off${because === undefined ? "" : ` (${because})`}`;
  if (overlays?.works === false) return overlays.because;
  if (judgement?.uncontainable !== undefined) return judgement.uncontainable;
  return profile === "open" ? "it reaches beyond the workspace" : undefined;
}

/**
 * The profile in which the command may run before anybody has agreed, because nothing outside can be harmed there and
 * its changes are only held: they are decided on afterwards. Undefined if its words show that it needs more than that
 * profile has, or that it does what no overlay can hold.
 */
export function trialProfile(
  subject: Subject,
  around: Surroundings,
  { isOn, overlays, profiles = allProfiles }: SandboxState,
): Profile | undefined {
  const { command, judgement, stages, lasting, runsIn } = subject;
  if (wantsMore(subject)) return undefined;
  if (command === undefined || !judgement || stages || lasting || runsIn) return undefined;
  const isBeyond = judgement.uncontainable !== undefined && !judgement.endsWhatMatches;
  if (!isOn || overlays?.works === false || isBeyond) return undefined;
  if (judgement.severity === "critical" || needsMore(judgement, around)) return undefined;
  const profile = judgement.onlyInstalls ? "install" : "build";
  return profiles.includes(profile) ? profile : undefined;
}

function needsMore(judgement: Judgement, around: Surroundings): boolean {
  const { usesNetwork, onlyInstalls, onlyGit, usesOpenGit } = judgement;
  return (
    (usesNetwork && !onlyInstalls) ||
    usesOpenGit ||
    onlyGit ||
    (touchesSecret(judgement, around) && !onlyCopiesNew(judgement, around)) ||
    isBeyondOverlays(judgement) ||
    whatItLeaves(judgement, around) !== undefined
  );
}

/** No overlay holds that back: what a command reads, or may read since it writes there, the model is shown. */
export const touchesSecret = ({ touched }: Judgement, around: Surroundings): boolean =>
  touched.some(({ path }) => placeOf(path, inside(around)).secret !== undefined);

/**
 * It makes a file with a secret's name where none is, of one that is no secret: what there is to read anybody may.
 * Whether it is there may be asked before.
 */
const onlyCopiesNew = (judgement: Judgement, around: Surroundings): boolean =>
  judgement.parts.every(({ argv }) => ["cp", "test", "["].includes(argv?.[0] ?? "")) &&
  judgement.touched.every(
    ({ path, access, isThere }) =>
      placeOf(path, inside(around)).secret === undefined || (access === "write" && !isThere),
  );

/** How much of the command's changes undo can revert; undefined if it changes nothing. */
export function undoCoverage(
  { judgement, lasting, stages }: Subject,
  { profile }: Containment,
  { isOn, overlays }: SandboxState,
): Coverage | undefined {
  if (profile === "read" || stages) return undefined;
  if (lasting) return "nothing";
  const isOverlaid = isOn && overlays?.works !== false && judgement?.uncontainable === undefined;
  const cannot = judgement !== undefined && isBeyondOverlays(judgement);
  return isOverlaid && !cannot ? "workspace" : "partly";
}

/** A repository is not part of the overlay, so a command cannot move or delete it there. */
const isBeyondOverlays = (judgement: Judgement): boolean =>
  reachesService(judgement) || renamesAtOnce(judgement) || judgement.takesRepositories === true;

/** `git mv` renames directories in one step, which the kernel cannot do on an overlay. */
const renamesAtOnce = ({ parts }: Judgement): boolean =>
  parts.some(({ argv }) => argv?.[0] === "git" && argv[1] === "mv");

/** A dangerous command only runs after a person approved it, and then it must work: an approved high risk runs open. */
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

/** It works only through a service of this machine, like all container commands; only `open` reaches that service. */
export const reachesService = ({ usesService, parts }: Judgement): boolean =>
  usesService || parts.some(makesContainers);

/** What a command touches outside the working zone (B12), "unknown" if no path is known, undefined if nothing. */
export function whatItLeaves(
  { touched, leavesWorkspace }: Judgement,
  { home, workspace }: Surroundings,
): TouchedPath | "unknown" | undefined {
  if (!leavesWorkspace) return undefined;
  const around = inside({ home, workspace });
  return touched.find((each) => isElsewhere(each, around)) ?? "unknown";
}

/**
 * Every part is known, only reads, stays off the network and is not dangerous. Never true on a terminal: the program
 * there decides what typed input does, and earlier input may have changed what its words mean.
 */
export const isHarmless = ({ judgement, lasting = false }: Subject): boolean =>
  judgement?.onlyReads === true && judgement.severity === "none" && !judgement.usesNetwork && !lasting;

/** Secret places that become visible to a command once it is approved. */
export type ShownSecrets = {
  /** What its programs need to work, relative to the home directory. */
  needs: readonly string[];
  /** What the command itself names; absolute, may contain glob patterns. */
  named: readonly string[];
};

/** What it plainly writes or deletes; absolute, may contain glob patterns. */
export const changedBy = (judgement: Judgement | undefined): string[] =>
  (judgement?.touched ?? []).filter(({ access }) => access !== "read").map(({ path }) => path);

/** Below medium severity no person has approved the reads, so paths that are only read stay hidden; in a trial all do. */
export function shownTo(
  judgement: Judgement | undefined,
  { trial }: Pick<SandboxRecord, "trial">,
): ShownSecrets {
  if (!judgement || trial) return { needs: [], named: [] };
  const { touched, needs, severity } = judgement;
  const approved = isAtLeast(severity, "medium")
    ? touched
    : touched.filter(({ access }) => access !== "read");
  return { needs, named: [...new Set(approved.map(({ path }) => path))] };
}

/** It may not simply be tried once more: what it wants, or what it did, is more than a trial gives or holds. */
const wantsMore = ({ outside = [], tried }: Subject): boolean =>
  outside.length > 0 || tried?.refused.some(({ wanted }) => wanted === "room") === true;

/** Its judgement then says so, whatever its words: such a command always asks, and an approval covers no more than this. */
export function asGiven(subject: Subject): Subject {
  const { judgement, outside = [] } = subject;
  if (!judgement || !wantsMore(subject)) return subject;
  const what =
    outside.length > 0 ? givenInWords(outside) : "what it changes is not held until somebody agrees";
  const found: Finding = { severity: "high", because: what };
  const told = triedInWords(subject);
  const because = told === undefined ? what : `${what} (${told})`;
  return {
    ...subject,
    judgement: {
      ...judgement,
      ...(outside.some(isProcesses) ? { uncontainable: aboutProcesses } : {}),
      ...(isAtLeast(judgement.severity, "critical") ? {} : { severity: "high", because }),
      parts: judgement.parts.map((part) => ({
        ...part,
        ...(isAtLeast(part.severity, "high") ? {} : found),
        findings: [...part.findings, found],
      })),
    },
  };
}

/** What no profile gives alone is had by running without limits, and the person is told why. */
function givenInWords(outside: readonly string[]): string {
  const named = outside.join(", ");
  if (outside.some(isProcesses)) return `it may reach ${named}`;
  return profileGiven(outside) === "open"
    ? `it is to reach ${named}, which cannot be given alone`
    : `it is given ${named}`;
}

/** "tried contained: it was refused a connection to registry.example:443, and changed nothing" */
function triedInWords({ tried }: Subject): string | undefined {
  if (!tried) return undefined;
  const changed =
    tried.changed === 0 ? "nothing" : `${tried.changed} ${tried.changed === 1 ? "file" : "files"}`;
  return `tried contained: it was refused ${refusalsInWords(tried.refused)}, and changed ${changed}`;
}

const isProcesses = (words: string): boolean => {
  const read = readOutside(words);
  return read.ok && read.value.type === "processes";
};

/** Programs that can be led through a proxy use these. */
const webPorts = new Set([undefined, 80, 443]);

/** The narrowest profile in which it can be given that; "open" if none can. */
function profileGiven(outside: readonly string[]): Profile {
  let profile: Profile = "build";
  for (const words of outside) {
    const read = readOutside(words);
    if (!read.ok || read.value.type === "service" || read.value.type === "processes") return "open";
    if (read.value.type === "host") {
      if (!webPorts.has(read.value.port)) return "open";
      profile = "install";
    }
  }
  return profile;
}

/** Whether one of the directories that it is given holds an absolute path. */
const isGivenPlace = (path: string, { outside = [] }: Subject): boolean =>
  outside.some((words) => {
    const read = readOutside(words);
    return read.ok && read.value.type === "place" && `${path}/`.startsWith(`${outsideInWords(read.value)}/`);
  });
