/** Parses the name of a model as people write it: "provider/model", a bare name, or the URL of a server. */

import { type Expected, refuse } from "../base/expected.ts";
import { anyServer, catalog, type Provider } from "./catalog.ts";

/** Without `model`: the provider's default, or the first model that its server lists. */
export type NamedModel = { provider: Provider; model?: string; baseUrl?: string };

type NameOptions = {
  /** The available providers; the catalog by default. */
  providers?: readonly Provider[];
  /** Whether a provider is configured; an ambiguous name goes to one that is. */
  has?: (provider: Provider) => boolean;
};

export function parseModelName(text: string, options: NameOptions = {}): Expected<NamedModel> {
  const { providers = catalog, has = () => false } = options;
  const name = text.trim();
  if (name === "") return problem("The model's name is empty.", providers);
  if (/^https?:\/\//i.test(name)) return fromUrl(name, providers);
  const slash = name.indexOf("/");
  const provider = providerNamed(slash === -1 ? name : name.slice(0, slash), providers);
  if (provider) return namedModel(provider, slash === -1 ? "" : name.slice(slash + 1));
  if (slash !== -1) return fromVendor(name, { providers, has });
  const able = providers.filter(
    ({ models, modelNames }) => models?.includes(name) === true || modelNames?.test(name) === true,
  );
  const chosen = able.find(has) ?? able[0];
  if (chosen) return { ok: true, value: { provider: chosen, model: name } };
  return problem(`It is not clear who serves the model ${JSON.stringify(name)}.`, providers);
}

export const providerNamed = (name: string, providers: readonly Provider[] = catalog): Provider | undefined =>
  providers.find((provider) => provider.name.toLowerCase() === name.toLowerCase());

function namedModel(provider: Provider, model: string): Expected<NamedModel> {
  return { ok: true, value: model === "" ? { provider } : { provider, model } };
}

/** "http://host:port/v1#model": the fragment names the model; a missing path means "/v1". */
function fromUrl(text: string, providers: readonly Provider[]): Expected<NamedModel> {
  const provider = providerNamed(anyServer, providers);
  if (!provider || !URL.canParse(text)) return problem(`${JSON.stringify(text)} is not a URL.`, providers);
  const url = new URL(text);
  const model = decodeURIComponent(url.hash.slice(1));
  url.hash = "";
  if (url.pathname === "/") url.pathname = "/v1";
  const baseUrl = url.href.replace(/\/+$/, "");
  return { ok: true, value: model === "" ? { provider, baseUrl } : { provider, baseUrl, model } };
}

/** "vendor/model", as brokers of many vendors' models write it. */
function fromVendor(name: string, { providers, has }: Required<NameOptions>): Expected<NamedModel> {
  const broker = providers.find((provider) => provider.isBroker === true && has(provider));
  if (broker) return { ok: true, value: { provider: broker, model: name } };
  return problem(
    `There is no provider named ${JSON.stringify(name.slice(0, name.indexOf("/")))}.`,
    providers,
  );
}

const problem = (what: string, providers: readonly Provider[]): Expected<never> =>
  refuse(`${what} Write provider/model, with one of: ${providers.map(({ name }) => name).join(", ")}.`);
