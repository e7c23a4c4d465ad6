/** Merges the settings of a run: defaults, the user's files, environment, flags; a workspace's file may only tighten. */

import { join, resolve } from "node:path";
import { type Expected, refuse } from "../base/expected.ts";
import { cacheDirectory, isWithin, stateDirectory } from "../base/paths.ts";
import { modes } from "../protocol/fact-words.ts";
import type { Mode } from "../protocol/facts.ts";
import { efforts, type ReasoningEffort } from "../protocol/messages.ts";
import {
  constraintChoices,
  smallChoices,
  type ConstraintChoice,
  type SmallChoice,
} from "../providers/capabilities.ts";
import type { OwnPrices } from "../providers/prices.ts";
import type { OwnPrograms, PlacedRow } from "../safety/dangers/data/row.ts";
import { realPath, statusOf } from "../safety/on-disk.ts";
import type { RuleLevel } from "../safety/rules.ts";
import type { AutoApproveEdits } from "../safety/sensitive-files.ts";
import type { AddonsConfigured, AddonSettings } from "./addon-settings.ts";
import { configurationBounds } from "./bounds.ts";
import { type CommandLineSources, readCommandLine } from "./command-line-settings.ts";
import type { ConfigFile } from "./config-file.ts";
import { type ConfigLevels, type LevelSources, readLevels, workspaceOf } from "./config-levels.ts";
import { configDirectory } from "./directories.ts";
import { readKeptKeys } from "./kept-keys.ts";
import type { KeySettings } from "./key-settings.ts";
import type { LmServerSettings } from "./lm-server-settings.ts";
import type { Arguments } from "./options/arguments.ts";
import {
  branchings,
  type Branching,
  completions,
  limitBehaviours,
  waysWhenAway,
  type WhenAway,
} from "./options/option-choices.ts";
import type { Values } from "./options/options.ts";
import type { OwnSystemPrompt } from "./own-system-prompt.ts";
import type { ProviderSettings } from "./provider-settings.ts";
import { runSettings, type RunSettings } from "./run-settings.ts";
import type { StatusLineSetting } from "./screen-settings.ts";
import { numberOf, pathOf, textOf } from "./setting-values.ts";
import { mayTrust, trustedWords } from "./trusted-mode.ts";

/** The merged settings. */
export type Config = RunSettings & {
  /** Absolute. May not exist yet. */
  workspace: string;
  /** Absolute; outside the workspace. */
  stateDir: string;
  /** The address of a PostgreSQL database for the sessions, which may hold a password; absent: a file. */
  database: string | undefined;
  /** "provider/model"; `undefined`: the first one found. */
  model: string | undefined;
  /** The models that go on, in order, when that one fails for good. */
  fallback: readonly string[];
  mode: Mode;
  /** Whether the mode `trusted` may be used wherever this is. */
  knowing: boolean;
  /** "auto", "native", or the name of a dialect. */
  dialect: string;
  constraint: ConstraintChoice;
  smallModel: SmallChoice;
  /** Absent: as suits the model. */
  maxRounds: number | undefined;
  /** US dollars for one request; absent: no limit. */
  maxCost: number | undefined;
  maxTokens: number | undefined;
  maxMinutes: number | undefined;
  /** Milliseconds in which a request that fails in passing is made again; absent: the usual ten minutes. */
  retryMs: number | undefined;
  onLimit: (typeof limitBehaviours)[number];
  completion: (typeof completions)[number];
  contextTokens: number | undefined;
  /** Absent: the model's own default. */
  reasoning: ReasoningEffort | undefined;
  offlineModel: boolean;
  /** Whether a session works on its own git branch. */
  gitBranch: Branching;
  verbose: boolean;
  /** A conversation is printed line by line. */
  plain: boolean;
  providers: Readonly<Record<string, ProviderSettings>>;
  rules: readonly RuleLevel[];
  /** The only tools that the model gets: names, with `*` as a wildcard. Absent: all. */
  tools: readonly string[] | undefined;
  system: OwnSystemPrompt;
  /** The user's map, and the workspace's, which may only add approvals. */
  autoApproveEdits: [user: AutoApproveEdits, workspace: AutoApproveEdits];
  /** Hosts that installs may reach in addition to the public registries. */
  registries: readonly string[];
  /** What the users' files say of programs. */
  programs: OwnPrograms;
  /** The user's own model prices, by "provider/model". */
  prices: OwnPrices;
  /** Only for the language-model server. */
  lmServer: LmServerSettings;
  /** What the user's keys do in a terminal, by action. */
  keys: KeySettings;
  /** What stands in the lowest row of a screen instead of the usual figures. */
  statusLine?: StatusLineSetting | undefined;
  /** The users' addons: hooks, tool servers and the like. */
  addons: AddonsConfigured;
  /** The directory of the user's own configuration. */
  configDir: string;
  /** The file that was named in place of the user's own, absolute. */
  configFile: string | undefined;
  /** The port of the gateway or the language-model server; absent: the default one. */
  port: number | undefined;
  /** The log file, absolute. Absent: none, except that the language-model server logs to standard error. */
  log: string | undefined;
  /** "off", "on", or a module that sets up OpenTelemetry: an absolute path or a package name. */
  telemetry: string;
  /** The address that the gateway listens on. */
  host: string;
  /** Host names that the gateway accepts in addition to its addresses. */
  allowHosts: readonly string[];
  /** Milliseconds that a stopping gateway waits for running work. */
  drainMs: number;
  /** Milliseconds that a question waits for an answer over the chat protocol. */
  answerWithinMs: number;
  /** Where checkouts of git repositories are made, and how these may be fetched. */
  checkouts: string;
  gitProtocols: readonly string[];
  /** What the gateway does with questions while no person follows the session. */
  whenAway: WhenAway;
  /** One line each, for people. */
  warnings: string[];
};

