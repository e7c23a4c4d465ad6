/** The models behind the server: each is opened when it is first asked for, once for all who ask at the same time. */

import type { Expected } from "../../base/expected.ts";
import { ModelError } from "../../protocol/model-events.ts";
import type { Model } from "../../providers/provider.ts";
import type { ServedModel } from "../../wires/model-list.ts";
import { type Named, namesOf, type NameTable } from "./names.ts";

export type ModelsOptions = {
  /** "provider/model" → the model, or one line that says what to do. Throws ModelError where its server fails. */
  open: (name: string) => Promise<Expected<Model>>;
  names: NameTable;
  /** For names that no row fits. */
  fallback: string | undefined;
};

type Found = { model: Model; assumedContext: number | undefined };

export type Models = {
  readonly listed: readonly ServedModel[];
  /** Throws ModelError: no such model, or it cannot be opened now. */
  find(name: string): Promise<Found>;
  describe(name: string): Promise<ServedModel>;
  /** How many tokens a client is told for each real one (D6). Opens the model only where that matters. */
  scale(name: string): Promise<number>;
};

/** Of a model that clients take for a larger or smaller one. */
export const scaleOf = ({ model: { contextTokens }, assumedContext }: Found): number =>
  assumedContext === undefined || contextTokens === undefined ? 1 : assumedContext / contextTokens;

export function openModels({ open, names: table, fallback }: ModelsOptions): Models {
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

  function named(name: string): Named {
    const row = names.find(name);
    if (row) return row;
    throw unknown(name, names.listed);
  }

  async function find(name: string): Promise<Found> {
    const row = named(name);
    return { model: await openOnce(row.model), assumedContext: row.assumedContext };
  }

  return {
    find,
    // What is not open yet tells no window: a list must not wait for every server.
    get listed() {
      return names.listed.map((name): ServedModel => {
        const row = names.find(name);
        const window = row?.assumedContext ?? opened.get(row?.model ?? "")?.contextTokens;
        return { name, created, contextTokens: window };
      });
    },
    scale: async (name) => (named(name).assumedContext === undefined ? 1 : scaleOf(await find(name))),
    async describe(name) {
      const { model, assumedContext } = await find(name);
      return { name, created, contextTokens: assumedContext ?? model.contextTokens };
    },
  };
}

const unknown = (name: string, listed: readonly string[]): ModelError =>
  new ModelError(
    "unknown-model",
    `No model is served as ${JSON.stringify(name.slice(0, 200))}. There is: ${listed.join(", ") || "none"}; others are added in the configuration, under "lmServer".`,
  );
