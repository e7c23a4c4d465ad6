/** A model that is asked for JSON of a schema: its server holds it to that, if it can. */

import type { ConstraintChoice, ConstraintKind } from "./capabilities.ts";
import { heldModel } from "./held-model.ts";
import type { Model } from "./provider.ts";
import { wrapModel } from "./wrapped-model.ts";

type FormedOptions = {
  constraints?: readonly ConstraintKind[] | undefined;
  choice?: ConstraintChoice | undefined;
};

/** Not where tools are offered, or written about: the answer may be a call then. */
export function formedModel(model: Model, { constraints = [], choice }: FormedOptions): Model {
  // Whoever enforces the schemas of native calls enforces those of answers, too.
  const canHold = constraints.some((kind) => kind === "schema" || kind === "strict");
  if (choice === "off" || !canHold) return model;
  return wrapModel(model, {
    ask(prompt, ...how) {
      const { format, constraint, tools, toolChoice } = prompt;
      const isFree = constraint === undefined && (tools.length === 0 || toolChoice === "none");
      if (format?.schema === undefined || !isFree) return model.ask(prompt, ...how);
      const held = { ...prompt, constraint: { type: "schema" as const, schema: format.schema } };
      // Each schema is tried: that a server refuses one says nothing of the next.
      return heldModel(model).ask(held, ...how);
    },
  });
}
