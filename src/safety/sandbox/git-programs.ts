/** Finds the programs that a repository's own settings name, and answers each with a setting that runs none of them. */

import { statSync } from "node:fs";
import { join } from "node:path";
import { type Expected, refuse } from "../../base/expected.ts";
import { plainEnvironment, textOfGit } from "../../base/git-run.ts";
import { lastingSignature } from "../../base/safe-fs/status.ts";
import { namesCommand } from "../dangers/git/settings.ts";
import { statusOf } from "../on-disk.ts";
import type { GitKey } from "./git-configuration.ts";
import { pathIn, submodulesOf, worktreesOf } from "./git-places.ts";
import type { CheckedRequest } from "./request.ts";

export type GitSetting = readonly [key: string, value: string];

/**
 * Which keys name programs, without their subsection, and what takes their place; every other key that names a command
 * gets `false`, which fails in plain sight: what a filter should have changed must not be committed as it is.
 */
const answers: readonly (readonly [RegExp, string])[] = [
  [/^filter\.(?:clean|smudge|process)$/, ""],
  [/^diff\.textconv$/, "cat"],
  [/^interactive\.difffilter$/, "cat"],
  [/^pager\./, "cat"],
  [/^credential\.helper$/, ""],
  [/^core\.pager$/, "cat"],
  [/^hook\.command$/, "true"],
];

/** Settings that name a program only when their value is one; a plain word is git's own. */
const perhaps = /^(?:alias\.|submodule\.update$)/;
const isGitsOwn = (value: string): boolean => /^"?[a-z]/i.test(value);

/** A later value does not take the place of the first one. */
const fixed = /^(?:remote\.(?:uploadpack|receivepack|vcs)|gc\.recentobjectshook)$/;

/** The environment in which git is asked is the command's: where a person's own settings are, for one. */
type GitSurroundings = Pick<CheckedRequest, "workspace" | "env">;

/**
 * What git itself would read as a repository's own settings decides. Refused if they lead to other files, which a
 * command could write, or if git cannot read them.
 */
export async function withoutPrograms(
  directories: readonly string[],
  around: GitSurroundings,
): Promise<Expected<GitSetting[]>> {
  const places = placesOf(directories);
  if (!places.ok) return cannotTell(places.problem);
  const { own, worktrees } = places.value;
  const elsewhere = own.find((place) => isThere(join(place, "commondir")));
  if (elsewhere !== undefined) return cannotTell(`the settings of ${elsewhere} are in another place`);
  const read: GitKey[] = [];
  for (const [place, keys] of await settingsIn([...own, ...worktrees], around)) {
    if (keys === undefined) return cannotTell(`git cannot read the settings of ${place}`);
    if (keys.some(isInclude)) return cannotTell(`the settings of ${place} include other files`);
    const known = keys.find(({ short }) => fixed.test(short));
    if (known) return cannotTell(`the settings of ${place} set ${known.full}`);
    read.push(...keys);
  }
  return { ok: true, value: answersTo(read, "true") };
}

/**
 * The same for commands that only read, and that nothing contains: what they include is read, too, as they change
 * none of it, and what only fetching obeys is passed over. A file with such a filter counts as it is.
 */
export async function withoutProgramsToRead(
  directories: readonly string[],
  around: GitSurroundings,
): Promise<Expected<GitSetting[]>> {
  const places = placesOf(directories);
  if (!places.ok) return places;
  const all = await settingsIn([...places.value.own, ...places.value.worktrees], around);
  // Where git cannot read them, it does nothing either.
  const read = all.flatMap(([, keys = []]) => keys);
  return { ok: true, value: answersTo(read, "false") };
}

/** Those that have settings of their own. `own`: with their submodules. */
type GitSettingPlaces = { own: string[]; worktrees: string[] };

function placesOf(directories: readonly string[]): Expected<GitSettingPlaces> {
  const places: GitSettingPlaces = { own: [], worktrees: [] };
  for (const directory of directories) {
    const submodules = submodulesOf(directory);
    if (submodules === undefined) return refuse(`${directory} has too many submodules`);
    places.own.push(directory, ...submodules);
    places.worktrees.push(
      ...worktreesOf(directory).filter((place) => isThere(join(place, "config.worktree"))),
    );
  }
  return { ok: true, value: places };
}

