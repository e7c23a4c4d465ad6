/** Finds out which model to use: told, configured, paid for, or running on this computer. Says what to do if none. */
import { catalog, type Provider } from "./catalog.ts";
import type { ListedModel } from "./capabilities.ts";
import { parseModelName, type NamedModel } from "./model-name.ts";
import { fetchJson, type Server } from "./server.ts";

/** The part of the configuration that speaks of models. Base URLs have the version prefix that the wire expects. */
export type ModelConfig = {
  model?: string | undefined;
  providers?:
    | Readonly<Record<string, { baseUrl?: string | undefined; key?: string | undefined }>>
    | undefined;
};

export type Environment = Readonly<Record<string, string | undefined>>;

export type Wanted = {
  /** What `--model` says. */
  explicit?: string | undefined;
  config?: ModelConfig | undefined;
  env: Environment;
  /** Lists a local server's models, or undefined when nothing answers there quickly. */
  probe?: (provider: Provider, server: Server) => Promise<ListedModel[] | undefined>;
};

export type Choice = {
  provider: Provider;
  server: Server;
  /** Without it: the first model that the server lists. */
  model?: string | undefined;
  /** Why this one, for `toolwright doctor`: "--model", "the configuration", "ANTHROPIC_API_KEY is set", … */
  because: string;
};

export type Choosing = { ok: true; choice: Choice } | { ok: false; message: string };

/** The order: `--model`, the configuration, a key in the environment (as the catalog goes), a usual local server. */
export async function chooseModel(wanted: Wanted): Promise<Choosing> {
  const { explicit, config } = wanted;
  if (explicit !== undefined) return chooseNamed(explicit, "--model", wanted);
  if (config?.model !== undefined) return chooseNamed(config.model, "the configuration", wanted);
  const paid = catalog.find((provider) => !provider.local && hasKey(provider, wanted));
  if (paid) {
    const because = keyOf(paid, wanted)?.from ?? "a key";
    return { ok: true, choice: choiceOf({ provider: paid }, `${because} is set`, wanted) };
  }
  const running = await findLocal(wanted);
  return running ?? { ok: false, message: nothingFound };
}

/** Where a provider is and how it is spoken to, from the configuration and the environment. */
export function serverOf(
  provider: Provider,
  wanted: Pick<Wanted, "config" | "env">,
  baseUrl?: string,
): Server {
  const { name, wire, keyNames, local, ifSilent, adjust } = provider;
  const found =
    baseUrl ??
    settings(provider, wanted).baseUrl ??
    fromEnvironment(provider, wanted.env) ??
    provider.baseUrl;
  return {
    provider: name,
    wire,
    baseUrl: found.replace(/\/+$/, ""),
    key: keyOf(provider, wanted)?.key,
    keyNames,
    local,
    ifSilent,
    adjust,
  };
}

/** The models that a server offers, as it lists them. Throws ModelError. */
export async function listModels(
  provider: Provider,
  server: Server,
  options: { signal?: AbortSignal; connectMs?: number } = {},
): Promise<ListedModel[]> {
  return provider.list.read(await fetchJson(server, provider.list.path, options));
}

/** Every provider that could be asked now: with a key, or configured, or local. For `toolwright models`. */
export const knownProviders = (
  wanted: Pick<Wanted, "config" | "env">,
): { provider: Provider; server: Server }[] =>
  catalog
    .map((provider) => ({ provider, server: serverOf(provider, wanted) }))
    .filter(({ provider, server }) => server.baseUrl !== "" && (provider.local || hasKey(provider, wanted)));

