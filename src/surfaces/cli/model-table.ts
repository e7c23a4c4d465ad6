/** The models within reach as lines, and what to say when there are none. */
import { findModel, type Reach } from "../../runtime/runtime.ts";
import type { Style } from "../view/plain.ts";
import { visibleLine } from "../view/visible.ts";
import type { CliRoom } from "./room.ts";

export const hasModel = (reach: readonly Reach[]): boolean => reach.some(({ models }) => models.length > 0);

/** Nothing was found where nothing was named: what to do, on one line. `undefined` when there is a model. */
export async function missingModel({ settings, terminal, model }: CliRoom): Promise<string | undefined> {
  if (settings.model !== undefined || settings.offlineModel || model !== undefined) return undefined;
  const found = await findModel(settings, terminal.env);
  return found.ok ? undefined : found.problem;
}

export function modelLines(reach: readonly Reach[], style: Style): string[] {
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

function providerLines({ provider, models, problem }: Reach, style: Style): string[] {
  return [
    style.bold(provider) + (problem === undefined ? "" : style.yellow(`  (${visibleLine(problem)})`)),
    ...models.map(
      (model) => `  ${visibleLine(model.startsWith(`${provider}/`) ? model : `${provider}/${model}`)}`,
    ),
  ];
}
