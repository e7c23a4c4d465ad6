/** The available models as a list to choose from. */

import type { Models } from "../contract.ts";

type ModelChoices = { groups: { provider: string; models: string[] }[]; problems: string[] };

/** Always includes the session's own model; a model's name without a provider is given its provider's prefix. */
export function modelChoices(models: Models | undefined, now: string): ModelChoices {
  const groups = (models?.providers ?? []).flatMap(({ provider, models: named }) =>
    named.length === 0
      ? []
      : [
          {
            provider,
            models: named.map((name) => (name.startsWith(`${provider}/`) ? name : `${provider}/${name}`)),
          },
        ],
  );
  const isListed = now === "" || groups.some((group) => group.models.includes(now));
  const own = isListed ? [] : [{ provider: "In use", models: [now] }];
  const problems = (models?.providers ?? []).flatMap(({ provider, problem }) =>
    problem === undefined ? [] : [`${provider}: ${problem}`],
  );
  return { groups: [...own, ...groups], problems };
}
