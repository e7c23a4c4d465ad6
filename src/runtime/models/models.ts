/** Chooses the model of a run and lists the available ones: translates the settings for the providers. */

import type { EnvironmentVariables } from "../../base/environment-variables.ts";
import { type Expected, orThrow, refuse } from "../../base/expected.ts";
import type { Config } from "../../configuration/config.ts";
import { readKeptKeys } from "../../configuration/kept-keys.ts";
import { didYouMean } from "../../configuration/options/nearest.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { dialects } from "../../dialects/index.ts";
import { ModelError, type ModelErrorKind } from "../../protocol/model-events.ts";
import type { Provider } from "../../providers/catalog.ts";
import {
  chooseModel,
  isChat,
  keyPlace,
  knownProviders,
  listModels,
  type ModelChoice,
  type UsableProvider,
  readModelName,
  settingProblem,
} from "../../providers/discover.ts";
import { openNextOf } from "../../providers/next-model.ts";
import { offlineModel } from "../../providers/offline.ts";
import { openModel, type Memory, type OpenOptions } from "../../providers/open-model.ts";
import type { Model } from "../../providers/provider.ts";
import { providersWith } from "../../providers/settings.ts";
import { wrapModel } from "../../providers/wrapped-model.ts";
import type { Store } from "../../session/store.ts";

export type { Model } from "../../providers/provider.ts";

/** A provider that could be used: its models, or why they cannot be listed, in one line; `kind` is for programs. */
export type ProviderReach = {
  provider: string;
  models: string[];
  /** Where its key is from. */
  key?: string;
  problem?: string;
  kind?: ModelErrorKind;
};

/** The providers under these settings, with the keys that were handed over, as they are now. */
export function providersFor({
  providers,
  stateDir,
}: Pick<Config, "providers" | "stateDir">): readonly Provider[] {
  const kept = readKeptKeys(stateDir);
  return providersWith(providers, kept.ok ? kept.value : {});
}

/** Time limit for listing models: a local server answers at once or is absent; a user's own server may be anywhere. */
const listMs = { here: 1_000, elsewhere: 5_000 } as const;

/** Finds the model without opening it; the problem says what to do, and which models there are to choose from. */
export const findModel = (settings: Config, env: EnvironmentVariables): Promise<Expected<ModelChoice>> =>
  findAmong(settings, env, () => modelsWithinReach(settings, env));

/** The only model within reach is what is meant where none is named. */
async function findAmong(
  settings: Config,
  env: EnvironmentVariables,
  reaching: () => Promise<readonly ProviderReach[]>,
): Promise<Expected<ModelChoice>> {
  const providers = providersFor(settings);
  const chosen = await chooseModel({ named: settings.model, providers, env });
  if (chosen.ok) return { ok: true, value: chosen.choice };
  if (settings.model !== undefined) return refuse(chosen.message);
  const reach = await reaching();
  const late = await chooseModel({ providers, env, probe: async ({ name }) => listedBy(reach, name) });
  if (late.ok) return { ok: true, value: late.choice };
  const names = reach.flatMap(modelNamesOf).filter((id) => isChat({ id }));
  const [only, ...others] = names;
  if (only === undefined) return refuse(noneWithin(chosen.message, reach, { providers, env }));
  if (others.length > 0) return refuse(chooseOne(names));
  const meant = await chooseModel({ named: only, providers, env });
  return meant.ok
    ? { ok: true, value: { ...meant.choice, because: "it is the only one within reach" } }
    : refuse(meant.message);
}

/** With the reasons of the servers that a person has set. */
function noneWithin(
  message: string,
  reach: readonly ProviderReach[],
  known: { providers: readonly Provider[]; env: EnvironmentVariables },
): string {
  const problems = knownProviders(known).flatMap(({ provider, server }) => {
    const problem = reach.find((one) => one.provider === provider.name)?.problem;
    if (problem === undefined) return [];
    return settingProblem({ provider, server, problem }, known.env) ?? [];
  });
  return [message, ...problems].join(" ");
}

