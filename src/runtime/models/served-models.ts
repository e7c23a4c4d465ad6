/** What the language-model server needs from the runtime: models opened by name, and prompt sizes. */

import { likelyTokens, estimateText, likelyOfTool } from "../../agent/context/estimate.ts";
import type { EnvironmentVariables } from "../../base/environment-variables.ts";
import type { Expected } from "../../base/expected.ts";
import type { Config } from "../../configuration/config.ts";
import type { LmServerSettings, ServedModelSettings } from "../../configuration/lm-server-settings.ts";
import type { Usage } from "../../protocol/model-events.ts";
import { offlineModel } from "../../providers/offline.ts";
import { openModel } from "../../providers/open-model.ts";
import type { Prompt } from "../../providers/provider.ts";
import type { Store } from "../../session/store.ts";
import { openStore } from "../runtime.ts";
import { findModel, memoryIn, openOptions, type Model } from "./models.ts";
import { pricingFor } from "./pricing.ts";

export type ServedModels = {
  /** The model for names missing from the settings' table. */
  fallback: string;
  names: Readonly<Record<string, ServedModelSettings>>;
  /** "provider/model", as for --model. Does not retry: clients do so themselves. Throws ModelError. */
  open(name: string, signal?: AbortSignal): Promise<Expected<Model>>;
  /** Tokens of a prompt, accurate within a few percent for prose and code. */
  count(prompt: Prompt): number;
  /** US dollars; undefined if the price is unknown. */
  price(model: string, answered: { by: string; usage: Usage; at: number }): number | undefined;
  close(): Promise<void>;
};

/** The problem is one line: no model at all, or no store for what is learnt about models. */
export async function serveModels(
  settings: Config,
  env: EnvironmentVariables,
): Promise<Expected<ServedModels>> {
  const options = openOptions(settings);
  if (!options.ok) return options;
  const fallback = await fallbackOf(settings, env);
  if (!fallback.ok) return fallback;
  const store = await openStore(settings);
  if (!store.ok) return store;
  const memory = memoryIn(Promise.resolve<Expected<Store>>(store));
  const offline = offlineModel();
  return {
    ok: true,
    value: {
      fallback: fallback.value,
      names: namesIn(settings.lmServer),
      async open(name, signal) {
        if (name === offline.name) return { ok: true, value: offline };
        const found = await findModel({ ...settings, model: name, offlineModel: false }, env);
        if (!found.ok) return found;
        const once = { ...options.value, reasoning: settings.reasoning, retry: { forMs: 0 }, signal };
        return { ok: true, value: await openModel(found.value, once, memory) };
      },
      count: countTokens,
      price: pricingFor(settings, env),
      close: () => store.value.close(),
    },
  };
}

/** The model of --model, else the first one found; by its full name if that is known without asking its server. */
async function fallbackOf(settings: Config, env: EnvironmentVariables): Promise<Expected<string>> {
  if (settings.offlineModel) return { ok: true, value: offlineModel().name };
  const found = await findModel(settings, env);
  if (!found.ok) return found;
  const { provider, model } = found.value;
  const named = settings.model ?? (model === undefined ? provider.name : `${provider.name}/${model}`);
  return { ok: true, value: named };
}

const namesIn = ({ models = {} }: LmServerSettings): ServedModels["names"] =>
  Object.fromEntries(
    Object.entries(models).map(([name, row]) => [name, typeof row === "string" ? { model: row } : row]),
  );

function countTokens({ system, messages, tools }: Prompt): number {
  const said = messages.reduce((sum, message) => sum + likelyTokens(message), estimateText(system));
  return tools.reduce((sum, tool) => sum + likelyOfTool(tool), said);
}
