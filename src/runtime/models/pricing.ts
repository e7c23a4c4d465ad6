/** The cost of answers under these settings: the user's prices, free local models, and the price table. */

import type { EnvironmentVariables } from "../../base/environment-variables.ts";
import type { Config } from "../../configuration/config.ts";
import type { Usage } from "../../protocol/model-events.ts";
import { serverOf } from "../../providers/discover.ts";
import { parseModelName } from "../../providers/model-name.ts";
import { offlineModel } from "../../providers/offline.ts";
import { costOf, free, type OwnPrices } from "../../providers/prices.ts";
import { providersWith } from "../../providers/settings.ts";

/** US dollars; undefined if the price is unknown. */
export type Pricing = (
  asked: string,
  answered: { by: string; usage: Usage | undefined; at: number },
) => number | undefined;

export function pricingFor(
  settings: Pick<Config, "providers" | "prices" | "model">,
  env: EnvironmentVariables,
): Pricing {
  const isFree = freeModels(settings, env);
  return (asked, { by, usage, at }) => {
    if (!usage) return isFree(asked) ? 0 : undefined;
    const own: OwnPrices = isFree(asked) ? { "*": free, ...settings.prices } : settings.prices;
    return costOf({ asked, answeredBy: by, usage, at }, own);
  };
}

/** Models served from this machine or its own network; models merely proxied from there are not free. */
function freeModels(
  { providers: own, model }: Pick<Config, "providers" | "model">,
  env: EnvironmentVariables,
): (asked: string) => boolean {
  const providers = providersWith(own);
  const named = model === undefined ? undefined : parseModelName(model, { providers });
  const url = named?.ok ? named.value : undefined;
  const offline = offlineModel().name;
  return (asked) => {
    if (asked === offline) return true;
    const name = asked.slice(0, asked.indexOf("/"));
    const provider = providers.find((row) => row.name === name);
    if (!provider?.local || /[:-]cloud$/u.test(asked)) return false;
    const baseUrl = url?.provider.name === name ? url.baseUrl : undefined;
    return isNear(serverOf(provider, env, baseUrl).baseUrl);
  };
}

/** An address of this machine or of a private network (RFC 1918, RFC 4193), or a name without a dot. */
function isNear(baseUrl: string): boolean {
  if (!URL.canParse(baseUrl)) return false;
  const host = new URL(baseUrl).hostname.toLowerCase();
  return (
    !/[.:]/u.test(host) ||
    /\.(?:local|localhost|lan|internal|home\.arpa)$/u.test(host) ||
    /^(?:127|10)\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^0\.0\.0\.0$/u.test(host) ||
    /^\[(?:::1|f[cd][0-9a-f]{2}:|fe80:)/u.test(host)
  );
}
