/** Runs one command under Landlock and a filter for system calls, where no namespaces can be made for bubblewrap. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { once } from "../../../base/async.ts";
import { randomHex } from "../../../base/crypto.ts";
import { type Expected, errorMessage } from "../../../base/expected.ts";
import { makeDirectorySync } from "../../../base/safe-fs/own-files.ts";
import { removeTreeSoon } from "../../../base/safe-fs/remove-tree.ts";
import type { Profile } from "../../../protocol/fact-words.ts";
import { namesIn } from "../../on-disk.ts";
import { type ContainedRun, endedWith, type SandboxOutcome } from "../contained-run.ts";
import { environmentFor } from "../environment.ts";
import { ledToByGit } from "../git-led.ts";
import { pinsOf } from "../git-places.ts";
import { confinedMark, ownerVariable } from "../left-running.ts";
import { removeLeftoversOnce, type LeftoversTold } from "../leftovers.ts";
import type { SandboxMount } from "../mounts.ts";
import { type ProcessLimits, withLimits } from "../process-limits.ts";
import { keepPlaces, type PutBack } from "../put-back.ts";
import { cannotContain, type CheckedRequest, checkRequest, type ContainRequest } from "../request.ts";
import { liveDirectories, ownDirectory } from "../runs.ts";
import { type MachineArchitecture, seccompFilter } from "../seccomp.ts";
import { type CommandSurroundings, surroundingsOf } from "../surroundings.ts";
import { unrunPrograms } from "../unrun-programs.ts";
import type { IndexedPlaces } from "../workspace-index.ts";
import { grantsFor, rulesetFor } from "./grants.ts";
import { supervisedCommand } from "./helper.ts";

export type LandlockFacts = {
  perl: string;
  /** Of Landlock's interface in this kernel. */
  version: number;
  machine: MachineArchitecture;
  limits: ProcessLimits;
};

/**
 * Not `install`, as rules name ports and no hosts; and not `open`, as a rule for everything but hidden places would not
 * hold for what the command makes beside them.
 */
export const landlockProfiles: readonly Profile[] = ["read", "build", "git"];

export const noOverlaysHere = "there are layers over the workspace only with bubblewrap";

export async function containInLandlock(
  request: ContainRequest,
  facts: LandlockFacts,
  told: LeftoversTold,
): Promise<Expected<ContainedRun>> {
  const checked = checkRequest(request);
  if (!checked.ok) return checked;
  if (request.overlay) return cannotContain(noOverlaysHere);
  if (!landlockProfiles.includes(request.profile))
    return cannotContain(`there is a profile ${request.profile} only with bubblewrap`);
  try {
    return await contain(checked.value, facts, told);
  } catch (error) {
    return cannotContain(errorMessage(error));
  }
}

async function contain(
  request: CheckedRequest,
  facts: LandlockFacts,
  told: LeftoversTold,
): Promise<Expected<ContainedRun>> {
  const left = removeLeftoversOnce(request, told);
  const surroundings = await surroundingsOf(request);
  if (!surroundings.ok) return surroundings;
  const { filled, git, settings, cache } = surroundings.value;
  const own = join(ownDirectory(request.stateDir), `landlock-${randomHex(6)}`);
  const ready = prepare(request, surroundings.value, own);
  if (!ready.ok) {
    await removeTreeSoon(own);
    return ready;
  }
  const env = {
    ...environmentFor(request, cache ?? join(own, "tmp", ".cache"), settings),
    ...ready.value.env,
    [ownerVariable]: confinedMark(request.stateDir),
  };
  const finish = async (): Promise<SandboxOutcome> => {
    const warnings = [...left, ...filled.tell(), ...ready.value.putBack.restore()];
    await removeTreeSoon(own);
    return endedWith([...warnings, ...unrunPrograms(request, settings)]);
  };
  return {
    ok: true,
    value: {
      ...commandOf(request, { ...surroundings.value, facts, env, own: ready.value.own }),
      feeds: [],
      guarded: true,
      onStart: () => {},
      repositories: git,
      finished: once(finish),
    },
  };
}

