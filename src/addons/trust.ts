/**
 * The interface for trust: whatever a workspace brings that could run by itself needs a person's consent to its exact
 * content.
 */

/** Something in a workspace that would run by itself. */
export type Brought = {
  kind: "hook" | "server" | "skill" | "command" | "agent" | "language-server";
  /** Unique within its kind. */
  name: string;
  /** The file that defines it, relative to the workspace. */
  where: string;
  /** Everything it would do, for review by a person: the command line, the address, the source files. */
  shows: string;
  /** Files of the workspace that are part of the hash but not shown in full in `shows`, relative to the workspace. */
  files?: readonly string[];
  /** Lower-case hex SHA-256 of everything behind `shows`: any change requires a new consent. */
  hash: string;
};

/** Records and checks a person's consent to what a workspace brings. */
export interface Trust {
  /** Whether a person consented to exactly this content. If not, it joins the waiting list. */
  allows(thing: Brought): boolean;
  /** These no longer exist: takes them off the waiting list. */
  gone?(things: readonly Pick<Brought, "kind" | "name" | "where">[]): void;
  /** What was submitted and has no consent yet. */
  waiting(): readonly Brought[];
}
