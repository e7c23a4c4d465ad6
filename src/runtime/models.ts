/** Which model a run uses, and which ones could be used: the settings, translated for the providers. */
import type { Parsed } from "../base/json.ts";
import type { ReasoningEffort } from "../protocol/messages.ts";
import { ModelError } from "../protocol/model-events.ts";
import { chooseModel, knownProviders, listModels, type Choice, type ModelConfig } from "../providers/discover.ts";
import { offlineModel } from "../providers/offline.ts";
import { openModel } from "../providers/open-model.ts";
import type { Model } from "../providers/provider.ts";
import type { Config } from "./config.ts";

export type Env = Readonly<Record<string, string | undefined>>;
export type { Model } from "../providers/provider.ts";

/** A provider that could be asked: its models, or why they cannot be listed, in one line. */
export type Reach = { provider: string; models: string[]; problem?: string };

/** How long a list may take: a local server answers at once or is not there. */
const listMs = { local: 1_000, hosted: 5_000 } as const;

/** Finds the model without opening it; the problem says what to do. */
export async function findModel(settings: Config, env: Env): Promise<Parsed<Choice>> {
  const chosen = await chooseModel({ explicit: settings.model, config: modelConfig(settings, env), env });
  return chosen.ok ? { ok: true, value: chosen.choice } : { ok: false, problem: chosen.message };
}

/** Finds the model and opens it, asking its server what it can do. */
export async function openChosenModel(settings: Config, env: Env): Promise<Parsed<Model>> {
  if (settings.offlineModel) return { ok: true, value: offlineModel() };
  const found = await findModel(settings, env);
  if (!found.ok) return found;
  const options: { contextTokens?: number; dialect?: string; reasoning?: ReasoningEffort } = {};
  if (settings.contextTokens !== undefined) options.contextTokens = settings.contextTokens;
  if (settings.dialect !== "auto" && settings.dialect !== "native") options.dialect = settings.dialect;
  try {
    return { ok: true, value: await openModel(found.value, options) };
  } catch (error) {
    if (error instanceof ModelError) return { ok: false, problem: error.message };
    throw error;
  }
}

/** Asks every provider that is configured, has a key or would run here for its models, all at once. */
export async function modelsWithinReach(settings: Config, env: Env): Promise<Reach[]> {
  const known = knownProviders({ config: modelConfig(settings, env), env });
  return Promise.all(
    known.map(async ({ provider, server }): Promise<Reach> => {
      const ms = provider.local ? listMs.local : listMs.hosted;
      try {
        const models = await listModels(provider, server, { connectMs: ms, signal: AbortSignal.timeout(ms) });
        return { provider: provider.name, models: models.map((model) => model.id) };
      } catch (error) {
        const problem = error instanceof ModelError ? error.message : `It did not answer within ${ms / 1000} s.`;
        return { provider: provider.name, models: [], problem };
      }
    }),
  );
}

function modelConfig(settings: Config, env: Env): ModelConfig {
  const providers = Object.entries(settings.providers).map(([name, { baseUrl, key, keyVariable }]) => {
    const found = key ?? (keyVariable === undefined ? undefined : env[keyVariable]);
    return [name, { baseUrl, key: found }] as const;
  });
  return { providers: Object.fromEntries(providers) };
}
