/** What one kind of addon gives a session, and what it is given. */

import type { Extensions, Guarded } from "../agent/extensions.ts";
import type { Expected } from "../base/expected.ts";
import type { Profile } from "../protocol/facts.ts";
import type { Part } from "../protocol/messages.ts";
import type { ContainedCommand } from "../tools/contained.ts";
import type { Tool } from "../tools/tool.ts";
import type { AgentDefinition } from "./skills/definition.ts";
import type { Trust } from "./trust.ts";

/** What one kind of addon gives a session: words at points of its turns, tools, agents. */
export type AddonPart = Extensions & {
  /** Where it has a word now, if that changes while the session is open; the part itself says it by default. */
  points?(): Extensions;
  /** Its tools as they are now: others may come and go while the session is open. */
  tools?(): readonly Tool[];
  /** The agents that tasks can be given to, as they are now. */
  agents?(): readonly AgentDefinition[];
  /** Of a message that a person sends: the veto refuses it. */
  prompt?(content: readonly Part[], signal: AbortSignal): Promise<Guarded>;
  /** Resolves once it has asked about all that the workspace brings (`AddonRoom.trust`); starts nothing for that. */
  ready?(): Promise<void>;
  /** Ends what it has started. */
  close?(): Promise<void>;
};

/** Where people keep what they write for agents, all absolute. */
export type Place = {
  /** Real, too. */
  workspace: string;
  /** The home of the user. */
  home: string;
  /** The directory of the user's configuration. */
  configDir: string;
};

/** What an addon is given of the session that it is opened for. */
export type AddonRoom = Place & {
  session: string;
  /** Whether it goes on with what there was. */
  isResumed: boolean;
  /** The session whose call gave this one its task. */
  parent?: string;
  stateDir: string;
  /** Of programs that are started: without keys. */
  environment: Readonly<Record<string, string>>;
  trust: Trust;
  /**
   * Puts a program that goes on into the sandbox; the problem is why it cannot be, and then it must not run.
   * `programs`: absolute directories where it lies, with what it needs: they may be in a place that is empty there
   * otherwise.
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
   * Notes a program that was started: what a crash of ours leaves running is ended when the session is opened again.
   * `marker`: "NAME=value" in its environment. What it gives is called when the program has ended.
   */
  started?: (program: { pid: number; marker: string; what: string }) => () => void;
  /**
   * The context window of the model that the session has now, and how many tokens a text is likely to be; undefined
   * where nobody knows how large it is.
   */
  window?: () => { tokens: number; sizeOf(text: string): number } | undefined;
  /** Tells people, and stores it: once for each code and text. */
  warn(code: string, text: string): void;
};

/** Makes the part for a session, or none where there is nothing of its kind. */
export type OpenPart = (room: AddonRoom) => AddonPart | undefined;
