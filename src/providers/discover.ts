/** Chooses the model to use: named, configured, paid for, or running on this computer. If none, says what to do. */

import type { EnvironmentVariables } from "../base/environment-variables.ts";
import { errorMessage, type Expected } from "../base/expected.ts";
import { ModelError } from "../protocol/model-events.ts";
import type { ListedModel } from "./capabilities.ts";
import { catalog, type Provider } from "./catalog.ts";
import { parseModelName, type NamedModel } from "./model-name.ts";
import { headersOf, unsetIn } from "./own-headers.ts";
import { fetchJson, type DocumentWait, type Server } from "./server.ts";

export type DiscoveryOptions = {
  /** The model named by `--model`, the environment or the configuration. */
  named?: string | undefined;
  /** The available providers (`settings.ts`); the catalog by default. */
  providers?: readonly Provider[] | undefined;
  env: EnvironmentVariables;
  /** Lists a local server's models; undefined if there is no quick reply. May throw ModelError. */
  probe?: (provider: Provider, server: Server) => Promise<ListedModel[] | undefined>;
};

export type ModelChoice = {
  provider: Provider;
  server: Server;
  /** If absent, the first model that the server lists is used. */
  model?: string | undefined;
  /** Why this model was chosen: "it is named", "ANTHROPIC_API_KEY is set", "Ollama is running". */
  because: string;
};

type Choosing = { ok: true; choice: ModelChoice } | { ok: false; message: string };

/**
 * In this order: the named model, a provider that has its key, a usual local server; own servers before the catalog's.
 */
export async function chooseModel(wanted: DiscoveryOptions): Promise<Choosing> {
  const { named, env, providers = catalog } = wanted;
  if (named !== undefined) return chooseNamed(named, wanted);
  const paid = providers.find((provider) => provider.needsKey && missing(provider, env) === undefined);
  if (paid) {
    const because = `${keyOf(paid, env)?.from ?? "a key"} is set`;
    return { ok: true, choice: choiceOf({ provider: paid }, because, wanted) };
  }
  const running = await findLocal(wanted);
  return running ?? { ok: false, message: nothingFound };
}

/** The server of a provider, from its row and the environment. */
export function serverOf(provider: Provider, env: EnvironmentVariables, baseUrl?: string): Server {
  const { name, wire, keyNames, local, unreachableAdvice, adjust } = provider;
  const found = baseUrl ?? fromEnvironment(provider, env) ?? provider.baseUrl;
  const key = keyOf(provider, env);
  return {
    provider: name,
    wire,
    baseUrl: found.replace(/\/+$/, ""),
    key: key?.key,
    keyNames,
    keyFrom: key?.from,
    headers: provider.headers && headersOf(provider.headers, env),
    local,
    unreachableAdvice,
    adjust: adjust?.[wire],
  };
}

/** The models that a server offers, from the user's settings or else from the server itself. Throws ModelError. */
export async function listModels(
  provider: Provider,
  server: Server,
  options: DocumentWait = {},
): Promise<ListedModel[]> {
  if (provider.models) return provider.models.map((id) => ({ id }));
  return provider.list.read(await fetchJson(server, provider.list.path, options));
}

/** Whether the server takes its key. Throws ModelError. */
export async function tryServer(provider: Provider, server: Server, options: DocumentWait): Promise<void> {
  if (provider.keyPath === undefined) await listModels(provider, server, options);
  else await fetchJson(server, provider.keyPath, options);
}

/** Where the provider's key is from: a variable, "the configuration" or "toolwright login"; undefined without one. */
export const keyPlace = (provider: Provider, env: EnvironmentVariables): string | undefined =>
  keyOf(provider, env)?.place;

/** A provider that could be used now; `problem` says what a server that a person has set still lacks. */
export type UsableProvider = { provider: Provider; server: Server; problem?: string };

