/** What was understood of a command line: every part that could run, what it touches, and how bad that is. */

import type { Risk } from "../protocol/facts.ts";

/** A command that could run, at whatever depth it stands. */
export type CommandPart = {
  /** As far as it is known, for people: with "…" for what only the run tells. */
  readonly words: string;
  /** Its words where all of them are literal. */
  readonly argv?: readonly string[];
  readonly severity: Risk;
  /** Why it has that severity; empty for none. */
  readonly because: string;
  /** Every finding above none. */
  readonly findings: readonly Finding[];
  /** It stands as written in the line: not under a wrapper, in a nested script, behind a variable or a redirection. */
  readonly isPlain: boolean;
  /** It is only about processes that the line itself has started: where it runs, they run. */
  readonly isAboutOwn?: boolean;
  readonly kind?: "wrapper" | "interpreter" | "builds";
  /** How many leading words of `argv` say what it does. */
  readonly verbs: number;
};

export type Finding = { readonly severity: Risk; readonly because: string };

/**
 * What was found without being about one command stands as a part of its own, so that nothing is hidden from rules and
 * people.
 */
export const partOfFinding = (found: Finding): CommandPart => ({
  words: "…",
  ...found,
  findings: [found],
  isPlain: false,
  verbs: 1,
});

/** A file or directory that a command plainly reads, writes or deletes. */
export type Touched = {
  /** Absolute, or relative to an unknown directory ("…/name"); a pattern is left in it. */
  readonly path: string;
  readonly access: "read" | "write" | "delete";
  /**
   * Absolute, as it was spelt, where that tells more: ".." is another place behind a link, and "/" at the end follows
   * one.
   */
  readonly spelled?: string;
  /** Of what is deleted: the directory that it is meant in, where a `cd` of the line led there. */
  readonly within?: string;
  /** Of what is deleted or moved: with everything below it. */
  readonly deep?: true;
  /** Where it is a symbolic link, that is meant, and not what it leads to. */
  readonly itself?: true;
  /** It becomes a symbolic link to there. */
  readonly linksTo?: string;
};

export type Judgement = {
  /** The highest of all parts. */
  readonly severity: Risk;
  /** Why, in words a person understands; of the gravest part. */
  readonly because: string;
  readonly parts: readonly CommandPart[];
  readonly touched: readonly Touched[];
  /** Every part is known to only read and print. */
  readonly onlyReads: boolean;
  /** The same, but that it shows the variables that programs get, secret ones among them. */
  readonly onlyShowsVariables?: boolean;
  /** Every part is literal git without anything that executes, or a word of the shell itself between them. */
  readonly onlyGit: boolean;
  /** Some part is git that writes settings or reaches elsewhere, for which `.git` must be open. */
  readonly usesOpenGit: boolean;
  /** It installs packages, needs no other host than theirs, and nothing in it is worse than that. */
  readonly onlyInstalls: boolean;
  /** It talks to other hosts, as far as its words tell. */
  readonly usesNetwork: boolean;
  /** It removes or overwrites something outside the workspace and the temporary directories (B12). */
  readonly destroysOutside: boolean;
  /** It touches something outside the workspace and the temporary directories (B12). */
  readonly leavesWorkspace: boolean;
  /** It deletes or moves directories with repositories in them. */
  readonly takesRepositories?: boolean;
  /**
   * It only asks a service of this machine (`docker ps`, `curl localhost`), which no profile but the open one can
   * reach.
   */
  readonly asksService: boolean;
  /** Why no sandbox can hold it and it still work: it becomes another user, or is about processes outside. */
  readonly uncontainable?: string;
  /** Secret places that its programs need to do their work: `~/.ssh` for `git push`. */
  readonly needs: readonly string[];
};

const order: Readonly<Record<Risk, number>> = { none: 0, medium: 1, high: 2, critical: 3 };

/** The gravest of them, the first of several. */
export function gravest<Found extends { readonly severity: Risk }>(
  findings: readonly Found[],
): Found | undefined {
  return findings.reduce<Found | undefined>(
    (worst, found) => (worst && order[worst.severity] >= order[found.severity] ? worst : found),
    undefined,
  );
}

export const isAtLeast = (severity: Risk, other: Risk): boolean => order[severity] >= order[other];
