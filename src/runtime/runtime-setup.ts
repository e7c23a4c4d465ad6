/** Builds the setup that a runtime's sessions share, from the settings, this machine and the users' addons. */

import type { AgentDefinition } from "../addons/skills/definition.ts";
import type { TurnLimits } from "../agent/turn-context.ts";
import { once } from "../base/async.ts";
import { keepOut } from "../base/keep-out.ts";
import { homeDirectory } from "../base/paths.ts";
import { childEnvironment } from "../base/process.ts";
import { fitsPattern } from "../base/star-pattern.ts";
import { partTools, sessionTools } from "../configuration/addon-tools.ts";
import type { Config } from "../configuration/config.ts";
import { keyVariables } from "../configuration/key-variables.ts";
import { namedRules } from "../configuration/named-rules.ts";
import { mayTrust } from "../configuration/trusted-mode.ts";
import type { Sandbox } from "../safety/sandbox/sandbox.ts";
import { sensitiveFiles } from "../safety/sensitive-files.ts";
import type { Store } from "../session/store.ts";
import { checkedTools } from "../tools/checked-tools.ts";
import { tools as ownTools } from "../tools/index.ts";
import { openTrust, type WorkspaceTrust } from "../trust/trust.ts";
import { untrustedNotice } from "../trust/words.ts";
import { addonsOf } from "./addons/addons.ts";
import { toolServersOf, withPrompts } from "./addons/tool-servers.ts";
import { findSandbox } from "./containing.ts";
import { type FileCommands, fileCommandsOf } from "./messages/file-commands.ts";
import { type Model, type ModelSettings, openNamedModel } from "./models/models.ts";
import { pricingFor } from "./models/pricing.ts";
import { configuredKeys } from "./observing/known-secrets.ts";
import type { Observers } from "./observing/observers.ts";
import type { ProjectGrants } from "./project-grants.ts";
import { type FileObjection, objectionsIn } from "./reading.ts";
import type { RuntimeContext } from "./runtime-context.ts";
import type { SessionSetup } from "./session-setup.ts";

/** The parts that were already opened for the runtime. */
export type RuntimeParts = {
  model: Model;
  store: Store;
  /** Absolute, with symbolic links resolved. */
  workspace: string;
  grants: ProjectGrants;
  observers: Observers;
  /** Aborted when the runtime closes. */
  closing: AbortSignal;
};

/** `problems`: one line each, for people. */
export type DefinedAgents = { agents: readonly AgentDefinition[]; problems: readonly string[] };

type RuntimeSetup = {
  setup: SessionSetup & { sandbox: () => Promise<Sandbox> };
  trust: WorkspaceTrust;
  fileCommands: FileCommands;
  agents: () => Promise<DefinedAgents>;
  objection: FileObjection;
  warnings: string[];
};

export function runtimeSetup(settings: Config, context: RuntimeContext, parts: RuntimeParts): RuntimeSetup {
  const { interactive, env, addons: own = [], lent } = context;
  const tools = context.tools ? checkedTools(context.tools) : ownTools;
  const { model, store, workspace, grants, observers } = parts;
  const { stateDir, configDir } = settings;
  const { rules, warnings } = namedRules(settings.rules, [...tools, ...partTools, ...sessionTools]);
  const environment = childEnvironment(env, keyVariables(settings));
  const trust = openTrust(stateDir, workspace);
  const home = homeDirectory(env);
  const objection = objectionsIn({ ...settings, rules }, { workspace, home });
  const withheld = (path: string): string | undefined => objection(path)?.because;
  const place = { workspace, stateDir, environment, home, withheld, trust };
  const servers = toolServersOf({ ...place, configured: settings.addons, variables: env });
  const addons = addonsOf({ ...place, configured: settings.addons, configDir, servers, own, lent });
  const setup = {
    model,
    store,
    workspace,
    sandbox: once(context.sandbox ?? (() => findSandbox({ closing: parts.closing, stateDir }))),
    stateDir,
    registries: settings.registries,
    programs: settings.programs,
    tools,
    ...offersOf(settings),
    system: settings.system,
    interactive,
    environment,
    keepOut: () => keepOut(configuredKeys(settings, env)),
    addons,
    untrusted: () => untrustedNotice(trust.waiting()),
    observers: [...observers.all, ...(context.observers ?? [])],
    mode: settings.mode,
    reasoning: settings.reasoning,
    mayTrust: () => mayTrust(settings),
    rules,
    sensitive: sensitiveFiles(...settings.autoApproveEdits),
    projectGrants: grants,
    editorBuffers: context.editorBuffers,
    others: async () => (await context.others?.(workspace)) ?? [],
    keepWork: context.keepWork,
    openModel: (name: string) => openNamedModel(name, withDialects(settings, context), { env, store }),
    fallback: settings.fallback,
    gitBranch: settings.gitBranch,
    ...turnSettings(settings),
    pricing: pricingFor(settings, env),
  };
  const fileCommands = withPrompts(fileCommandsOf({ ...place, configDir }, trust), servers);
  const agents = async (): Promise<DefinedAgents> =>
    (await import("../addons/skills/agents.ts")).agentDefinitions({ ...place, configDir });
  return { setup, trust, fileCommands, agents, objection, warnings };
}

const offersOf = ({ tools }: Config): Pick<SessionSetup, "offers"> =>
  tools ? { offers: (name) => tools.some((pattern) => fitsPattern(pattern, name)) } : {};

export const withDialects = (settings: Config, { dialects = [], told }: RuntimeContext): ModelSettings => ({
  ...settings,
  ownDialects: dialects,
  told,
});

const msPerMinute = 60_000;

/** Turn settings from the configuration: limits, and when a turn is done. */
function turnSettings(settings: Config): Pick<SessionSetup, "limits" | "completion"> {
  const { completion, maxRounds, maxCost, maxTokens, maxMinutes, retryMs, onLimit } = settings;
  const limits: Partial<TurnLimits> = {
    onLimit,
    ...(maxRounds === undefined ? {} : { maxRounds }),
    ...(maxCost === undefined ? {} : { maxCost }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(retryMs === undefined ? {} : { retryMs }),
    ...(maxMinutes === undefined ? {} : { maxMs: maxMinutes * msPerMinute }),
  };
  return { limits, ...(completion === "auto" ? {} : { completion }) };
}
