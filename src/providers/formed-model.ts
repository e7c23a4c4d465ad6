/** A model that is asked for JSON of a schema: its server holds it to that, if it can. */

import type { JsonObject } from "../base/json.ts";
import type { Constraint } from "../protocol/messages.ts";
import type { ConstraintChoice, ConstraintKind } from "./capabilities.ts";
import { heldModel } from "./held-model.ts";
import type { Model } from "./provider.ts";
import { wrapModel } from "./wrapped-model.ts";

type FormedOptions = {
  constraints?: readonly ConstraintKind[] | undefined;
  /** Whether the model may think before it answers. */
  thinks?: boolean | undefined;
  choice?: ConstraintChoice | undefined;
};

/** Not where tools are offered, or written about: the answer may be a call then. */
export function formedModel(
  model: Model,
  { constraints = [], choice, thinks = false }: FormedOptions,
): Model {
  // Whoever enforces the schemas of native calls enforces those of answers, too.
  const canHold = constraints.some((kind) => kind === "schema" || kind === "strict");
  if (choice === "off" || !canHold) return model;
  return wrapModel(model, {
    async *ask(prompt, ...how) {
      const { format, constraint, tools, toolChoice } = prompt;
      const isFree = constraint === undefined && (tools.length === 0 || toolChoice === "none");
      if (format?.schema === undefined || !isFree) {
        yield* model.ask(prompt, ...how);
        return;
      }
      const takesGrammar = constraints.includes("grammar") && !thinks;
      const held = { ...prompt, constraint: await formOf(format.schema, takesGrammar) };
      // Each schema is tried: that a server refuses one says nothing of the next.
      yield* heldModel(model).ask(held, ...how);
    },
  });
}

/** Our own grammar holds numbers to their bounds, which the servers that take one do not. */
async function formOf(schema: JsonObject, takesGrammar: boolean): Promise<Constraint> {
  const { grammarOfSchema } = await import("../dialects/constraint/constraint.ts");
  const grammar = takesGrammar ? grammarOfSchema(schema) : undefined;
  return grammar === undefined ? { type: "schema", schema } : { type: "grammar", grammar };
}
