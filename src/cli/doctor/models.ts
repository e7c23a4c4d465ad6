/** Doctor's checks of models: which are within reach, what the chosen one can do, and how it writes calls. */

import type { Expected } from "../../base/expected.ts";
import type { ModelRecord } from "../../protocol/dialect-record.ts";
import { openChosenModel } from "../../runtime/models/models.ts";
import { type Model, modelsWithinReach, type ProviderReach } from "../../runtime/runtime.ts";
import { type CliContext } from "../cli-context.ts";
import { hasModel, missingModel, unlistedWarning } from "../model-table.ts";
import type { DoctorFinding } from "./finding.ts";

export async function models(context: CliContext): Promise<DoctorFinding[]> {
  const { settings, terminal } = context;
  const looking = modelsWithinReach(settings, terminal.env);
  const missing = await missingModel(context);
  const chosen = missing === undefined ? await openChosen(context) : undefined;
  const named = chosen?.ok ? chosen.value.name : settings.model;
  const reach = await looking;
  return [
    ...modelFindings(reach, missing, named?.split("/")[0]),
    ...(chosen ? [chosenModel(chosen)] : notChosen(missing, reach)),
    ...(chosen?.ok ? unlistedFindings(chosen.value.name, reach) : []),
  ];
}

/** There are models, and yet a session would begin with none: its server is not asked unless it is named. */
const notChosen = (missing: string | undefined, reach: readonly ProviderReach[]): DoctorFinding[] =>
  missing === undefined || !hasModel(reach) ? [] : [{ check: "model", state: "warn", words: missing }];

/**
 * One line for the models found and one for each provider that could not be used. `chosen`: the provider of the
 * session's model.
 */
export function modelFindings(
  reach: readonly ProviderReach[],
  missing: string | undefined,
  chosen?: string,
): DoctorFinding[] {
  const found = reach.reduce((sum, { models: listed }) => sum + listed.length, 0);
  const names = reach.flatMap(({ provider, models: listed, key }) =>
    listed.length === 0 ? [] : [key === undefined ? provider : `${provider} with the key of ${key}`],
  );
  const summary: DoctorFinding = hasModel(reach)
    ? { check: "models", state: "ok", words: `${found} within reach (${names.join(", ")})` }
    : {
        check: "models",
        state: "warn",
        words: missing ?? "the configured one lists no models: `toolwright models` says why",
      };
  const others = reach.flatMap((one) => outOfReach(one, chosen));
  return [summary, ...others];
}

/** Some servers list no models and still answer, but not one that rejects the key or is unreachable. */
function outOfReach(
  { provider, models: listed, problem, kind }: ProviderReach,
  chosen: string | undefined,
): DoctorFinding[] {
  if (problem === undefined) return [];
  const isChosen = provider.toLowerCase() === chosen?.toLowerCase();
  const isUsed = isChosen || listed.length > 0;
  if (!isUsed)
    return [
      {
        check: provider,
        state: "ok",
        words: kind === "network" ? "not in use: no server is running there" : `not in use: ${problem}`,
      },
    ];
  const isBlocked = isChosen && (kind === "auth" || kind === "network" || kind === "timeout");
  return [{ check: provider, state: isBlocked ? "fail" : "warn", words: problem }];
}

/** The model that a session would use. Asks its server for capabilities only; sends no prompt. */
const openChosen = async ({ settings, terminal, model }: CliContext): Promise<Expected<Model>> =>
  model ? { ok: true, value: model } : openChosenModel(settings, terminal.env);

function chosenModel(opened: Expected<Model>): DoctorFinding {
  const check = "model";
  if (!opened.ok) return { check, state: "fail", words: opened.problem };
  const { name, contextTokens, notice, instead, sees } = opened.value;
  const window =
    contextTokens === undefined
      ? "its context window is unknown: a usual one is assumed; set it with --context-tokens"
      : `${contextTokens.toLocaleString("en")} tokens`;
  const words = [
    name,
    window,
    ...(sees === false ? ["it sees no pictures"] : []),
    ...(instead === undefined ? [] : [instead]),
    ...(notice ? [notice] : []),
  ].join("; ");
  if (contextTokens !== undefined && contextTokens < leastWindow) {
    const fix =
      "a window this small is full after a few files: let its server give it more, or choose another";
    return { check, state: "warn", words, fix };
  }
  const way = "`toolwright probe` measures which way of writing calls suits it best";
  return { check, state: "ok", words, ...(notice ? { fix: way } : {}) };
}

function unlistedFindings(name: string, reach: readonly ProviderReach[]): DoctorFinding[] {
  const words = unlistedWarning(name, reach);
  const fix = "choose one that `toolwright models` lists, unless you know that it takes this name";
  return words === undefined ? [] : [{ check: "model", state: "warn", words, fix }];
}

/** Our own instructions and tools fill much of a smaller window. */
const leastWindow = 8_192;

/** The best dialect of each measured model. */
export function dialectFinding(measuredModels: readonly ModelRecord[]): DoctorFinding {
  const told = measuredModels.map(({ model, dialects }) => {
    const measured = dialects.flatMap((one) => one.measured ?? []);
    const best = measured.toSorted((one, other) => other.right / other.tasks - one.right / one.tasks)[0];
    const { right = 0, tasks = 0 } = best ?? {};
    return `${model} (${right > 0 ? `best: ${best?.dialect ?? ""}` : "no way worked"}, ${right}/${tasks} tasks)`;
  });
  const words =
    told.length > 0 ? `measured: ${told.join(", ")}` : "no model was measured: see `toolwright probe MODEL`";
  return { check: "dialects", state: "ok", words };
}
