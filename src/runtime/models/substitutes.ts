/** The models that go on, in their order, when a session's model fails for good. */

import { errorMessage } from "../../base/expected.ts";
import type { Fact } from "../../protocol/facts.ts";
import { openNextOf } from "../../providers/next-model.ts";
import type { Model } from "../../providers/provider.ts";
import type { SessionSetup } from "../session-setup.ts";

/** The model that goes on, and the facts that tell of it. */
type Substitution = { model: Model; facts: Fact[] };

/** Each of them is tried once. Undefined: none is left. */
type Substitutes = (failed: Model, because: string) => Promise<Substitution | undefined>;

export function substitutesOf({
  fallback = [],
  openModel,
}: Pick<SessionSetup, "fallback" | "openModel">): Substitutes | undefined {
  if (fallback.length === 0 || !openModel) return undefined;
  const left = [...fallback];
  const open = async (name: string): Promise<Model> => {
    const opened = await openModel(name);
    if (opened.ok) return opened.value;
    throw new Error(opened.problem);
  };
  return async (failed, because) => {
    const closed: string[] = [];
    const next = (): Promise<Model | undefined> =>
      openNextOf(left, open, (name, error) =>
        closed.push(`${name} cannot be opened: ${errorMessage(error)}`),
      );
    let model = await next();
    while (model?.name === failed.name) model = await next();
    if (!model) return undefined;
    const text = [`${failed.name} failed: ${because}`, ...closed, `${model.name} goes on.`].join(" ");
    return {
      model,
      facts: [
        { type: "warning", code: "model-substituted", text },
        { type: "model-set", model: model.name, by: "toolwright", because },
      ],
    };
  };
}
