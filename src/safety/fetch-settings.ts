/** Which settings of a repository a fetch or a pull may meet, if nobody is asked: none that runs or sends anything. */

import type { Remotes } from "./chosen-hosts.ts";
import { remoteName } from "./remote-names.ts";

/** All others could be read by them, now or in a later version of git. */
const harmless: readonly RegExp[] = [
  /^core\.(?:abbrev|autocrlf|bare|eol|filemode|ignorecase|logallrefupdates|longpaths|precomposeunicode|quotepath|repositoryformatversion|safecrlf|symlinks|untrackedcache)$/u,
  /^(?:alias|color|column|commit|init|log|push|user)\./u,
  /^diff\.(?:algorithm|colormoved|mnemonicprefix|noprefix|renamelimit|renames)$/u,
  /^merge\.(?:autostash|conflictstyle|directoryrenames|ff|log|renamelimit|renames|stat)$/u,
  /^(?:pull\.(?:ff|rebase)|rebase\.(?:autosquash|autostash|stat|updaterefs))$/u,
  /^branch\.(?!.*\.mergeoptions$)/su,
  /^remote\..*\.(?:fetch|gh-resolved|prune|pushurl|tagopt|url)$/su,
  /^submodule\..*\.(?:active|branch|path|url)$/su,
];

/**
 * Whether a program of the person's would convert or merge files: of many of these, as of `python3 -m x`, the workspace
 * says what they run.
 */
export const convertsFiles = (settings: readonly (readonly [name: string, value: string])[]): boolean =>
  settings.some(
    ([name, value]) =>
      /^merge\..*\.driver$/su.test(name) ||
      (/^filter\..*\.(?:clean|smudge|process)$/su.test(name) && !/^git-lfs(?: |$)/u.test(value)),
  );

/** It writes only to where remotes are followed: no branch and no tag of the person's is overwritten. */
const followed = /^\+?refs\/[^:]+:refs\/remotes\/[^:]+$/u;

/** The remotes with their addresses, if the repository's own settings make nothing else of a fetch. */
export function plainRemotes(
  settings: readonly (readonly [name: string, value: string])[],
  remotes: Remotes,
): Remotes | undefined {
  if (!settings.every(([name]) => harmless.some((form) => form.test(name)))) return undefined;
  const valuesOf = (form: RegExp): string[] =>
    settings.flatMap(([name, value]) => (form.test(name) ? [value] : []));
  const names = settings.flatMap(([name]) => /^remote\.(.*)\.[a-z-]+$/su.exec(name)?.[1] ?? []);
  const isPlain =
    names.every((name) => remoteName.test(name) && remotes.has(name)) &&
    valuesOf(/^remote\..*\.fetch$/su).every((value) => followed.test(value)) &&
    valuesOf(/^branch\..*\.remote$/su).every((value) => value === "." || remotes.has(value)) &&
    [...remotes.keys()].every((name) => names.includes(name));
  return isPlain ? remotes : undefined;
}
