/** A hook as it runs, whoever wrote it down and in which form. */

import type { hookEvents } from "../../protocol/fact-words.ts";
import type { Tool } from "../../tools/tool.ts";

export type HookEvent = (typeof hookEvents)[number];

/** What hooks know of a tool: how it may be called, and what it does. */
export type KnownTool = Pick<Tool, "name" | "aliases" | "does">;

/** A line for bash, a program with its arguments, or an address. */
export type HookRuns =
  | { type: "line"; line: string }
  | { type: "program"; command: readonly string[] }
  | { type: "address"; url: string; headers: Readonly<Record<string, string>> };

export type Hook = {
  /** What people and the model are told it is called. */
  name: string;
  on: readonly HookEvent[];
  /** For calls of which tools, as it was written; for all by default. */
  tools?: readonly string[];
  /** How it calls a tool that it is for; undefined where it is not. */
  calls(tool: KnownTool): string | undefined;
  /** For which occasions of its event, by other agents' words for them; for all by default. */
  fits?(occasion: string): boolean;
  /** Nobody waits for it: it refuses and changes nothing, and what it says is told with the next request. */
  inBackground?: true;
  /** In whose sessions it runs, where not in all: it is known in every one, so that a person can agree to it. */
  of?: "person" | "subagent";
  runs: HookRuns;
  timeoutMs: number;
  onFailure: "allow" | "block";
  /** Other agents' name of its event, where it is written in their form. */
  foreign?: string;
  /** The file of the workspace that it stands in, relative to it: it needs a person's trust. */
  where?: string;
};
