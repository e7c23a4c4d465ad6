/** The models behind the server: each is opened on first use, once for all concurrent requests. */

import type { Expected } from "../base/expected.ts";
import { ModelError } from "../protocol/model-events.ts";
import type { Model } from "../providers/provider.ts";
import type { OfferedModel } from "../wires/model-list.ts";
import { type ModelResolution, openInOrder } from "./fallback.ts";
import { isAmong, type NameTableRow, namesOf, type NameTable } from "./names.ts";

export type ModelsOptions = {
  /**
   * "provider/model" → the model, or one line that says what to do. Throws ModelError if the provider's server fails.
   */
  open: (name: string) => Promise<Expected<Model>>;
  names: NameTable;
  /** The model for names that match no row. */
  fallback: string | undefined;
};

export type ModelPool = {
  readonly listed: readonly OfferedModel[];
  /** Throws ModelError if there is no such model, or it cannot be opened now. */
  find(name: string): Promise<ModelResolution>;
  describe(name: string): Promise<OfferedModel>;
  /** The factor by which a client's token counts are scaled (D6). Opens the model only where it is needed. */
  scale(name: string): Promise<number>;
};

/** The factor for a model whose window differs from the one that clients assume. */
export const scaleOf = ({
  model: { contextTokens },
  assumedContext,
}: Pick<ModelResolution, "model" | "assumedContext">): number =>
  assumedContext === undefined || contextTokens === undefined ? 1 : assumedContext / contextTokens;

export function openModels({ open, names: table, fallback }: ModelsOptions): ModelPool {
  const names = namesOf(table, fallback);
  const created = Date.now();
  const opening = new Map<string, Promise<Expected<Model>>>();
  const opened = new Map<string, Model>();

  async function openOnce(name: string): Promise<Model> {
    const known = opened.get(name);
    if (known) return known;
    const going = opening.get(name) ?? open(name).finally(() => opening.delete(name));
    opening.set(name, going);
    const model = await going;
    if (!model.ok) throw new ModelError("network", model.problem);
    opened.set(name, model.value);
    return model.value;
  }

  function named(name: string): NameTableRow {
    const row = names.find(name);
    if (row) return row;
    throw unknown(name, names.listed);
  }

  const find = async (name: string): Promise<ModelResolution> => openInOrder(named(name), openOnce);

  return {
    find,
    // A model not yet opened is listed without its window: the list must not wait for every server.
    get listed() {
      return names.listed.map((name): OfferedModel => {
        const row = names.find(name);
        const window = row?.assumedContext ?? opened.get(row?.model ?? "")?.contextTokens;
        return { name, created, contextTokens: window };
      });
    },
    scale: async (name) => (named(name).assumedContext === undefined ? 1 : scaleOf(await find(name))),
    async describe(name) {
      const { model, assumedContext } = await find(name);
      const { sees, thinks } = model;
      return { name, created, contextTokens: assumedContext ?? model.contextTokens, sees, thinks };
    },
  };
}

/** Only the models that a client may ask for, under names that fit these patterns. */
export function servedTo(models: ModelPool, patterns: readonly string[] | undefined): ModelPool {
  if (patterns === undefined) return models;
  const listed = models.listed.filter(({ name }) => isAmong(patterns, name));
  const check = (name: string): void => {
    if (isAmong(patterns, name)) return;
    const names = listed.map((one) => one.name);
    throw unknown(name, names.length > 0 ? names : patterns);
  };
  return {
    listed,
    find: async (name) => (check(name), models.find(name)),
    describe: async (name) => (check(name), models.describe(name)),
    scale: async (name) => (check(name), models.scale(name)),
  };
}

const unknown = (name: string, listed: readonly string[]): ModelError =>
  new ModelError(
    "unknown-model",
    `No model is served as ${JSON.stringify(name.slice(0, 200))}. There is: ${listed.join(", ") || "none"}; others are added in the configuration, under "lmServer".`,
  );
