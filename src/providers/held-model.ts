/** A model that its server holds to a form while it writes. A server that refuses that is asked without it from there on. */

import type { Constraint } from "../protocol/messages.ts";
import { ModelError, type ModelEvent } from "../protocol/model-events.ts";
import type { Model, Prompt } from "./provider.ts";
import { wrapModel } from "./wrapped-model.ts";

export const constraintDropped = "constraint-dropped";

/** Told once, when a server has refused to hold a model in this way. */
export type ConstraintRefused = (kind: Constraint["type"]) => void;

/** Prompts without a constraint are passed on as they are. */
export function heldModel(model: Model, refused?: ConstraintRefused): Model {
  let isRefused = false;
  async function* ask(
    prompt: Prompt,
    ...how: [signal: AbortSignal, sent?: () => void]
  ): AsyncGenerator<ModelEvent> {
    const { constraint, ...free } = prompt;
    if (constraint === undefined || isRefused) {
      yield* model.ask(free, ...how);
      return;
    }
    let isHeard = false;
    try {
      for await (const event of model.ask(prompt, ...how)) {
        isHeard ||= event.type !== "retrying";
        yield event;
      }
    } catch (error) {
      if (isHeard || !isRefusal(error)) throw error;
      for await (const event of model.ask(free, ...how)) {
        yield event;
        // Only the success of the same request shows that the form was what the server refused.
        if (isRefused || event.type === "retrying") continue;
        isRefused = true;
        refused?.(constraint.type);
        yield droppedNotice(error);
      }
    }
  }
  return wrapModel(model, { ask });
}

const isRefusal = (error: unknown): error is ModelError =>
  error instanceof ModelError && error.kind === "bad-request" && !error.midStream;

const droppedNotice = ({ message }: ModelError): ModelEvent => ({
  type: "notice",
  code: constraintDropped,
  detail: `The server does not hold the model to the form of its calls (${message.replace(/\.$/u, "")}): it is asked without that.`,
});
