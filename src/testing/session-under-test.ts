/** What `testSession` takes and gives, as far as a program that embeds Toolwright sees a session. */

import type { Observer } from "../addons/observer.ts";
import type { Completion, TurnLimits } from "../agent/turn-context.ts";
import type { Expected } from "../base/expected.ts";
import type { Entry, Mode } from "../protocol/facts.ts";
import type { Model } from "../providers/provider.ts";
import type { AgentSession } from "../runtime/agent-session.ts";
import type { Presence } from "../runtime/policy.ts";
import type { RuleLevel } from "../safety/rules.ts";
import type { Store } from "../session/store.ts";
import type { Tool } from "../tools/tool.ts";
import type { TemporaryWorkspace } from "./workspace.ts";

/** Options of a session for a test. @public */
export type SessionUnderTestOptions = {
  /** Files of the workspace, by path; none by default. */
  files?: Record<string, string>;
  /** Used instead of a new one with `files`; its creator removes it. */
  workspace?: TemporaryWorkspace;
  /** In memory by default. */
  store?: Store;
  /** Resumes this session instead of creating one. */
  resume?: string;
  /** "ask" by default. */
  mode?: Mode;
  rules?: readonly RuleLevel[];
  /** Whether a person can be asked; true by default. */
  interactive?: Presence;
  /** The built-in tools by default. */
  tools?: readonly Tool[];
  /** Receive the session's events. */
  observers?: readonly Observer[];
  /** Opens another model by name; by default the model cannot be changed. */
  openModel?: (name: string) => Promise<Expected<Model>>;
  limits?: Partial<TurnLimits>;
  completion?: Completion;
  /** Milliseconds since 1970. */
  now?: () => number;
};

/** A session on a temporary workspace, and helpers to drive it. @public */
export type SessionUnderTest = {
  session: AgentSession;
  workspace: TemporaryWorkspace;
  store: Store;
  /** Sends a request and waits until the turn ends. Answers every question with `answer`; a refused command throws. */
  ask: (text: string, answer?: "allow" | "deny") => Promise<void>;
  /** The newest facts of the log; in a short session all of them. */
  facts: () => readonly Entry[];
  /** Closes the session and removes the workspace if the session created it. */
  close: () => Promise<void>;
};
