/** The result of analysing a command line: every part that could run, what it touches, and how severe that is. */

import type { Risk } from "../protocol/facts.ts";

/** A part of a text: UTF-16 units, the end exclusive. */
export type TextRange = { readonly from: number; readonly to: number };

/** A command that could run, at any nesting depth. */
export type CommandPart = {
  /** For display; "…" stands for text known only at run time. */
  readonly words: string;
  /** Its words, if all of them are literal. */
  readonly argv?: readonly string[];
  readonly severity: Risk;
  /** Why it has that severity; empty for none. */
  readonly because: string;
  /** Where in the line that is said, if it is known. */
  readonly range?: TextRange | undefined;
  /** Every finding above none. */
  readonly findings: readonly Finding[];
  /** It occurs literally in the line: not under a wrapper, in a nested script, or after a variable or redirection. */
  readonly isPlain: boolean;
  /** It only concerns processes that the line itself has started, which share its sandbox. */
  readonly isAboutOwn?: boolean;
  readonly kind?: "wrapper" | "interpreter" | "builds";
  /** It is listed, with all its options, to only look, or runs in a container or on another machine. */
  readonly mayLookOutside?: true;
  /** A known program that at most reads, writes and deletes files; it runs nothing that a file or the line holds. */
  readonly startsNothing?: boolean;
  /** What it asks of other machines, if its words let out nothing else: remotes of git ("": git chooses), addresses. */
  readonly requests?: readonly string[];
  /** It reaches another machine, and its own words say which. */
  readonly namesHost?: true;
  /** Its success says something about the workspace's files: it builds, type-checks, lints or tests them. */
  readonly checks?: true;
  /** Where its program's row of data stands: `builds.yaml:12`. */
  readonly row?: string;
  /** How many leading words of `argv` identify the action. */
  readonly verbs: number;
};

export type Finding = {
  readonly severity: Risk;
  readonly because: string;
  /** Where in the line it is said, if that is known. */
  readonly range?: TextRange | undefined;
  /** What it writes to is lost as a whole: a device. */
  readonly destroysDevice?: true;
};

export const finding = (severity: Risk, because: string): Finding => ({ severity, because });

/** Turns a finding that concerns no single command into a part, so that rules and people see it. */
export const partOfFinding = (found: Finding): CommandPart => ({
  words: "…",
  ...found,
  findings: [found],
  isPlain: false,
  verbs: 1,
});

/** A file or directory that a command certainly reads, writes or deletes. */
export type TouchedPath = {
  /** Absolute, or relative to an unknown directory ("…/name"); glob patterns are not expanded. */
  readonly path: string;
  readonly access: "read" | "write" | "delete";
  /** The absolute path as written, if that matters: ".." after a link leads elsewhere, and a final "/" follows it. */
  readonly spelled?: string;
  /** For deletions after a `cd` in the line: the directory it led to. */
  readonly within?: string;
  /** For deletions and moves: including everything below. */
  readonly deep?: true;
  /** If it is a symbolic link, the link itself is meant, not its target. */
  readonly itself?: true;
  /** It fails if something is there already. */
  readonly isNew?: true;
  /** Something is there already, as a look at the disk has shown. */
  readonly isThere?: true;
  /** The target, if the command turns the path into a symbolic link. */
  readonly linksTo?: string;
};

export type Judgement = {
  /** The highest of all parts. */
  readonly severity: Risk;
  /** The reason, from the most severe part. */
  readonly because: string;
  /** Where in the line that part is, if it is known. */
  readonly range?: TextRange;
  readonly parts: readonly CommandPart[];
  readonly touched: readonly TouchedPath[];
  /** Every part is known to only read and print. */
  readonly onlyReads: boolean;
  /** The same, except that it shows environment variables, which may include secrets. */
  readonly onlyShowsVariables?: boolean;
  /** Git's literal commands, which run nothing else, and beside them at most known programs that start nothing. */
  readonly onlyGit: boolean;
  /** Some part is a git command that writes settings or uses the network, and needs a writable `.git`. */
  readonly usesOpenGit: boolean;
  /** It installs packages or asks about them, needs only their hosts, and does nothing more severe. */
  readonly onlyInstalls: boolean;
  /** It uses the network, as far as can be told. */
  readonly usesNetwork: boolean;
  /** It only reads, also from services that no word of it names: the project's remote or forge, a registry. */
  readonly onlyRequests?: boolean;
  /**
   * It reaches other machines only to ask this: names of git's remotes ("": git chooses), or addresses of the web. No
   * setting and no program of the line stands in between.
   */
  readonly requests?: readonly string[];
  /** It removes or overwrites something outside the workspace and the temporary directories (B12). */
  readonly destroysOutside: boolean;
  /** It touches something outside the workspace and the temporary directories (B12). */
  readonly leavesWorkspace: boolean;
  /** It deletes or moves directories with repositories in them. */
  readonly takesRepositories?: boolean;
  /** It only uses a service of this machine (`docker ps`, `curl localhost`), which only the open profile can reach. */
  readonly usesService: boolean;
  /** Why it cannot work in any sandbox: it becomes another user, or concerns processes outside. */
  readonly uncontainable?: string;
  /** That is so only because it ends whatever processes match: in a sandbox none of those outside do. */
  readonly endsWhatMatches?: boolean;
  /** All parts may: whatever it looks at, it may do that outside of the sandbox unasked. */
  readonly mayLookOutside?: boolean;
  /** Secret places that its programs need: `~/.ssh` for `git push`. */
  readonly needs: readonly string[];
};

const order: Readonly<Record<Risk, number>> = { none: 0, medium: 1, high: 2, critical: 3 };

/** Returns the most severe item, the first one on a tie. */
export function gravest<Found extends { readonly severity: Risk }>(
  findings: readonly Found[],
): Found | undefined {
  return findings.reduce<Found | undefined>(
    (worst, found) => (worst && order[worst.severity] >= order[found.severity] ? worst : found),
    undefined,
  );
}

export const isAtLeast = (severity: Risk, other: Risk): boolean => order[severity] >= order[other];
