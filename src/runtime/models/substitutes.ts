/** The models that go on, in their order, when a session's model fails for good. */

import { errorMessage, orThrow } from "../../base/expected.ts";
import type { Fact } from "../../protocol/facts.ts";
import { openNextOf } from "../../providers/next-model.ts";
import type { Model } from "../../providers/provider.ts";
import type { SessionSetup } from "../session-setup.ts";

/** The model that goes on, and the facts that tell of it. */
type Substitution = { model: Model; facts: Fact[] };

/** Each of them is tried once. */
type Substitutes = {
  isLeft: () => boolean;
  /** Undefined: none can be opened any more. */
  next: (failed: Model, because: string) => Promise<Substitution | undefined>;
};

export function substitutesOf({
  fallback = [],
  openModel,
}: Pick<SessionSetup, "fallback" | "openModel">): Substitutes | undefined {
  if (fallback.length === 0 || !openModel) return undefined;
  const left = [...fallback];
  const next: Substitutes["next"] = async (failed, because) => {
    const closed: string[] = [];
    const open = (): Promise<Model | undefined> =>
      openNextOf(
        left,
        async (name) => orThrow(await openModel(name)),
        (name, error) => closed.push(`${name} cannot be opened: ${errorMessage(error)}`),
      );
    let model = await open();
    while (model?.name === failed.name) model = await open();
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
  return { isLeft: () => left.length > 0, next };
}