function chooseNamed(name: string, because: string, wanted: Wanted): Choosing {
  const parsed = parseModelName(name, (provider) => hasKey(provider, wanted));
  if (!parsed.ok) return { ok: false, message: parsed.problem };
  const choice = choiceOf(parsed.value, because, wanted);
  const { provider, server } = choice;
  if (server.baseUrl === "")
    return {
      ok: false,
      message: `${provider.title} needs a base URL: set ${provider.baseUrlFrom ?? "it in the configuration"}, or name the model as http://host:port/v1#model.`,
    };
  if (!provider.local && server.key === undefined)
    return {
      ok: false,
      message: `${provider.title} needs a key: set ${provider.keyNames.join(" or ")}, or choose another model with --model.`,
    };
  return { ok: true, choice };
}

function choiceOf({ provider, model, baseUrl }: NamedModel, because: string, wanted: Wanted): Choice {
  return {
    provider,
    server: serverOf(provider, wanted, baseUrl),
    model: model ?? provider.defaultModel,
    because,
  };
}

/** All at once, so that looking costs what the slowest costs; the first in the catalog's order wins. */
async function findLocal(wanted: Wanted): Promise<Choosing | undefined> {
  const probe = wanted.probe ?? quickList;
  const usual = catalog.filter(({ isUsual }) => isUsual === true);
  const answers = await Promise.all(
    usual.map(async (provider) => {
      const choice = choiceOf({ provider }, `${provider.title} is running`, wanted);
      return { choice, models: await probe(provider, choice.server) };
    }),
  );
  const running = answers.filter(({ models }) => models !== undefined);
  for (const { choice, models } of running) {
    const model = firstChat(models ?? []);
    if (model) return { ok: true, choice: { ...choice, model: model.id } };
  }
  const [empty] = running;
  if (!empty) return undefined;
  return {
    ok: false,
    message: `${empty.choice.provider.title} is running, but has no model: load one (for example \`ollama pull qwen3:8b\`), or choose another with --model.`,
  };
}

/** Servers list models for embeddings among the others. */
export const firstChat = (models: readonly ListedModel[]): ListedModel | undefined =>
  models.find(({ id }) => !/embed/i.test(id));

const quickMs = 300;

async function quickList(provider: Provider, server: Server): Promise<ListedModel[] | undefined> {
  try {
    return await listModels(provider, server, { connectMs: quickMs, signal: AbortSignal.timeout(quickMs) });
  } catch {
    // Nothing there, too slow, or something else on that port: all the same here.
    return undefined;
  }
}

const nothingFound =
  "No model found: set a key (for example ANTHROPIC_API_KEY or OPENAI_API_KEY), start Ollama with `ollama serve`, name one with --model, or run `toolwright demo` to see how it works without a model.";

const settings = ({ name }: Provider, { config }: Pick<Wanted, "config">) => config?.providers?.[name] ?? {};

function keyOf(
  provider: Provider,
  wanted: Pick<Wanted, "config" | "env">,
): { key: string; from: string } | undefined {
  const configured = settings(provider, wanted).key?.trim();
  if (configured) return { key: configured, from: `a key for ${provider.name} in the configuration` };
  for (const name of provider.keyNames) {
    const key = wanted.env[name]?.trim();
    if (key) return { key, from: name };
  }
  return undefined;
}

const hasKey = (provider: Provider, wanted: Pick<Wanted, "config" | "env">): boolean =>
  keyOf(provider, wanted) !== undefined;

/** "host:port" as Ollama writes its own address, or a whole URL. An address to listen on everywhere is this computer. */
function fromEnvironment(provider: Provider, env: Environment): string | undefined {
  const text = provider.baseUrlFrom === undefined ? undefined : env[provider.baseUrlFrom]?.trim();
  if (!text) return undefined;
  const local = text
    .replace(/^((?:https?:\/\/)?)(0\.0\.0\.0|\[::\])(?=[:/]|$)/, "$1127.0.0.1")
    .replace(/^:/, "127.0.0.1:");
  if (/^https?:\/\//i.test(local)) return local;
  const port = provider.baseUrl === "" ? "" : `:${new URL(provider.baseUrl).port}`;
  return `http://${/:\d+(\/|$)/.test(local) ? local : local + port}`;
}
