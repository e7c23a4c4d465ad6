/** Whether a model is one of those that are asked briefly, and says so. */

import { ModelError } from "../protocol/model-events.ts";
import { providerBounds } from "./bounds.ts";
import type { ListedModel, ModelCapabilities, SmallChoice } from "./capabilities.ts";
import { listModels, type ModelChoice } from "./discover.ts";
import type { Model } from "./provider.ts";
import type { Server } from "./server.ts";
import { wrapModel } from "./wrapped-model.ts";

/** Models of up to so many weights were measured (docs/measured-models.md). */
const mostWeights = 1_000_000_000;

type WeighedModel = {
  choice: SmallChoice | undefined;
  provider: ModelChoice["provider"];
  server: Server;
  model: string;
  capabilities: ModelCapabilities;
  listed: ListedModel | undefined;
};

/** Unless a person has chosen, the number of weights decides, where the server tells it. */
export async function isSmall({ choice, capabilities, ...asked }: WeighedModel): Promise<boolean> {
  if (choice === "on" || choice === "off") return choice === "on";
  const weights = capabilities.weights ?? (await listedWeights(asked));
  return weights !== undefined && weights <= mostWeights;
}

async function listedWeights({
  provider,
  server,
  model,
  listed,
}: Omit<WeighedModel, "choice" | "capabilities">): Promise<number | undefined> {
  if (listed || provider.listsWeights !== true) return listed?.weights;
  try {
    const all = await listModels(provider, server, { withinMs: providerBounds.selfDescription.most });
    return all.find(({ id }) => id === model)?.weights;
  } catch (error) {
    if (error instanceof ModelError) return undefined;
    throw error;
  }
}

export const smallModel = (model: Model): Model =>
  wrapModel(model, {
    get suits() {
      return { ...model.suits, small: true as const };
    },
  });
