/** A model that is another one but for what is changed. */

import type { Model } from "./provider.ts";

/** Tells what the model of that moment tells, except for `changes`, whose getters stay getters. */
export function wrapModel(given: Model | (() => Model), changes: Partial<Model>): Model {
  const model = typeof given === "function" ? given : () => given;
  const same: Model = {
    get name() {
      return model().name;
    },
    get contextTokens() {
      return model().contextTokens;
    },
    get notice() {
      return model().notice;
    },
    get instead() {
      return model().instead;
    },
    get suits() {
      return model().suits;
    },
    get sees() {
      return model().sees;
    },
    get thinks() {
      return model().thinks;
    },
    lack: async () => model().lack?.(),
    ask: (...asked) => model().ask(...asked),
  };
  return Object.defineProperties(same, Object.getOwnPropertyDescriptors(changes));
}
