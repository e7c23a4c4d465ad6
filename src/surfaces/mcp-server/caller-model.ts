/** The model of a session whose calls are a client's own: it asks for exactly those, and then has nothing to say. */

import type { Call } from "../../protocol/messages.ts";
import type { ModelEvent } from "../../protocol/model-events.ts";
import type { Model } from "../../runtime/runtime.ts";

/** By session: what is to be asked for next there. */
export type CallsToMake = Map<string, readonly Call[]>;

/** As it stands in the log. */
const name = "mcp/client";

export const callerModel = (toMake: CallsToMake): Model => ({
  name,
  ask({ cacheKey = "" }) {
    const calls = toMake.get(cacheKey) ?? [];
    toMake.delete(cacheKey);
    return answer(calls);
  },
});

async function* answer(calls: readonly Call[]): AsyncGenerator<ModelEvent> {
  yield { type: "answer-start", model: name };
  for (const call of calls) {
    yield { type: "call-start", id: call.id, name: call.name };
    yield { type: "call-end", call };
  }
  if (calls.length === 0) yield { type: "text-delta", text: "Done." };
  yield { type: "answer-end", reason: calls.length === 0 ? "stop" : "tool-calls" };
}
