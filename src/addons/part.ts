/** The interface between a session and one kind of addon (hooks, skills, tool servers, …). */

import type { Extensions, GuardResult } from "../agent/extensions.ts";
import type { Expected } from "../base/expected.ts";
import type { LongWork } from "../base/long-work.ts";
import type { Profile } from "../protocol/facts.ts";
import type { ContentPart } from "../protocol/messages.ts";
import type { ContainedCommand } from "../tools/terminal/contained-command.ts";
import type { Tool } from "../tools/tool.ts";
import type { AgentDefinition } from "./skills/definition.ts";
import type { Trust } from "./trust.ts";

/** A symbol of the workspace. `path`: relative to it; `line`: from 1; `kind`: in a word. @experimental */
export type NamedSymbol = { name: string; path: string; line: number; kind: string };

/** What one kind of addon contributes to a session: extension points of its turns, tools, agents. @experimental */
export type AddonPart = Extensions & {
  /** The extension points in use now, if they change while the session is open; by default those of the part itself. */
  points?(): Extensions;
  /** Its current tools; the list may change while the session is open. */
  tools?(): readonly Tool[];
  /** The agents that can currently be given tasks. */
  agents?(): readonly AgentDefinition[];
  /** Whether it tells, after each change, what the change of such a file broke. Paths are relative to the workspace. */
  checks?(path: string): boolean;
  /** The symbols whose name is like this, as far as that is known without starting anything. */
  symbols?(query: string, signal: AbortSignal): Promise<readonly NamedSymbol[]>;
  /** What it does now that may take a while. */
  works?(): readonly LongWork[];
  /** Checks a message from a person; a veto rejects it. */
  prompt?(content: readonly ContentPart[], signal: AbortSignal): Promise<GuardResult>;
  /** Resolves once everything that the workspace brings was submitted for trust (`AddonContext.trust`); starts nothing. */
  ready?(): Promise<void>;
  /** Stops everything that this part started. */
  close?(): Promise<void>;
};

/** The directories in which people keep files for agents, all absolute. */
export type AddonDirectories = {
  /** Also resolved (no links). */
  workspace: string;
  /** The user's home directory. */
  home: string;
  /** The user's configuration directory. */
  configDir: string;
  /** Why the file at this absolute path is not shown to a model without an approval; undefined if it may be. */
  withheld: (path: string) => string | undefined;
};

/** What a session provides to its addons. @experimental */
export type AddonContext = AddonDirectories & {
  session: string;
  /** Whether the session continues an earlier one. */
  isResumed: boolean;
  /** The session whose call delegated this session's task. */
  parent?: string;
  stateDir: string;
  /** The environment for child processes, without API keys. */
  environment: Readonly<Record<string, string>>;
  trust: Trust;
  /** Whether another part of the session checks such a file: it has told already what the last change broke. */
  isCheckedElsewhere: (path: string) => boolean;
  /**
   * Puts a long-running program into the sandbox. The problem says why that is impossible; the program must not run
   * then. `programs`: absolute directories with the program and its dependencies, in case the sandbox would hide them.
   */
  contain(
    profile: Profile,
    request: {
      command: readonly string[];
      directory: string;
      env: Readonly<Record<string, string>>;
      programs?: readonly string[];
    },
  ): Promise<Expected<ContainedCommand>>;
  /**
   * Records a started program, so that it is ended on the next open if we crash. `marker`: "NAME=value" in its
   * environment. Call the returned function when the program has ended.
   */
  started?: (program: { pid: number; marker: string; what: string }) => () => void;
  /**
   * The context window of the session's current model, and an estimator for the tokens of a text; undefined where the
   * size of the window is unknown.
   */
  window?: () => { tokens: number; sizeOf(text: string): number } | undefined;
  /** Shows people a warning and stores it: once per code and text. */
  warn(code: string, text: string): void;
};

/** Creates the part for a session; undefined where the session has nothing of its kind. @experimental */
export type AddonOpener = (context: AddonContext) => AddonPart | undefined;