type PreparedAccess = {
  env: Record<string, string>;
  own: { writable: string[]; readable: string[] };
  putBack: PutBack;
};

/** Makes the private directories of a confined command. */
function prepare(
  request: CheckedRequest,
  { found, git, masks, cache, guard }: CommandSurroundings,
  own: string,
): Expected<PreparedAccess> {
  const [temporary, settings] = [join(own, "tmp"), join(own, "settings")];
  for (const path of [temporary, settings]) makeDirectorySync(path, 0o700);
  const hidden = hiddenInside(request, masks);
  const putBack = keepPlaces(request, {
    places: request.profile === "git" ? [...besideGit(request, found, git), ...hidden] : [],
    hidden: request.profile === "git" ? hidden : [],
    guard,
    own,
    others: liveDirectories(request.stateDir).flatMap((live) =>
      namesIn(live).map((name) => join(live, name)),
    ),
  });
  if (!putBack.ok) return putBack;
  return {
    ok: true,
    value: {
      env: { TMPDIR: temporary, ...shownSettings(masks, settings) },
      own: { writable: [temporary, ...(cache ? [cache] : [])], readable: [settings] },
      putBack: putBack.value,
    },
  };
}

const hiddenInside = ({ workspace }: CheckedRequest, masks: readonly SandboxMount[]): string[] =>
  masks
    .filter(({ kind, path }) => kind !== "writable" && path.startsWith(`${workspace}/`))
    .map(({ path }) => path);

/** What git's own commands may not change; links are the guard's. */
const besideGit = (request: CheckedRequest, found: IndexedPlaces, git: readonly string[]): string[] => [
  ...git.flatMap(pinsOf),
  ...[...found.git, ...found.protected]
    .filter(({ path, kind }) => kind !== "link" && !git.includes(path))
    .map(({ path }) => path),
  ...[...(request.held ?? []), ...ledToByGit(request, found)]
    .map((path) => path.replace(/\/$/, ""))
    .filter((path) => path.startsWith(`${request.workspace}/`)),
];

/** Settings that are shown without their secrets cannot be shown in their place; these programs look elsewhere. */
const settingsVariables: readonly (readonly [RegExp, string])[] = [
  [/\/(?:\.?gitconfig|git\/config)$/, "GIT_CONFIG_GLOBAL"],
  [/\/\.?npmrc$/, "npm_config_userconfig"],
  [/\/pip\.conf$/, "PIP_CONFIG_FILE"],
];

function shownSettings(masks: readonly SandboxMount[], directory: string): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const mask of masks) {
    if (mask.kind !== "text") continue;
    const variable = settingsVariables.find(([name]) => name.test(mask.path))?.[1];
    if (variable === undefined) continue;
    const path = join(directory, variable);
    writeFileSync(path, `${mask.text}\n`, { mode: 0o600, flag: "a" });
    variables[variable] = path;
  }
  return variables;
}

type LandlockParts = Pick<CommandSurroundings, "found" | "git" | "masks"> & {
  facts: LandlockFacts;
  env: Readonly<Record<string, string>>;
  own: PreparedAccess["own"];
};

function commandOf(
  request: CheckedRequest,
  { facts, env, found, git, masks, own }: LandlockParts,
): Pick<ContainedRun, "command" | "env"> {
  const { perl, version, machine, limits } = facts;
  const { profile, directory } = request;
  // The limit counts all processes of the user, as there is no namespace.
  const most = { ...limits, processes: limits.processes + processesElsewhere };
  const inDirectory = ["/bin/sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", directory];
  const command = [...inDirectory, ...withLimits(request.command, most)];
  return supervisedCommand(
    perl,
    machine,
    { command, env },
    {
      ruleset: rulesetFor(version),
      grants: grantsFor(request, { version, found, git, masks, own }),
      filter: seccompFilter(machine, { setId: "forbidden", shared: { changes: profile !== "read" } }),
    },
  );
}

const processesElsewhere = 4096;