const settingsIn = (
  places: readonly string[],
  around: GitSurroundings,
): Promise<[place: string, keys: GitKey[] | undefined][]> =>
  Promise.all(places.map(async (place) => [place, await ownSettings(place, around)]));

/** `required`: whether a file whose filter does not run is refused. */
function answersTo(keys: readonly GitKey[], required: "true" | "false"): GitSetting[] {
  const settings = new Map<string, string>();
  for (const key of keys) {
    const answer = answerTo(key);
    if (answer === undefined) continue;
    settings.set(key.full, answer);
    if (key.short.startsWith("filter.")) settings.set(key.full.replace(/[^.]*$/, "required"), required);
  }
  return [...settings];
}

const isInclude = ({ short }: GitKey): boolean => /^include(?:if)?\./.test(short);

const isThere = (path: string): boolean => statusOf(path) !== undefined;

type SettingsKnown = { stand: string; keys: GitKey[] };

/** By the place: what git said of its settings, as they stood. */
const known = new Map<string, SettingsKnown>();

/** Git is asked again when one of the files is another or has changed. */
async function ownSettings(place: string, around: GitSurroundings): Promise<GitKey[] | undefined> {
  const stand = standOf(place);
  const before = known.get(place);
  if (before && before.stand === stand) return before.keys;
  known.delete(place);
  const keys = await settingsByGit(place, around);
  // Without any it is no repository yet, and becomes one by other files.
  const isAll = keys !== undefined && keys.length > 0 && !keys.some(isInclude);
  if (isAll && stand !== undefined && stand === standOf(place)) known.set(place, { stand, keys });
  return keys;
}

/** Undefined if a later change could leave the files with the same signatures. */
function standOf(place: string): string | undefined {
  const files = ["config", "config.worktree"].map((name) =>
    statSync(join(place, name), { bigint: true, throwIfNoEntry: false }),
  );
  const signatures = files.map((file) => (file ? lastingSignature(file) : "none"));
  return signatures.includes(undefined) ? undefined : signatures.join(" ");
}

/** A place without settings has none of its own, and git takes it for no repository. */
async function settingsByGit(
  place: string,
  { workspace, env }: GitSurroundings,
): Promise<GitKey[] | undefined> {
  const text = await textOfGit({
    directory: place,
    env: { ...plainEnvironment(env, workspace), GIT_DIR: place, GIT_WORK_TREE: place },
    arguments: ["config", "--list", "--includes", "--show-scope", "-z"],
  });
  const parts = text?.split("\0").slice(0, -1);
  return parts?.flatMap((part, at) => (at % 2 === 1 && isOwnScope(parts[at - 1]) ? [keyOf(part)] : []));
}

const isOwnScope = (scope: string | undefined): boolean => scope === "local" || scope === "worktree";

/** As git writes it: "section.subsection.key", a line end, and the value. */
function keyOf(written: string): GitKey {
  const end = written.indexOf("\n");
  const [full, value] = end < 0 ? [written, ""] : [written.slice(0, end), written.slice(end + 1)];
  return { full, short: full.replace(/\..*\./s, "."), value };
}

/** Whether git itself starts what this key names; an alias is started by a person. */
export const namesProgram = (short: string): boolean =>
  !short.startsWith("alias.") && (fixed.test(short) || perhaps.test(short) || isAnswered(short));

const isAnswered = (short: string): boolean =>
  namesCommand(short) || answers.some(([form]) => form.test(short));

function answerTo({ short, value }: GitKey): string | undefined {
  if (perhaps.test(short)) return isGitsOwn(value) ? undefined : "false";
  return answers.find(([form]) => form.test(short))?.[1] ?? (namesCommand(short) ? "false" : undefined);
}

/** Of a git directory, its worktrees and its submodules: what a look finds without asking git. */
export function settingsFiles(directory: string): string[] {
  const places = [directory, ...worktreesOf(directory), ...(submodulesOf(directory) ?? [])];
  const files = places.flatMap((place) => ["config", "config.worktree"].map((name) => join(place, name)));
  const common = pathIn(join(directory, "commondir"), /^(.+)\n?$/);
  return common === undefined ? files : [...files, join(common, "config")];
}

const cannotTell = (because: string): Expected<never> =>
  refuse(
    `The git command was not run, because the sandbox cannot tell which programs git would run: ${because}. A person may approve it to run in the open.`,
  );
