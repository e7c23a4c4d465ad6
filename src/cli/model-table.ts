/** Formats the models within reach, and advice if there are none. */

import { visibleLine } from "../base/visible-text.ts";
import { inFlags } from "../configuration/options/flag-words.ts";
import { didYouMean } from "../configuration/options/nearest.ts";
import { findModel, type ProviderReach } from "../runtime/runtime.ts";
import type { Style } from "../view/plain.ts";
import { type CliContext } from "./cli-context.ts";

export const hasModel = (reach: readonly ProviderReach[]): boolean =>
  reach.some(({ models }) => models.length > 0);

/** If no model was configured and none found: what to do, on one line. `undefined` when there is a model. */
export async function missingModel({ settings, terminal, model }: CliContext): Promise<string | undefined> {
  if (settings.model !== undefined || settings.offlineModel || model !== undefined) return undefined;
  const found = await findModel(settings, terminal.env);
  return found.ok ? undefined : inFlags(found.problem);
}

/**
 * Warns if a server lists models but not this one: most likely it lacks it, though only a request would tell. A name
 * without its date or tag matches a listed one.
 */
export function unlistedWarning(name: string, reach: readonly ProviderReach[]): string | undefined {
  const provider = name.split("/")[0] ?? "";
  const model = name.slice(provider.length + 1);
  const listed = reach.find((one) => one.provider === provider)?.models ?? [];
  if (listed.length === 0 || listed.some((one) => one.startsWith(model))) return undefined;
  return `${provider} lists no model ${JSON.stringify(model)}${didYouMean(model, listed)}`;
}

export function modelLines(reach: readonly ProviderReach[], style: Style): string[] {
  const within = reach.filter(({ models }) => models.length > 0);
  const without = reach.filter(({ models }) => models.length === 0);
  const width = Math.max(0, ...without.map(({ provider }) => provider.length));
  return [
    ...within.flatMap((provider) => providerLines(provider, style)),
    ...(without.length === 0 ? [] : [style.dim("Out of reach:")]),
    ...without.map(({ provider, problem }) =>
      style.dim(`  ${provider.padEnd(width)}  ${visibleLine(problem ?? "it lists no models")}`),
    ),
  ];
}

/** Where a key would be looked for. */
export function keyLines(
  takers: readonly { name: string; needsKey: boolean; keyNames: readonly string[] }[],
  style: Style,
): string[] {
  const wanting = takers.filter(({ needsKey, keyNames }) => needsKey && keyNames.length > 0);
  const width = Math.max(0, ...wanting.map(({ name }) => name.length));
  return [
    style.dim("A key was looked for in these variables; `toolwright login` keeps one:"),
    ...wanting.map(({ name, keyNames }) => style.dim(`  ${name.padEnd(width)}  ${keyNames.join(", ")}`)),
  ];
}

function providerLines({ provider, models, key, problem }: ProviderReach, style: Style): string[] {
  return [
    style.bold(provider) +
      (key === undefined ? "" : style.dim(`  (key: ${key})`)) +
      (problem === undefined ? "" : style.yellow(`  (${visibleLine(problem)})`)),
    ...models.map(
      (model) => `  ${visibleLine(model.startsWith(`${provider}/`) ? model : `${provider}/${model}`)}`,
    ),
  ];
}
