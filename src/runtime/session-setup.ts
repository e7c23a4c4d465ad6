/** What a session runs with, put together by `runtime.ts`. */

import type { Observer } from "../addons/observer.ts";
import type { AddonRoom } from "../addons/part.ts";
import type { AgentDefinition } from "../addons/skills/definition.ts";
import type { Completion, Limits } from "../agent/room.ts";
import type { Expected } from "../base/expected.ts";
import type { Tree } from "../base/safe-fs/tree.ts";
import type { Grant, Mode } from "../protocol/facts.ts";
import type { Model } from "../providers/provider.ts";
import type { Sandbox } from "../safety/sandbox/sandbox.ts";
import type { SessionLog } from "../session/log.ts";
import type { Store } from "../session/store.ts";
import type { Delegate, Tool } from "../tools/tool.ts";
import type { SessionAddons } from "./addons/session-addons.ts";
import type { Pricing } from "./models/pricing.ts";
import type { Branching } from "./options/option-choices.ts";
import type { PolicySetup, Presence } from "./policy.ts";
import type { ProjectGrants } from "./project-grants.ts";

/** `contain`: into the sandbox, for programs that go on. Called once for each session that is opened. */
export type OpenAddons = (
  session: Pick<AddonRoom, "session" | "isResumed" | "parent" | "contain" | "started" | "window" | "warn">,
) => SessionAddons;

/** The session that gives a task to another one. */
export type ParentRoom = {
  log: SessionLog;
  files: Tree;
  model: Model;
  tools: readonly Tool[];
  agents: readonly AgentDefinition[];
};

/** What a session runs with: a runtime puts it together from the settings, a program may do so itself. */
export type SessionSetup = Omit<PolicySetup, "sandbox" | "interactive"> & {
  interactive: Presence;
  store: Store;
  model: Model;
  /** Opens another model for the session, as a person names it; none can be chosen by default. */
  openModel?: (name: string) => Promise<Expected<Model>>;
  tools: readonly Tool[];
  /** What users add to each session; nothing by default. */
  addons?: OpenAddons;
  /** What of the workspace waits for a person to agree to it, to be told once: none by default. */
  untrusted?: () => { code: string; text: string } | undefined;
  /** Who hears what happens in it; nobody by default. */
  observers?: readonly Observer[];
  /** How its calls give tasks to sessions of their own; they cannot by default. */
  delegate?: (parent: ParentRoom, callId: string) => Delegate;
  /** What its system prompt says besides, where it is not the default agent. */
  role?: string;
  /** What a person has allowed in the session that gave it its task. */
  granted?: readonly Grant[];
  mode: Mode;
  /** What was allowed in this workspace until it is taken back; kept nowhere by default. */
  projectGrants?: ProjectGrants;
  limits?: Partial<Limits>;
  /** When an answer without calls ends the turn; what suits the model by default. */
  completion?: Completion;
  /** What answers cost; unknown by default. */
  pricing?: Pricing;
  /** Whether the session gets a git branch of its own; off by default. */
  gitBranch?: Branching;
  /**
   * The sandbox that commands run in; none by default, and then they ask. Found when the first one is decided about.
   */
  sandbox?: () => Promise<Sandbox>;
  /** Where Toolwright keeps its own state: hidden from commands. */
  stateDir?: string;
  /** Hosts that installs may reach besides the public registries. */
  registries?: readonly string[];
  /** The environment of programs that tools start; this process's own without keys by default. */
  environment?: Readonly<Record<string, string>>;
  /** Called once a session is closed. */
  closed?: () => Promise<void>;
  /** Milliseconds since 1970; replaced in tests. */
  now?: () => number;
  /** Waits between broken answers; replaced in tests. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
};