/** What a server has told that was too slow for the first look, as on a busy machine. */
function listedBy(reach: readonly ProviderReach[], name: string): { id: string }[] | undefined {
  const found = reach.find(({ provider, problem }) => provider === name && problem === undefined);
  return found?.models.map((id) => ({ id }));
}

const mostNamed = 5;

function chooseOne(names: readonly string[]): string {
  const left = names.length - mostNamed;
  const told = `${names.slice(0, mostNamed).join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
  return `No model is chosen. There are ${told}: choose one, such as ${names[0]}, with the option "model".`;
}

/** As people write them: "provider/model". */
export const modelNamesOf = ({ provider, models }: ProviderReach): string[] =>
  models.map((model) => (model.startsWith(`${provider}/`) ? model : `${provider}/${model}`));

/** `usual`: the model of sessions that name none; absent if those are refused. */
export type ModelsToChoose = { providers: ProviderReach[]; usual?: string };

export async function modelsToChoose(settings: Config, env: EnvironmentVariables): Promise<ModelsToChoose> {
  const reaching = modelsWithinReach(settings, env);
  const [providers, usual] = await Promise.all([reaching, usualModel(settings, env, () => reaching)]);
  return { providers, usual };
}

async function usualModel(
  settings: Config,
  env: EnvironmentVariables,
  reaching: () => Promise<readonly ProviderReach[]>,
): Promise<string | undefined> {
  if (settings.offlineModel) return offlineModel().name;
  const found = await findAmong(settings, env, reaching);
  if (!found.ok) return undefined;
  const { provider, model } = found.value;
  return model === undefined ? provider.name : `${provider.name}/${model}`;
}

/** Why the model or dialect name can never be valid, whatever is reachable; worded as when opening the model. */
export function namingProblem(settings: ModelSettings, env: EnvironmentVariables): string | undefined {
  const options = openOptions(settings);
  if (!options.ok) return options.problem;
  const { model, offlineModel: isOffline, fallback } = settings;
  const names = [...(isOffline || model === undefined ? [] : [model]), ...fallback];
  if (names.length === 0) return undefined;
  const providers = providersFor(settings);
  const named = names.map((name) => readModelName(name, { providers, env }));
  return named.flatMap((one) => (one.ok ? [] : [one.problem]))[0];
}

/**
 * `ownDialects`: dialects supplied by the embedding program; `dialect` may name one. `told`: is told what the opening
 * waits for.
 */
export type ModelSettings = Config & {
  ownDialects?: readonly Dialect[];
  told?: ((words: string) => void) | undefined;
};

/**
 * Finds and opens the model, asking its server for its capabilities, or the first of those that go on in its place;
 * `memory` holds what earlier sessions learnt.
 */
export async function openChosenModel(
  settings: ModelSettings,
  env: EnvironmentVariables,
  memory?: Memory,
): Promise<Expected<Model>> {
  const misnamed = settings.fallback.length > 0 ? namingProblem(settings, env) : undefined;
  if (misnamed !== undefined) return refuse(misnamed);
  const own = await openOne(settings, env, memory);
  if (own.ok) return own;
  const open = async (model: string): Promise<Model> =>
    orThrow(await openOne({ ...settings, model }, env, memory));
  const model = await openNextOf([...settings.fallback], open, () => undefined);
  if (!model) return own;
  const instead = `${own.problem} ${model.name} goes on instead.`;
  return { ok: true, value: wrapModel(model, { instead }) };
}

async function openOne(
  settings: ModelSettings,
  env: EnvironmentVariables,
  memory: Memory | undefined,
): Promise<Expected<Model>> {
  const options = openOptions(settings);
  if (!options.ok) return options;
  if (settings.offlineModel) return { ok: true, value: offlineModel() };
  const found = await findModel(settings, env);
  return found.ok ? orProblem(openModel(found.value, options.value, memory)) : found;
}

/** Opens another model during a session, by the name a person gives, under the same settings. */
export function openNamedModel(
  name: string,
  settings: ModelSettings,
  { env, store }: { env: EnvironmentVariables; store: Store },
): Promise<Expected<Model>> {
  const offline = offlineModel();
  if (name === offline.name) return Promise.resolve({ ok: true, value: offline });
  const memory = memoryIn(Promise.resolve({ ok: true, value: store }));
  return openOne({ ...settings, model: name, offlineModel: false }, env, memory);
}

/** With another model at hand, nobody wants to wait ten minutes for this one. */
const briefRetryMs = 30_000;

/** The options for opening a model that follow from the settings, but for the reasoning, which each session sets. */
export function openOptions(settings: ModelSettings): Expected<OpenOptions> {
  const {
    dialect,
    constraint,
    smallModel: small,
    contextTokens,
    fallback,
    ownDialects = [],
    told,
  } = settings;
  const { retryMs = fallback.length > 0 ? briefRetryMs : undefined } = settings;
  const chosen = readDialect(dialect, ownDialects);
  if (!chosen.ok) return chosen;
  const retry = { forMs: retryMs };
  return { ok: true, value: { dialect: chosen.value, constraint, small, contextTokens, retry, told } };
}

/** Converts a failure of the model's server into a problem for people. */
export async function orProblem<T>(opening: Promise<T>): Promise<Expected<T>> {
  try {
    return { ok: true, value: await opening };
  } catch (error) {
    if (error instanceof ModelError) return refuse(error.inFull);
    throw error;
  }
}

/** What sessions learn about models is only an optimisation for later ones, so store failures are ignored. */
export function memoryIn(opening: Promise<Expected<Store>>): Memory {
  const using = async <T>(work: (store: Store) => Promise<T>): Promise<T | undefined> => {
    const opened = await opening;
    return opened.ok ? work(opened.value).catch(() => undefined) : undefined;
  };
  return {
    recall: async (model) => (await using((store) => store.dialectsOf(model))) ?? [],
    counted: (model, dialect, counts) =>
      void using((store) => store.addCounts(model, dialect, counts)).catch(() => undefined),
  };
}

/** Lists the models of every provider that is configured, has a key or would run locally, concurrently; or of one. */
export async function modelsWithinReach(
  settings: Config,
  env: EnvironmentVariables,
  only?: string,
): Promise<ProviderReach[]> {
  const known = knownProviders({ providers: providersFor(settings), env });
  const asked = known.filter(({ provider }) => (only ?? provider.name) === provider.name);
  return Promise.all(
    asked.map(async (one) => {
      const key = keyPlace(one.provider, env);
      return { ...(await reachOf(one)), ...(key === undefined ? {} : { key }) };
    }),
  );
}

async function reachOf({ provider, server, problem }: UsableProvider): Promise<ProviderReach> {
  const { name, local, isOwn } = provider;
  if (problem !== undefined) return { provider: name, models: [], problem };
  const ms = local && isOwn !== true ? listMs.here : listMs.elsewhere;
  try {
    const models = await listModels(provider, server, { withinMs: ms });
    return { provider: name, models: models.map((model) => model.id) };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { provider: name, models: [], problem: error.inFull, kind: error.kind };
  }
}

/** Parses `--dialect`: `undefined` is "auto". */
function readDialect(name: string, own: readonly Dialect[]): Expected<OpenOptions["dialect"]> {
  if (name === "auto") return { ok: true, value: undefined };
  if (name === "native") return { ok: true, value: name };
  const all = [...own, ...Object.values(dialects)];
  const dialect = all.find((known) => known.name === name);
  if (dialect) return { ok: true, value: dialect };
  const names = ["auto", "native", ...all.map((known) => known.name)];
  const hint = didYouMean(name, names);
  return refuse(
    `There is no dialect ${JSON.stringify(name)}${hint}: the option "dialect" is one of ${names.join(", ")}.`,
  );
}
