/**
 * Turns a scripted model into one without native tools: it writes calls as text and rejects prompts that offer tools.
 */

import type { Dialect } from "../dialects/dialect.ts";
import type { ToolCall } from "../protocol/messages.ts";
import { ModelError, type ModelEvent } from "../protocol/model-events.ts";
import type { Model } from "../providers/provider.ts";

/** How a model without native tools writes. @experimental */
export type TextOnlyOptions = {
  /** The dialect of its calls. */
  dialect: Dialect;
  /** Length of the text pieces, in characters. */
  pieces?: number;
};

/** Adjacent calls are written together, as the dialect's family does. @experimental */
export function textOnly(model: Model, { dialect, pieces = 7 }: TextOnlyOptions): Model {
  async function* ask(...[prompt, signal]: Parameters<Model["ask"]>): AsyncGenerator<ModelEvent> {
    if (prompt.tools.length > 0) throw new ModelError("bad-request", "This model does not support tools.");
    let calls: ToolCall[] = [];
    const written = function* (): Generator<ModelEvent> {
      if (calls.length === 0) return;
      const text = `\n${dialect.writeCalls(calls)}`;
      calls = [];
      for (let at = 0; at < text.length; at += pieces)
        yield { type: "text-delta", text: text.slice(at, at + pieces) };
    };
    for await (const event of model.ask(prompt, signal)) {
      if (event.type === "call-end") calls.push(event.call);
      else if (event.type !== "call-start" && event.type !== "call-delta") {
        yield* written();
        yield event.type === "answer-end" && event.reason === "tool-calls"
          ? { ...event, reason: "stop" }
          : event;
      }
    }
  }
  return { name: model.name, contextTokens: model.contextTokens, notice: model.notice, ask };
}
