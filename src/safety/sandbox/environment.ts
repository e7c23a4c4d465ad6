/** The variables of a contained command. */

import { cacheVariables } from "./caches.ts";
import type { Checked, Profile } from "./request.ts";
import { isReachingVariable } from "./secrets.ts";

/**
 * Programs that would set up hooks in `.git` fail where it is read-only; each of these has a word that says: not now.
 */
const noHookSetup = { HUSKY: "0", LEFTHOOK: "0", SKIP_INSTALL_SIMPLE_GIT_HOOKS: "1" };

/** `cacheBase` is writable inside the sandbox; undefined leaves every cache where the user has it. */
export function environmentFor(request: Checked, cacheBase: string | undefined): Record<string, string> {
  const { profile, env, home } = request;
  if (profile === "open") return { ...env };
  const kept = Object.entries(env).filter(([name]) => !isReachingVariable(name) && !isTemporaryPlace(name));
  const plain = Object.fromEntries(profile === "git" ? kept.filter(isPlainForGit) : kept);
  const caches =
    cacheBase === undefined
      ? {}
      : cacheVariables({ base: cacheBase, fills: profile === "install", home, env: plain });
  return { ...plain, ...caches, TMPDIR: "/tmp", ...particular[profile] };
}

const isTemporaryPlace = (name: string): boolean => /^(?:TMPDIR|TMP|TEMP|TEMPDIR)$/.test(name);

/** Git takes orders from many variables: only who commits, and when, is left to them. */
function isPlainForGit([name]: readonly [string, string]): boolean {
  return !name.startsWith("GIT_") || /^GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)$/.test(name);
}

/**
 * The hardened form in which git runs nothing but itself. Tracking branches are noted in the
 * repository's configuration, which is read-only; work in the background would be cut off with the command.
 */
const gitSettings: readonly (readonly [string, string])[] = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.pager", "cat"],
  ["safe.bareRepository", "explicit"],
  ["protocol.ext.allow", "never"],
  ["branch.autoSetupMerge", "false"],
  ["gc.autoDetach", "false"],
  ["maintenance.autoDetach", "false"],
  ["submodule.recurse", "false"],
];

export function gitVariables(): Record<string, string> {
  const settings = gitSettings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return {
    ...Object.fromEntries(settings),
    GIT_CONFIG_COUNT: String(gitSettings.length),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_PAGER: "cat",
    GIT_EDITOR: "true",
  };
}

const particular: Readonly<Record<Exclude<Profile, "open">, Record<string, string>>> = {
  read: {},
  build: noHookSetup,
  install: noHookSetup,
  git: gitVariables(),
};
