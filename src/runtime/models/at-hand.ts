/** What could be used at once: providers with a key, model servers that run on this computer or whose address is set. */

import type { EnvironmentVariables } from "../../base/environment-variables.ts";
import type { Config } from "../../configuration/config.ts";
import {
  askServers,
  isChat,
  keyPlace,
  knownProviders,
  listModels,
  settingProblem,
} from "../../providers/discover.ts";
import { findModel, providersFor } from "./models.ts";

export type ProviderAtHand = {
  /** As in the name of a model. */
  name: string;
  title: string;
  /** Where its key is from, in a few words. */
  keyFrom?: string;
  /** The chat models of a server that answers; absent for one with a key, which is not asked. */
  models?: readonly string[];
};

/** `problems`: of the servers that a person has set and that cannot be used, one line each. */
export type ModelSearch = { found: ProviderAtHand[]; problems: string[] };

/** A single key is enough: whoever set it means it, and no server is looked for. */
export async function providersAtHand(
  settings: Pick<Config, "providers" | "stateDir">,
  env: EnvironmentVariables,
): Promise<ModelSearch> {
  const providers = providersFor(settings);
  const paid = knownProviders({ env, providers }).flatMap(({ provider, problem }): ProviderAtHand[] => {
    const place = provider.needsKey && problem === undefined ? keyPlace(provider, env) : undefined;
    const { name, title } = provider;
    return place === undefined ? [] : [{ name, title, keyFrom: `key from ${place}` }];
  });
  if (paid.length === 1) return { found: paid, problems: [] };
  const servers = await askServers({ env, providers, addressed: true });
  const running = servers.flatMap(({ provider: { name, title }, models }): ProviderAtHand[] =>
    models === undefined ? [] : [{ name, title, models: models.filter(isChat).map(({ id }) => id) }],
  );
  return {
    found: [...running, ...paid],
    problems: servers.flatMap((server) => settingProblem(server, env) ?? []),
  };
}

/** Whether a model that was used before could be used at once: its key is set, or its server answers and has it. */
export async function isAtHand(model: string, settings: Config, env: EnvironmentVariables): Promise<boolean> {
  const found = await findModel({ ...settings, model }, env);
  if (!found.ok) return false;
  const { provider, server, model: id = "" } = found.value;
  if (provider.needsKey) return true;
  const listed = await listModels(provider, server, { withinMs: answerMs }).catch(() => []);
  // Ollama adds ":latest" to a name without a tag.
  return listed.some((each) => each.id === id || each.id.startsWith(`${id}:`));
}

const answerMs = 1_000;
