/**
 * What a workspace brings along that could do something by itself: used only once a person has agreed to its content.
 */

/** Something that a workspace would have run. */
export type Brought = {
  kind: "hook" | "server" | "skill" | "command" | "agent" | "language-server";
  /** Unique among its kind. */
  name: string;
  /** Where it stands, relative to the workspace. */
  where: string;
  /** All that it would do, for a person to look at: the command line, the address, the files of code. */
  shows: string;
  /** Files of the workspace that count and do not stand whole in `shows`, relative to it. */
  files?: readonly string[];
  /** Lower-case hex SHA-256 of everything that `shows` stands for: another content is another thing. */
  hash: string;
};

/** Whether a person has agreed to what a workspace brings along. */
export interface Trust {
  /** Whether a person has agreed to just this. If not, it is one of those that wait. */
  allows(thing: Brought): boolean;
  /** They are not there any more, so that nobody has to agree to them. */
  gone?(things: readonly Pick<Brought, "kind" | "name" | "where">[]): void;
  /** What was asked about and is not agreed to. */
  waiting(): readonly Brought[];
}
