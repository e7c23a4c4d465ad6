/**
 * The interface for trust: whatever a workspace brings that could run by itself needs a person's consent to its exact
 * content.
 */

import type { FilesRun } from "./files-run.ts";

/** Something in a workspace that would run by itself. @experimental */
export type TrustItem = {
  kind: "hook" | "server" | "skill" | "command" | "agent" | "language-server";
  /** Unique within its kind. */
  name: string;
  /** The file that defines it, relative to the workspace. */
  where: string;
  /** Everything it would do, for review by a person: the command line, the address, the source files. */
  shows: string;
  /** Files of the workspace that are part of the hash but not shown in full in `shows`, relative to the workspace. */
  files?: readonly string[];
  /**
   * Every file of the workspace that it runs or loads outside the sandbox, relative to the workspace; "hooks/" for
   * everything in that directory. While the thing is trusted, no contained command can change them.
   */
  held?: readonly string[];
  /** Lower-case hex SHA-256 of everything behind `shows`: any change requires a new consent. */
  hash: string;
};

/** Records and checks a person's consent to what a workspace brings. @experimental */
export interface Trust {
  /** Whether a person consented to exactly this content. If not, it joins the waiting list. */
  allows(thing: TrustItem): boolean;
  /** What tells which files a command of the workspace would run. Few sessions need it, and it is large. */
  filesRun(): Promise<FilesRun>;
  /**
   * Why it may not start just now although it is trusted: one line for people. Asked before the content is checked, so
   * that nothing can change it between the check and the start.
   */
  whyNotNow?(thing: Pick<TrustItem, "kind" | "name" | "where">): Promise<string | undefined>;
  /** What it runs changed while it ran: takes back every consent to it. */
  withdraw?(thing: Pick<TrustItem, "kind" | "name" | "where">): Promise<void>;
  /** These no longer exist: takes them off the waiting list. */
  gone?(things: readonly Pick<TrustItem, "kind" | "name" | "where">[]): void;
  /** What was submitted and has no consent yet. */
  waiting(): readonly TrustItem[];
}
