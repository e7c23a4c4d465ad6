/** The internal form of a hook, independent of the file format that it was written in. */

import type { hookEvents } from "../../protocol/fact-words.ts";
import type { Tool } from "../../tools/tool.ts";

export type HookEvent = (typeof hookEvents)[number];

/** The properties of a tool that hooks match on: its names, and what it does. */
export type KnownTool = Pick<Tool, "name" | "aliases" | "does">;

/** How a hook runs: a bash command line, a program with arguments, or a URL. */
export type HookRuns =
  | { type: "line"; line: string }
  | { type: "program"; command: readonly string[] }
  | { type: "address"; url: string; headers: Readonly<Record<string, string>> };

export type Hook = {
  /** The name shown to people and the model. */
  name: string;
  on: readonly HookEvent[];
  /** The tools whose calls it applies to, as configured; all by default. */
  tools?: readonly string[];
  /** The hook's name for a tool it applies to; undefined for other tools. */
  calls(tool: KnownTool): string | undefined;
  /** Whether it applies to this occasion of its event, in other agents' terms; all by default. */
  fits?(occasion: string): boolean;
  /** Runs without being awaited: it cannot refuse or change anything, and its output joins the next request. */
  inBackground?: true;
  /** Limits it to one kind of session. Every session still loads it, so that a person can consent to it. */
  of?: "person" | "subagent";
  runs: HookRuns;
  timeoutMs: number;
  onFailure: "allow" | "block";
  /** The event's name in the other agent's format that it was written in. */
  foreign?: string;
  /** The workspace file that defines it, as a relative path: such a hook needs a person's consent. */
  where?: string;
};
