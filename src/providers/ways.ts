/**
 * The ways in which a model can be asked to use tools: natively, or in a dialect that it is taught. The first one is
 * tried first.
 */

import { dialectOf } from "../dialects/choose.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { TemplateAnswer } from "../dialects/from-template/ask-template.ts";
import { fallbackDialects } from "../dialects/index.ts";
import { jsonFence } from "../dialects/json-fence.ts";
import type { ModelCapabilities } from "./capabilities.ts";
import type { Model } from "./provider.ts";
import { rescuedModel } from "./rescued-model.ts";
import { taughtModel } from "./taught-model.ts";

export type ModelWay = {
  /** "native", or the dialect's name. */
  readonly name: string;
  readonly model: Model;
};

export const nativeName = "native";

/**
 * The way whose calls no server takes for calls: some look for marks such as `<tool_call>` in every answer, whether
 * tools were offered or not.
 */
export const plainestOf = (ways: readonly ModelWay[]): ModelWay | undefined =>
  ways.find(({ name }) => name === jsonFence.name);

type WaysOptions = {
  /** The name on the server. */
  model: string;
  capabilities: ModelCapabilities;
  /** What the model's chat template answered, if it had to be asked. */
  asked?: TemplateAnswer | undefined;
  newId?: (() => string) | undefined;
};

/** `because`: why the first way is taught, if that needs an explanation. */
export type ModelWays = { ways: readonly ModelWay[]; because?: string | undefined };

/** Asks a model's chat template, if it has one that shows no known dialect: only then anything is loaded for it. */
export async function askedTemplate(
  model: string,
  { template }: ModelCapabilities,
  signal?: AbortSignal,
): Promise<TemplateAnswer | undefined> {
  if (template === undefined || template === "") return undefined;
  if (dialectOf({ model, template })?.by === "template") return undefined;
  const { askTemplate } = await import("../dialects/from-template/ask-template.ts");
  return askTemplate(template, signal);
}

/** Native if the server offers it, then the dialect of the model's family, then those that most models can learn. */
export function waysOf(bare: Model, { model, capabilities, asked, newId }: WaysOptions): ModelWays {
  const own = asked?.dialect ? asked : (dialectOf({ model, template: capabilities.template }) ?? asked);
  const dialects = [...new Set([...(own?.dialect ? [own.dialect] : []), ...fallbackDialects])];
  const texts = dialects.map((dialect) => textWay(bare, dialect, newId));
  if (capabilities.tools) return { ways: [nativeWay(bare, newId), ...texts] };
  const because = "This model has no native tools here";
  return { ways: texts, because: own ? `${because}, and ${own.because}` : because };
}

/** The single way that the user has chosen. */
export function chosenWay(bare: Model, chosen: Dialect | "native", newId?: () => string): ModelWays {
  if (chosen === "native") return { ways: [nativeWay(bare, newId)] };
  return { ways: [textWay(bare, chosen, newId)], because: "--dialect says so" };
}

const nativeWay = (bare: Model, newId?: () => string): ModelWay => ({
  name: nativeName,
  model: rescuedModel(bare, newId ? { newId } : {}),
});

const textWay = (bare: Model, dialect: Dialect, newId?: () => string): ModelWay => ({
  name: dialect.name,
  model: taughtModel(bare, dialect, newId ? { newId } : {}),
});

/** "native tools", "hermes": for display. */
export const inWords = (name: string): string => (name === nativeName ? "native tools" : name);
