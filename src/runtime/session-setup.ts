/** What a session runs with, put together by `runtime.ts`. */
import type { Completion, Limits } from "../agent/room.ts";
import type { Parsed } from "../base/json.ts";
import type { Mode } from "../protocol/facts.ts";
import type { Model } from "../providers/provider.ts";
import type { Sandbox } from "../safety/sandbox/sandbox.ts";
import type { Store } from "../session/store.ts";
import type { Tool } from "../tools/tool.ts";
import type { Branching } from "./option-choices.ts";
import type { PolicySetup, Presence } from "./policy.ts";
import type { Pricing } from "./pricing.ts";
import type { ProjectGrants } from "./project-grants.ts";

export type SessionSetup = Omit<PolicySetup, "sandbox" | "interactive"> & {
  interactive: Presence;
  store: Store;
  model: Model;
  /** Opens another model for the session, as a person names it; none can be chosen unless told. */
  openModel?: (name: string) => Promise<Parsed<Model>>;
  tools: readonly Tool[];
  mode: Mode;
  /** What was allowed in this workspace until it is taken back; kept nowhere unless told. */
  projectGrants?: ProjectGrants;
  limits?: Partial<Limits>;
  /** When an answer without calls ends the turn; what suits the model unless told. */
  completion?: Completion;
  /** What answers cost; unknown unless told. */
  pricing?: Pricing;
  /** Whether the session gets a git branch of its own; off unless told. */
  gitBranch?: Branching;
  /** The sandbox that commands run in; none unless told, and then they ask. Found when the first one is decided about. */
  sandbox?: () => Promise<Sandbox>;
  /** Where Toolwright keeps its own state: hidden from commands. */
  stateDir?: string;
  /** Hosts that installs may reach besides the public registries. */
  registries?: readonly string[];
  /** The environment of programs that tools start; this process's own without keys unless told. */
  environment?: Readonly<Record<string, string>>;
  /** Called once a session is closed. */
  closed?: () => Promise<void>;
  /** Milliseconds since 1970; replaced in tests. */
  now?: () => number;
  /** Waits between broken answers; replaced in tests. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
};
