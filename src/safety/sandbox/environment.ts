/** Builds the environment variables of a contained command. */

import { placesOutside } from "../../base/git-run.ts";
import { madeOnce } from "../../base/last-made.ts";
import { cacheVariables } from "./caches.ts";
import type { GitSetting } from "./git-programs.ts";
import { type CheckedRequest, usesProxy } from "./request.ts";
import { isReachingVariable } from "./secrets.ts";

/** Tools that install git hooks fail where `.git` is read-only; each of these variables tells one to skip that. */
const noHookSetup = { HUSKY: "0", LEFTHOOK: "0", SKIP_INSTALL_SIMPLE_GIT_HOOKS: "1" };

/** `cacheBase` is writable inside the sandbox; if undefined, every cache stays where the user has it. */
export function environmentFor(
  request: CheckedRequest,
  cacheBase: string | undefined,
  git: readonly GitSetting[] = [],
): Record<string, string> {
  const { profile, env, home, workspace } = request;
  if (profile === "open") return { ...env };
  const kept = Object.entries(env).filter(
    ([name, value]) => !reaches(name, value) && !isTemporaryPlace(name),
  );
  const plain = Object.fromEntries(profile === "git" ? kept.filter(isPlainForGit) : kept);
  // Git starts programs by their names, and a command may have put its own into a directory of the workspace.
  if (profile === "git") plain["PATH"] = placesOutside(plain["PATH"] ?? "", workspace);
  const caches =
    cacheBase === undefined
      ? {}
      : cacheVariables({ base: cacheBase, fills: profile === "install", home, env: plain });
  return {
    ...plain,
    ...caches,
    TMPDIR: "/tmp",
    ...(profile === "git" ? gitVariables(git) : profile === "read" ? {} : noHookSetup),
    ...(profile === "git" && usesProxy(request) ? fetching : {}),
  };
}

/** Git then fetches by no other way than the one that was looked at. */
const fetching = { GIT_ALLOW_PROTOCOL: "https" };

/** Judging a value takes thirty patterns. */
const reaches = madeOnce(1_000, isReachingVariable);

const isTemporaryPlace = (name: string): boolean => /^(?:TMPDIR|TMP|TEMP|TEMPDIR)$/.test(name);

/** Many variables control git: only those for the author, committer and dates are passed on. */
function isPlainForGit([name]: readonly [string, string]): boolean {
  return !name.startsWith("GIT_") || /^GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)$/.test(name);
}

/**
 * Hardened settings that stop git from running other programs. Branch tracking is off because it writes to the
 * repository's configuration, which is read-only; background work would be killed with the command, and git's
 * housekeeping is for a person's own commands: it would hold up one of the model's, and take what nothing leads to.
 */
const gitSettings: readonly GitSetting[] = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.pager", "cat"],
  ["rebase.instructionFormat", "%s"],
  ["safe.bareRepository", "explicit"],
  ["protocol.ext.allow", "never"],
  ["branch.autoSetupMerge", "false"],
  ["gc.autoDetach", "false"],
  ["maintenance.auto", "false"],
  ["maintenance.autoDetach", "false"],
  ["submodule.recurse", "false"],
  ["fetch.recurseSubmodules", "false"],
];

/** Names a working tree that git may use, whoever it belongs to. */
export const knownDirectory = "safe.directory";

/**
 * Git asks whether a repository is its user's own, and if not, whether it is among these settings. It is told that none
 * is.
 */
const asOfOthers = (settings: readonly GitSetting[]): Record<string, string> =>
  settings.some(([key]) => key === knownDirectory) ? { GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" } : {};

/** `more` answers the programs that a repository's own settings name. */
export function gitVariables(more: readonly GitSetting[] = []): Record<string, string> {
  const all = [...gitSettings, ...more];
  const settings = all.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return {
    ...Object.fromEntries(settings),
    ...asOfOthers(more),
    GIT_CONFIG_COUNT: String(all.length),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_PAGER: "cat",
    GIT_EDITOR: "true",
    GIT_SEQUENCE_EDITOR: "true",
  };
}