/** Providers that have a key or need none, and all servers whose address is set. For `toolwright models`. */
export const knownProviders = ({
  env,
  providers = catalog,
}: Pick<DiscoveryOptions, "providers" | "env">): UsableProvider[] =>
  providers.flatMap((provider): UsableProvider[] => {
    const known = { provider, server: serverOf(provider, env) };
    const problem = missing(provider, env);
    if (problem === undefined) return [known];
    const isSet = provider.isOwn === true || (!provider.needsKey && isAddressed(provider, env));
    return isSet ? [{ ...known, problem }] : [];
  });

/** Parses a model name. A problem concerns only the name itself, whether or not the provider can be reached. */
export const readModelName = (
  name: string,
  { env, providers = catalog }: Pick<DiscoveryOptions, "providers" | "env">,
): Expected<NamedModel> =>
  parseModelName(name, { providers, has: (provider) => keyOf(provider, env) !== undefined });

function chooseNamed(name: string, wanted: DiscoveryOptions): Choosing {
  const { env } = wanted;
  const parsed = readModelName(name, wanted);
  if (!parsed.ok) return { ok: false, message: parsed.problem };
  const { provider, baseUrl } = parsed.value;
  const message = missing(provider, env, baseUrl);
  if (message !== undefined) return { ok: false, message };
  return { ok: true, choice: choiceOf(parsed.value, "it is named", wanted) };
}

/** What a provider still needs before it can be used: one line that says where to set it. */
function missing(provider: Provider, env: EnvironmentVariables, baseUrl?: string): string | undefined {
  const server = serverOf(provider, env, baseUrl);
  const { title, baseUrlFrom, keyNames, needsKey } = provider;
  if (server.baseUrl === "")
    return `${title} needs a base URL: set ${baseUrlFrom ?? "its baseUrl in the configuration"}, or name the model as http://host:port/v1#model.`;
  const said = baseUrlFrom === undefined || baseUrl !== undefined ? undefined : env[baseUrlFrom]?.trim();
  if (said && !isHttp(server.baseUrl))
    return `${baseUrlFrom} leads nowhere (${JSON.stringify(said.slice(0, mostShown))} is no address): set it to host:port, or to a URL that starts with http:// or https://.`;
  if (needsKey && server.key === undefined)
    return `${title} needs a key: set ${keyNames.join(" or ") || "it in the configuration"}, hand one over with \`toolwright login ${provider.name}\`, or choose another model.`;
  const unset = unsetIn(provider.headers ?? {}, env);
  if (unset.length > 0)
    return `The headers of ${title} need ${unset.join(" and ")}: set it, or choose another model.`;
  return undefined;
}

const mostShown = 100;

const isHttp = (address: string): boolean =>
  URL.canParse(address) && /^https?:$/u.test(new URL(address).protocol);

function choiceOf(
  { provider, model, baseUrl }: NamedModel,
  because: string,
  { env }: DiscoveryOptions,
): ModelChoice {
  return {
    provider,
    server: serverOf(provider, env, baseUrl),
    model: model ?? provider.defaultModel,
    because,
  };
}

/** The first in the catalog's order wins. */
async function findLocal(wanted: DiscoveryOptions): Promise<Choosing | undefined> {
  const running = (await askServers(wanted)).flatMap(({ provider, models }) =>
    models === undefined ? [] : [{ provider, models }],
  );
  for (const { provider, models } of running) {
    const model = firstChat(models);
    if (!model) continue;
    const choice = choiceOf({ provider }, `${provider.title} is running`, wanted);
    return { ok: true, choice: { ...choice, model: model.id } };
  }
  const [empty] = running;
  if (!empty) return undefined;
  return {
    ok: false,
    message: `${empty.provider.title} is running, but has no model: load one (for example \`ollama pull qwen3:8b\`), or choose another.`,
  };
}

const isAddressed = (provider: Provider, env: EnvironmentVariables): boolean =>
  provider.isOwn === true || fromEnvironment(provider, env) !== undefined;

/**
 * A server that a person has set and that cannot be used: which setting leads where, and why it does not help, in one
 * line. Undefined for a server that nobody has set, or that answers.
 */