/** Where settings come from: the command line, the environment, the files of the directory. */
export type ConfigSources = LevelSources &
  CommandLineSources & {
    /** Where the machine's files lie; another root in tests. */
    machine?: string;
  };

/**
 * From most permissive to strictest. `plan` may read but cannot be overridden by an answer, so it ranks above `ask`.
 * `staged` ranks below `ask`, because staged changes may be applied without a person.
 */
const modesByStrictness: readonly Mode[] = [
  "trusted",
  "auto",
  "accept-edits",
  "staged",
  "ask",
  "plan",
  "deny",
];

/** Reads the existing files and merges all layers. The problem is one line with file and line number. */
export async function loadConfig(sources: ConfigSources): Promise<Expected<Config>> {
  const levels = await readLevels(sources);
  return levels.ok ? mergeLevels(levels.value, sources) : levels;
}

/** Merges what was read already. */
export async function mergeLevels(
  { user, local, project }: ConfigLevels,
  sources: ConfigSources,
): Promise<Expected<Config>> {
  const { command, flags, environment, environmentProblem } = sources.arguments;
  if (environmentProblem !== undefined && !sources.withoutFiles) return refuse(environmentProblem);
  const given = await readCommandLine(sources);
  if (!given.ok) return given;
  const workspace = workspaceOf(sources);
  const own = join(workspace, ".toolwright");

  const values = { ...user?.values, ...local?.values, ...environment, ...flags };
  const config = fromValues(values, workspace, sources);
  config.providers = user?.providers ?? {};
  config.rules = [...rulesOf("user", user), ...rulesOf("local", local), ...given.value.rules];
  config.tools = given.value.tools;
  config.system = given.value.system;
  config.autoApproveEdits[0] = lastOf(user?.autoApproveEdits, local?.autoApproveEdits);
  config.registries = user?.registries ?? [];
  config.programs = { user: placedRows(user), workspace: placedRows(project) };
  config.prices = user?.prices ?? {};
  config.lmServer = user?.lmServer ?? {};
  config.keys = user?.keys ?? {};
  config.statusLine = user?.statusLine;
  config.addons.user = user?.addons ?? {};
  if (!sources.withoutFiles) config.addons.directories = { user: config.configDir, workspace: own };
  config.warnings = [
    ...(user?.warnings ?? []),
    ...(local?.warnings ?? []),
    ...(sources.withoutFiles ? [] : oddPlace(own)),
  ];
  if (project) tighten(config, project);
  const kept = readKeptKeys(config.stateDir);
  if (!kept.ok) config.warnings.push(kept.problem);
  const problem = inTerminal.includes(command) ? stateProblem(config) : undefined;
  if (problem !== undefined) return refuse(problem);
  if (config.mode !== "trusted" || !ofPeople.includes(command)) return { ok: true, value: config };
  const trusting = mayTrust(config, sources.machine);
  if (!trusting.ok) return trusting;
  config.warnings.unshift(trustedWords(trusting.value));
  return { ok: true, value: config };
}

