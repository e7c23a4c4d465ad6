/** A model that is looked for when it is first needed, and again each time until it is found. */

import type { Expected } from "../base/expected.ts";
import { ModelError } from "../protocol/model-events.ts";
import type { Model } from "./provider.ts";
import { wrapModel } from "./wrapped-model.ts";

/** `find`: the problem is one line that says what to do. */
export function laterModel(find: () => Promise<Expected<Model>>): Model {
  let found: Model | undefined;
  let finding: Promise<Expected<Model>> | undefined;
  const look = async (): Promise<Expected<Model>> => {
    if (found) return { ok: true, value: found };
    finding ??= find().finally(() => {
      finding = undefined;
    });
    const looked = await finding;
    if (looked.ok) found = looked.value;
    return looked;
  };
  const nothingYet: Model = {
    name: "no model",
    async lack() {
      const looked = await look();
      return looked.ok ? undefined : looked.problem;
    },
    async *ask(...asked) {
      const looked = await look();
      if (!looked.ok) throw new ModelError("unknown-model", looked.problem);
      yield* looked.value.ask(...asked);
    },
  };
  return wrapModel(() => found ?? nothingYet, {});
}
