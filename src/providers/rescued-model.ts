/** A model with native tools whose calls are also recognised when it prints them as text (N13). */

import { extract } from "../dialects/extract.ts";
import { allDialects } from "../dialects/index.ts";
import type { Model } from "./provider.ts";

export function rescued(model: Model, options: { newId?: () => string } = {}): Model {
  return {
    name: model.name,
    contextTokens: model.contextTokens,
    suits: model.suits,
    sees: model.sees,
    get notice() {
      return model.notice;
    },
    ask: (prompt, signal) =>
      extract(model.ask(prompt, signal), {
        tools: prompt.toolChoice === "none" ? [] : prompt.tools,
        dialects: allDialects,
        isNative: true,
        shown: prompt.messages,
        newId: options.newId,
      }),
  };
}