const rulesOf = (name: string, file: ConfigFile | undefined): RuleLevel[] =>
  file?.rules ? [{ name, rules: file.rules }] : [];

/** The last match wins, so what is nearer comes last. */
function lastOf(far: AutoApproveEdits = {}, near: AutoApproveEdits = {}): AutoApproveEdits {
  const others = Object.entries(far).filter(([glob]) => !Object.hasOwn(near, glob));
  return { ...Object.fromEntries(others), ...near };
}

/** The commands that work on requests themselves. */
const inTerminal: readonly Arguments["command"][] = ["chat", "resume", "init"];

/** The commands in whose sessions somebody's requests are worked on. */
const ofPeople: readonly Arguments["command"][] = [...inTerminal, "serve", "mcp"];

/** A workspace's own directory that is none, or lies somewhere else: told, since its files are used or missed. */
function oddPlace(path: string): string[] {
  const stats = statusOf(path);
  if (!stats || stats.isDirectory()) return [];
  if (!stats.isSymbolicLink()) return [`${path} is no directory, so no settings are read from it: remove it`];
  const real = realPath(path);
  return [
    real === undefined
      ? `${path} is a link that leads nowhere, so no settings are read from it: remove it`
      : `${path} is a link: the settings of this workspace are read from ${real}`,
  ];
}

/** Inside the workspace, tools could rewrite the log of their own actions, and undo would restore it. */
export function stateProblem({ stateDir, workspace }: Config): string | undefined {
  if (!isWithin(workspace, stateDir)) return undefined;
  return `The state directory ${stateDir} lies inside the workspace ${workspace}: choose another with the option "stateDir", or a narrower workspace with the option "cwd"`;
}

function fromValues(
  values: Values,
  workspace: string,
  { env, cwd, arguments: { command } }: ConfigSources,
): Config {
  return {
    ...runSettings(values, (value) => pathOf(value, cwd, env)),
    workspace,
    stateDir: resolve(cwd, textOf(values.stateDir) ?? stateDirectory(env)),
    database: textOf(values.database),
    model: textOf(values.model),
    fallback: namesIn(values.fallback),
    mode: modes.find((name) => name === values.mode) ?? usualMode(command),
    knowing: values.knowing === true,
    dialect: textOf(values.dialect) ?? "auto",
    constraint: constraintChoices.find((name) => name === values.constraint) ?? "auto",
    smallModel: smallChoices.find((name) => name === values.smallModel) ?? "auto",
    maxRounds: numberOf(values.maxRounds),
    maxCost: numberOf(values.maxCost),
    maxTokens: numberOf(values.maxTokens),
    maxMinutes: numberOf(values.maxMinutes),
    retryMs: numberOf(values.retryFor),
    onLimit: limitBehaviours.find((name) => name === values.onLimit) ?? "ask",
    completion: completions.find((name) => name === values.completion) ?? "auto",
    contextTokens: numberOf(values.contextTokens),
    reasoning: efforts.find((name) => name === values.reasoning),
    offlineModel: values.offlineModel === true,
    gitBranch: branchings.find((name) => name === values.gitBranch) ?? "off",
    verbose: values.verbose === true,
    plain: values.plain === true,
    providers: {},
    rules: [],
    tools: undefined,
    system: {},
    autoApproveEdits: [{}, {}],
    registries: [],
    programs: { user: [], workspace: [] },
    prices: {},
    lmServer: {},
    keys: {},
    statusLine: undefined,
    addons: { user: {}, workspace: {} },
    configDir: configDirectory(env),
    configFile: pathOf(values.configFile, cwd, env),
    port: numberOf(values.port),
    log: pathOf(values.log, cwd, env),
    telemetry: telemetryOf(values.telemetry, cwd, env),
    host: textOf(values.host) ?? "127.0.0.1",
    allowHosts: namesIn(values.allowHost),
    drainMs: (numberOf(values.drain) ?? drainSecondsOf(command)) * 1_000,
    answerWithinMs: (numberOf(values.answerWithin) ?? usualAnswerSeconds) * 1_000,
    checkouts: pathOf(values.checkouts, cwd, env) ?? join(cacheDirectory(env), "checkouts"),
    gitProtocols: namesIn(values.gitProtocols ?? usualGitProtocols).filter((name) => name !== "none"),
    whenAway: waysWhenAway.find((name) => name === values.whenAway) ?? "wait",
    warnings: [],
  };
}