export function settingProblem(
  { provider, server: { baseUrl }, problem }: UsableProvider,
  env: EnvironmentVariables,
): string | undefined {
  if (problem === undefined || provider.needsKey || !isAddressed(provider, env)) return undefined;
  const variable = fromEnvironment(provider, env) === undefined ? undefined : provider.baseUrlFrom;
  const set = variable === undefined ? `${provider.name} is configured` : `${variable} is set`;
  return `${set}${isHttp(baseUrl) ? ` (${plainAddress(baseUrl)})` : ""}, but cannot be used: ${problem}`;
}

/** Without a name and password, which may be secret. */
function plainAddress(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname}`.slice(0, mostShown);
}

/** A model server that was asked: its models, or why it cannot be used. */
type ServerAnswer = UsableProvider & { models?: readonly ListedModel[] };

/**
 * Asks all usual ones at once, so that the search takes as long as the slowest. `addressed`: also those whose address a
 * person has set.
 */
export async function askServers({
  env,
  providers = catalog,
  probe = quickList,
  addressed = false,
}: DiscoveryOptions & { addressed?: boolean }): Promise<ServerAnswer[]> {
  const isMeant = (provider: Provider): boolean =>
    provider.isUsual === true || (addressed && !provider.needsKey && isAddressed(provider, env));
  return Promise.all(
    providers.filter(isMeant).map(async (provider): Promise<ServerAnswer> => {
      const server = serverOf(provider, env);
      const problem = missing(provider, env);
      if (problem !== undefined) return { provider, server, problem };
      try {
        const models = await probe(provider, server);
        return { provider, server, models };
      } catch (error) {
        const words = error instanceof ModelError ? error.inFull : errorMessage(error);
        return { provider, server, problem: words };
      }
    }),
  );
}

export const firstChat = (models: readonly ListedModel[]): ListedModel | undefined => models.find(isChat);

/** Not for embeddings: servers list such models among the others. */
export const isChat = ({ id }: ListedModel): boolean => !/embed/i.test(id);

/** Search for a model server on this machine, and wait for one that may be anywhere, in milliseconds. */
const quickMs = 300;
const anywhereMs = 3_000;

const quickList = (provider: Provider, server: Server): Promise<ListedModel[]> =>
  listModels(provider, server, { withinMs: provider.isUsual === true ? quickMs : anywhereMs });

const nothingFound =
  'No model found: set a key (for example ANTHROPIC_API_KEY or OPENAI_API_KEY) or paste one at `toolwright login`, start Ollama with `ollama serve`, name one with the option "model", or run `toolwright demo` to see how it works without a model.';

/** `from`: where it is from, in words for a sentence. */
type KeyFound = { key: string; place: string; from: string };

/** What is configured, then what is set for this run, then what was handed over. */
function keyOf(provider: Provider, env: EnvironmentVariables): KeyFound | undefined {
  const { name, key: configured = "", keptKey: kept = "" } = provider;
  const found: KeyFound[] = [
    { key: configured, place: "the configuration", from: `the key of ${name} in the configuration` },
    ...provider.keyNames.map((variable) => ({ key: env[variable] ?? "", place: variable, from: variable })),
    { key: kept, place: "toolwright login", from: `the key of ${name} from toolwright login` },
  ];
  const first = found.find(({ key }) => key.trim() !== "");
  return first && { ...first, key: first.key.trim() };
}

/**
 * Accepts "host:port", as Ollama writes its own address, or a whole URL. An address to listen on all interfaces means
 * this computer.
 */
function fromEnvironment(provider: Provider, env: EnvironmentVariables): string | undefined {
  const text = provider.baseUrlFrom === undefined ? undefined : env[provider.baseUrlFrom]?.trim();
  if (!text) return undefined;
  const local = text
    .replace(/^((?:https?:\/\/)?)(0\.0\.0\.0|\[::\])(?=[:/]|$)/, "$1127.0.0.1")
    .replace(/^:/, "127.0.0.1:");
  if (/^https?:\/\//i.test(local)) return local;
  const port = provider.baseUrl === "" ? "" : `:${new URL(provider.baseUrl).port}`;
  return `http://${/:\d+(\/|$)/.test(local) ? local : local + port}`;
}
