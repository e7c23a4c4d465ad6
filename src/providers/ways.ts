/**
 * The ways in which a model can be asked to use tools: its own, and dialects that it is taught. The first is tried
 * first.
 */

import { dialectOf } from "../dialects/choose.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { fallbackDialects } from "../dialects/index.ts";
import type { Capabilities } from "./capabilities.ts";
import type { Model } from "./provider.ts";
import { rescued } from "./rescued-model.ts";
import { taught } from "./taught-model.ts";

export type Way = {
  /** "native", or the dialect's name. */
  readonly name: string;
  readonly model: Model;
};

export const nativeName = "native";

type WaysOptions = {
  /** As the server names it. */
  model: string;
  capabilities: Capabilities;
  newId?: (() => string) | undefined;
};

/** `because`: why the first is taught, where that needs a word. */
export type Ways = { ways: readonly Way[]; because?: string | undefined };

/** Native where the server offers it, then what the model's family speaks, then what most models can learn. */
export function waysOf(bare: Model, { model, capabilities, newId }: WaysOptions): Ways {
  const own = dialectOf({ model, template: capabilities.template });
  const dialects = [...new Set([...(own ? [own.dialect] : []), ...fallbackDialects])];
  const texts = dialects.map((dialect) => textWay(bare, dialect, newId));
  if (capabilities.tools) return { ways: [nativeWay(bare, newId), ...texts] };
  const because = "This model has no native tools here";
  return { ways: texts, because: own ? `${because}, and ${own.because}` : because };
}

/** The one way that the user wants. */
export function chosenWay(bare: Model, chosen: Dialect | "native", newId?: () => string): Ways {
  if (chosen === "native") return { ways: [nativeWay(bare, newId)] };
  return { ways: [textWay(bare, chosen, newId)], because: "--dialect says so" };
}

const nativeWay = (bare: Model, newId?: () => string): Way => ({
  name: nativeName,
  model: rescued(bare, newId ? { newId } : {}),
});

const textWay = (bare: Model, dialect: Dialect, newId?: () => string): Way => ({
  name: dialect.name,
  model: taught(bare, dialect, newId ? { newId } : {}),
});

/** "native tools", "hermes": for people. */
export const inWords = (name: string): string => (name === nativeName ? "native tools" : name);
