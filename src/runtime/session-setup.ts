/** The setup of a session: everything it runs with, assembled by `runtime.ts`. */

import type { Observer } from "../addons/observer.ts";
import type { AddonContext } from "../addons/part.ts";
import type { AgentDefinition } from "../addons/skills/definition.ts";
import type { Completion, ReadyCommands, TurnLimits } from "../agent/turn-context.ts";
import type { Expected } from "../base/expected.ts";
import type { KeepOut } from "../base/keep-out.ts";
import type { Tree } from "../base/safe-fs/tree.ts";
import type { Branching } from "../configuration/options/option-choices.ts";
import type { OwnSystemPrompt } from "../configuration/own-system-prompt.ts";
import type { MayTrust } from "../configuration/trusted-mode.ts";
import type { Grant, Mode } from "../protocol/facts.ts";
import type { Reasoning } from "../protocol/messages.ts";
import type { Model } from "../providers/provider.ts";
import type { OwnPrograms } from "../safety/dangers/data/row.ts";
import type { Sandbox } from "../safety/sandbox/sandbox.ts";
import type { SessionLog } from "../session/log.ts";
import type { Store } from "../session/store.ts";
import type { Delegate, Tool } from "../tools/tool.ts";
import type { SessionAddons } from "./addons/session-addons.ts";
import type { Pricing } from "./models/pricing.ts";
import type { PolicySetup, Presence } from "./policy.ts";
import type { ProjectGrants } from "./project-grants.ts";
import type { EditorBuffers } from "./unsaved-files.ts";

/** Called once for each session opened. `contain` puts long-lived programs into the sandbox. */
export type OpenAddons = (
  session: Pick<AddonContext, "session" | "isResumed" | "parent" | "contain" | "started" | "window" | "warn">,
) => SessionAddons;

/** What a delegating session passes on to its child. */
export type ParentContext = {
  log: SessionLog;
  files: Tree;
  model: Model;
  tools: readonly Tool[];
  agents: readonly AgentDefinition[];
};

/** Everything a session runs with. A runtime builds it from the settings; an embedding program may build it itself. */
export type SessionSetup = Omit<PolicySetup, "sandbox" | "interactive"> & {
  interactive: Presence;
  store: Store;
  model: Model;
  /** Opens another model by the name a person gives. Default: switching is not possible. */
  openModel?: (name: string) => Promise<Expected<Model>>;
  /** The models that go on, by the names a person gives, when this one fails for good. Default: none. */
  fallback?: readonly string[];
  tools: readonly Tool[];
  /** Whether the model gets a tool, by its name. Default: all. */
  offers?: (tool: string) => boolean;
  /** A person's own text in place of the system prompt, or behind it. */
  system?: OwnSystemPrompt;
  /** Opens the users' addons for each session. Default: none. */
  addons?: OpenAddons;
  /** The workspace contents awaiting a person's approval, reported once. Default: none. */
  untrusted?: () => { code: string; text: string } | undefined;
  /** The texts that an editor has open, for a session and its subagents. Default: there is no editor. */
  editorBuffers?: (session: string) => EditorBuffers | undefined;
  /** Observers of what happens in the session. Default: none. */
  observers?: readonly Observer[];
  /** Delegates a call's task to a child session. Default: delegation is off. */
  delegate?: (parent: ParentContext, callId: string) => Delegate;
  /** Appended to the system prompt of an agent other than the default one. */
  role?: string;
  /** Those of the session that delegated the task, as long as they hold there. */
  granted?: () => readonly Grant[];
  mode: Mode;
  /** How much the model thinks before it answers. Default: as much as it does by itself. */
  reasoning?: Reasoning | undefined;
  /** Whether the mode `trusted` may be used. Default: in a container or virtual machine that is recognised. */
  mayTrust?: MayTrust;
  /** Grants that hold in this workspace until revoked. Default: none are stored. */
  projectGrants?: ProjectGrants;
  limits?: Partial<TurnLimits>;
  /** When an answer without calls ends the turn. Default: as suits the model. */
  completion?: Completion;
  /** Computes the cost of answers. Default: unknown. */
  pricing?: Pricing;
  /** Whether the session gets its own git branch. Default: off. */
  gitBranch?: Branching;
  /** The sandbox for commands, detected when the model thinks about its first answer, or the first command is decided. Default: none, so commands need approval. */
  sandbox?: () => Promise<Sandbox>;
  /** Loads and tries in the background what the first command needs. Default: that happens with the first command. */
  readyCommands?: ReadyCommands;
  /** Where Toolwright stores its own state; hidden from commands. */
  stateDir?: string;
  /** Hosts that installs may reach in addition to the public registries. */
  registries?: readonly string[];
  /** What the configuration says of programs. Default: nothing. */
  programs?: OwnPrograms;
  /** The environment of programs that tools start. Default: this process's environment without keys. */
  environment?: Readonly<Record<string, string>>;
  /** The values that no fact of a session may hold: the keys of the configuration. Default: none. */
  keepOut?: () => KeepOut | undefined;
  /** Directories elsewhere in which other sessions work: hidden from commands. Default: none. */
  others?: () => Promise<readonly string[]>;
  /** Stores what a checkout holds that is not stored yet, with facts of the log. Default: nothing is stored. */
  keepWork?: (log: SessionLog) => Promise<void>;
  /** Called once the session is closed. */
  closed?: () => Promise<void>;
  /** The clock, in milliseconds since 1970; replaced in tests. */
  now?: () => number;
  /** Waits before retrying broken answers; replaced in tests. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
};
