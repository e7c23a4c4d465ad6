/** The providers that could be used at once: those with a key, and the model servers that run on this computer. */

import type { EnvironmentVariables } from "../../base/environment-variables.ts";
import type { Config } from "../../configuration/config.ts";
import { isChat, keyPlace, knownProviders, runningServers } from "../../providers/discover.ts";
import { providersFor } from "./models.ts";

export type ProviderAtHand = {
  /** As in the name of a model. */
  name: string;
  title: string;
  /** Where its key is from, in a few words. */
  keyFrom?: string;
  /** The chat models of a server that runs here; absent for one with a key, which is not asked. */
  models?: readonly string[];
};

/** A single key is enough: whoever set it means it, and no server is looked for. */
export async function providersAtHand(
  settings: Pick<Config, "providers" | "stateDir">,
  env: EnvironmentVariables,
): Promise<ProviderAtHand[]> {
  const providers = providersFor(settings);
  const paid = knownProviders({ env, providers }).flatMap(({ provider, problem }): ProviderAtHand[] => {
    const place = provider.needsKey && problem === undefined ? keyPlace(provider, env) : undefined;
    const { name, title } = provider;
    return place === undefined ? [] : [{ name, title, keyFrom: `key from ${place}` }];
  });
  if (paid.length === 1) return paid;
  const running = await runningServers({ env, providers });
  return [
    ...running.map(({ provider: { name, title }, models }) => ({
      name,
      title,
      models: models.filter(isChat).map(({ id }) => id),
    })),
    ...paid,
  ];
}
