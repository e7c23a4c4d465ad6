/** Reads what a person writes to name a model: "provider/model", a bare name, or the URL of a server. */
import type { Parsed } from "../base/json.ts";
import { anyServer, catalog, type Provider } from "./catalog.ts";

/** Without `model`: the provider's default, or the first that its server lists. */
export type NamedModel = { provider: Provider; model?: string; baseUrl?: string };

/** `has` tells whether a provider is configured; a name that could mean several goes to one that is. */
export function parseModelName(
  text: string,
  has: (provider: Provider) => boolean = () => false,
): Parsed<NamedModel> {
  const name = text.trim();
  if (name === "") return problem("The model's name is empty.");
  if (/^https?:\/\//i.test(name)) return fromUrl(name);
  const slash = name.indexOf("/");
  const provider = providerNamed(slash === -1 ? name : name.slice(0, slash));
  if (provider) return named(provider, slash === -1 ? "" : name.slice(slash + 1));
  if (slash !== -1) return fromVendor(name, has);
  const able = catalog.filter(({ modelNames }) => modelNames?.test(name));
  const chosen = able.find(has) ?? able[0];
  if (chosen) return { ok: true, value: { provider: chosen, model: name } };
  return problem(`It is not clear who serves the model ${JSON.stringify(name)}.`);
}

export const providerNamed = (name: string): Provider | undefined =>
  catalog.find((provider) => provider.name === name.toLowerCase());

function named(provider: Provider, model: string): Parsed<NamedModel> {
  return { ok: true, value: model === "" ? { provider } : { provider, model } };
}

/** "http://host:port/v1#model": the part after # names the model; without a path it is "/v1". */
function fromUrl(text: string): Parsed<NamedModel> {
  const provider = providerNamed(anyServer);
  if (!provider || !URL.canParse(text)) return problem(`${JSON.stringify(text)} is not a URL.`);
  const url = new URL(text);
  const model = decodeURIComponent(url.hash.slice(1));
  url.hash = "";
  if (url.pathname === "/") url.pathname = "/v1";
  const baseUrl = url.href.replace(/\/+$/, "");
  return { ok: true, value: model === "" ? { provider, baseUrl } : { provider, baseUrl, model } };
}

/** "vendor/model" as brokers of many vendors' models name them. */
function fromVendor(name: string, has: (provider: Provider) => boolean): Parsed<NamedModel> {
  const broker = catalog.find((provider) => provider.isBroker === true && has(provider));
  if (broker) return { ok: true, value: { provider: broker, model: name } };
  return problem(`There is no provider named ${JSON.stringify(name.slice(0, name.indexOf("/")))}.`);
}

const problem = (what: string): { ok: false; problem: string } => ({
  ok: false,
  problem: `${what} Write provider/model, with one of: ${catalog.map(({ name }) => name).join(", ")}.`,
});
