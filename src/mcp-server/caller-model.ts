/** A stand-in model for sessions that run a client's own calls: it makes exactly those calls, then ends the turn. */

import type { ToolCall } from "../protocol/messages.ts";
import type { ModelEvent } from "../protocol/model-events.ts";
import type { Model } from "../runtime/runtime.ts";

/** The next calls to make, by session. */
export type CallsToMake = Map<string, readonly ToolCall[]>;

/** The model's name in the log. */
const name = "mcp/client";

export const callerModel = (toMake: CallsToMake): Model => ({
  name,
  ask({ cacheKey = "" }) {
    const calls = toMake.get(cacheKey) ?? [];
    toMake.delete(cacheKey);
    return answer(calls);
  },
});

async function* answer(calls: readonly ToolCall[]): AsyncGenerator<ModelEvent> {
  yield { type: "answer-start", model: name };
  for (const call of calls) {
    yield { type: "call-start", id: call.id, name: call.name };
    yield { type: "call-end", call };
  }
  if (calls.length === 0) yield { type: "text-delta", text: "Done." };
  yield { type: "answer-end", reason: calls.length === 0 ? "stop" : "tool-calls" };
}