/** Separated by commas. */
const namesIn = (value: unknown): string[] =>
  (textOf(value) ?? "").split(",").flatMap((name) => name.trim() || []);

/** Through a gateway, no change is made until someone has applied it (B13). */
const usualMode = (command: Arguments["command"]): Mode =>
  command === "serve" || command === "worker" ? "staged" : "ask";

const usualGitProtocols = "https,ssh";
const usualDrainSeconds = 10;
/** A turn may take a while, and a worker is not stopped to be gone at once. */
const workerDrainSeconds = 600;

const drainSecondsOf = (command: Arguments["command"]): number =>
  command === "worker" ? workerDrainSeconds : usualDrainSeconds;
const usualAnswerSeconds = configurationBounds.approvalTime.most / 1_000;

/** Takes effect only after a person has approved it. */
const mayBring: readonly string[] = ["hooks", "mcpServers"] satisfies (keyof AddonSettings)[];

/** What a workspace's file says and may not set. */
export const ignoredKeys = (own: ConfigFile): string[] =>
  Object.entries({
    ...own.values,
    providers: own.providers,
    registries: own.registries,
    prices: own.prices,
    lmServer: own.lmServer,
    keys: own.keys,
    statusLine: own.statusLine,
    ...own.addons,
  })
    .filter(([key, value]) => value !== undefined && key !== "mode" && !mayBring.includes(key))
    .map(([key]) => key);

/**
 * Applies what a workspace may set: a stricter mode, and rules that ask or deny. Anything else is ignored with a
 * warning.
 */
function tighten(config: Config, own: ConfigFile): void {
  const ignore = (what: string): void => void config.warnings.push(`${own.path}: ${what}; it is ignored`);
  config.warnings.push(...own.warnings);
  for (const key of ignoredKeys(own)) ignore(`a workspace may not set "${key}"`);
  const mode = modes.find((name) => name === own.values.mode);
  if (mode && strictness(mode) < strictness(config.mode))
    ignore(`a workspace may not loosen "mode" to ${mode}`);
  else if (mode) config.mode = mode;
  const { leastMode = config.mode } = own;
  if (strictness(leastMode) > strictness(config.mode)) config.mode = leastMode;

  const { hooks, mcpServers } = own.addons;
  config.addons.workspace = {
    path: own.path,
    hooks,
    mcpServers,
  };
  tightenEdits(config, own, ignore);
  const tightening = (own.rules ?? []).filter(({ decision }) => decision !== "allow");
  if (tightening.length < (own.rules ?? []).length) ignore('a workspace may not have "rules" that allow');
  if (tightening.length > 0) config.rules = [...config.rules, { name: "workspace", rules: tightening }];
}

const placedRows = (file: ConfigFile | undefined): PlacedRow[] =>
  (file?.programs ?? []).map((row, at) => ({ ...row, at: `programs.${at} of ${file?.path ?? ""}` }));

/** From a workspace's map, only entries that require approval count; it may not waive any. */
function tightenEdits(config: Config, own: ConfigFile, ignore: (what: string) => void): void {
  const entries = Object.entries(own.autoApproveEdits ?? {});
  const asking = entries.filter(([, approves]) => !approves);
  if (asking.length < entries.length) ignore('a workspace may not approve edits ("autoApproveEdits": true)');
  config.autoApproveEdits[1] = Object.fromEntries(asking);
}

const strictness = (mode: Mode): number => modesByStrictness.indexOf(mode);

/** Anything written like a path is resolved as one; everything else is a keyword or a package name. */
function telemetryOf(value: unknown, cwd: string, env: NodeJS.ProcessEnv): string {
  const said = textOf(value) ?? "off";
  return /^[.~/\\]|^[a-z]:/iu.test(said) ? (pathOf(said, cwd, env) ?? said) : said;
}
