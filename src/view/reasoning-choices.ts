/** How much a model thinks before it answers, in plain words. */

import { type Reasoning, reasonings } from "../protocol/messages.ts";

export const reasoningChoices: readonly { reasoning: Reasoning; name: string; says: string }[] = [
  { reasoning: "default", name: "Default", says: "As much as the model does by itself." },
  { reasoning: "off", name: "Off", says: "Answers at once, if the model can." },
  { reasoning: "low", name: "Low", says: "Thinks little: sooner and cheaper." },
  { reasoning: "medium", name: "Medium", says: "Thinks some." },
  { reasoning: "high", name: "High", says: "Thinks long: later and dearer, for what is difficult." },
];

export const reasoningName = (reasoning: Reasoning): string =>
  reasoningChoices.find((choice) => choice.reasoning === reasoning)?.name ?? reasoning;

/** Without the full stop. */
export const reasoningWords = (reasoning: Reasoning): string =>
  `The reasoning is ${reasoning} from the next answer on`;

/** `wanted` is printable. */
export const noReasoning = (wanted: string): string =>
  `There is no reasoning "${wanted}". There are: ${reasonings.join(", ")}.`;
