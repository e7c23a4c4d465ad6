/**
 * The ways in which a model can be asked to use tools: natively, or in a dialect that it is taught. The first one is
 * tried first.
 */

import { dialectOf } from "../dialects/choose.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { TemplateAnswer } from "../dialects/from-template/ask-template.ts";
import { defaultDialect, fallbackDialects } from "../dialects/index.ts";
import { jsonAnswer } from "../dialects/json-answer.ts";
import { jsonFence } from "../dialects/json-fence.ts";
import type { WireName } from "../wires/wire.ts";
import type { ConstraintChoice, ConstraintKind, ModelCapabilities } from "./capabilities.ts";
import type { ConstraintRefused } from "./held-model.ts";
import type { Model } from "./provider.ts";
import { rescuedModel } from "./rescued-model.ts";
import { strictModel } from "./strict-model.ts";
import { taughtModel } from "./taught-model.ts";

export type ModelWay = {
  /** "native", or the dialect's name; with a plus sign and how the server holds the model to it, if it does. */
  readonly name: string;
  readonly model: Model;
};

export const nativeName = "native";

/** Whether the server reads the model's calls. */
export const isNative = ({ name }: Pick<ModelWay, "name">): boolean => name.split("+")[0] === nativeName;

/**
 * The way whose calls no server takes for calls: some look for marks such as `<tool_call>` in every answer, whether
 * tools were offered or not.
 */
export const plainestOf = (ways: readonly ModelWay[]): ModelWay | undefined =>
  ways.find(({ name }) => name === jsonFence.name);

export type HeldBy = {
  wire?: WireName;
  /** What the server can hold a model to. */
  constraints?: readonly ConstraintKind[] | undefined;
  choice?: ConstraintChoice | undefined;
  /** Whether the model may think before it answers. */
  thinks?: boolean | undefined;
  /** Told what the server has refused to hold it to. */
  refused?: ConstraintRefused | undefined;
  newId?: (() => string) | undefined;
};

type WaysOptions = HeldBy & {
  /** The name on the server. */
  model: string;
  capabilities: ModelCapabilities;
  /** What the model's chat template answered, if it had to be asked. */
  asked?: TemplateAnswer | undefined;
};

/** `because`: why the first way is taught, if that needs an explanation. */
export type ModelWays = { ways: readonly ModelWay[]; because?: string | undefined };

/**
 * Native if the server offers it, then the dialect of the model's family, then those that most models can learn. What
 * the server holds a call to comes before the same dialect without, a whole answer by schema after the first dialect,
 * and strict native calls last, unless they are asked for.
 */
export function waysOf(bare: Model, { model, capabilities, asked, ...held }: WaysOptions): ModelWays {
  const own = asked?.dialect ? asked : (dialectOf({ model, template: capabilities.template }) ?? asked);
  const dialects = [...new Set([...(own?.dialect ? [own.dialect] : []), ...fallbackDialects])];
  const plain = dialects.map((dialect) => textWay(bare, dialect, held));
  const tagged = heldWays(bare, dialects[0] ?? defaultDialect, held);
  const usual = tagged.length === 0 ? 1 : 0;
  const whole = heldWays(bare, jsonAnswer, held);
  const texts = [...tagged, ...plain.slice(0, usual), ...whole, ...plain.slice(usual)];
  if (capabilities.tools) {
    const natives = nativeWays(bare, held);
    const first = held.choice === "on" ? natives.length : 1;
    return { ways: [...natives.slice(0, first), ...texts, ...natives.slice(first)] };
  }
  const because = "This model has no native tools here";
  return { ways: texts, because: own ? `${because}, and ${own.because}` : because };
}

/** The way that the user has chosen, with the server's help first. */
export function chosenWay(bare: Model, chosen: Dialect | "native", held: HeldBy = {}): ModelWays {
  if (chosen === "native") return { ways: nativeWays(bare, held) };
  return {
    ways: [...heldWays(bare, chosen, held), textWay(bare, chosen, held)],
    because: "--dialect says so",
  };
}

function nativeWays(bare: Model, { constraints = [], choice, wire, refused, newId }: HeldBy): ModelWay[] {
  const way = (name: string, model: Model): ModelWay => ({
    name,
    model: rescuedModel(model, newId ? { newId } : {}),
  });
  const native = way(nativeName, bare);
  if (choice === "off" || !constraints.includes("strict")) return [native];
  const strict = way(heldName(nativeName, "strict"), strictModel(bare, wire, refused));
  // Large models seldom need it, and schemas that are enforced cost time and tell the model less.
  return choice === "on" ? [strict, native] : [native, strict];
}

function heldWays(
  bare: Model,
  dialect: Dialect,
  { constraints = [], choice, thinks = false, refused, newId }: HeldBy,
): ModelWay[] {
  if (choice === "off") return [];
  const kind = constraints.find((one) => one !== "strict" && canSay(dialect, one, thinks));
  if (kind === undefined || kind === "strict") return [];
  const model = taughtModel(bare, dialect, { held: kind, refused, newId });
  return [{ name: heldName(dialect.name, dialect.answerSchema ? "schema" : "tags"), model }];
}

/** A grammar holds every word from the first on: where a model thinks, only its server knows when the answer begins. */
const canSay = ({ held, answerSchema }: Dialect, kind: ConstraintKind, thinks: boolean): boolean => {
  if (kind === "schema") return answerSchema !== undefined;
  return held !== undefined || (kind === "grammar" && answerSchema !== undefined && !thinks);
};

const textWay = (bare: Model, dialect: Dialect, { newId }: HeldBy): ModelWay => ({
  name: dialect.name,
  model: taughtModel(bare, dialect, newId ? { newId } : {}),
});

const heldName = (name: string, how: "tags" | "schema" | "strict"): string => `${name}+${how}`;

/** "native tools", "hermes", "hermes+tags": for display. */
export const inWords = (name: string): string => name.replace(/^native\b/, "native tools");
