/** A model with native tools whose calls are also recognised when it prints them as text (N13). */

import { collect } from "../base/async.ts";
import { extract, type ExtractOptions } from "../dialects/extract.ts";
import { allDialects } from "../dialects/index.ts";
import { ModelError, type ModelEvent } from "../protocol/model-events.ts";
import type { Model, Prompt } from "./provider.ts";
import { wrapModel } from "./wrapped-model.ts";

export function rescuedModel(model: Model, options: { newId?: () => string } = {}): Model {
  return wrapModel(model, {
    ask(prompt, signal, sent) {
      const how = reading(prompt, options);
      return withReported(model, extract(model.ask(prompt, signal, sent), how), how);
    },
  });
}

const reading = (prompt: Prompt, { newId }: { newId?: () => string }): ExtractOptions => ({
  tools: prompt.toolChoice === "none" ? [] : prompt.tools,
  dialects: allDialects,
  isNative: true,
  shown: prompt.messages,
  newId,
});

/**
 * If the server could not read its model's answer but reports it, the calls in it are read here. Throws the failure if
 * there are none.
 */
async function* withReported(
  { name }: Model,
  events: AsyncIterable<ModelEvent>,
  options: ExtractOptions,
): AsyncGenerator<ModelEvent> {
  let heard = "";
  let isBegun = false;
  try {
    for await (const event of events) {
      if (event.type === "text-delta") heard += event.text;
      isBegun ||= event.type === "answer-start";
      yield event;
    }
  } catch (error) {
    const written = error instanceof ModelError ? error.written : undefined;
    if (written === undefined) throw error;
    const rest = written.startsWith(heard) ? written.slice(heard.length) : written;
    const read = await collect(extract(answerOf(rest), options));
    if (!read.some((event) => event.type === "call-end" && event.call.problem === undefined)) throw error;
    if (!isBegun) yield { type: "answer-start", model: name };
    yield* read;
  }
}

async function* answerOf(text: string): AsyncGenerator<ModelEvent> {
  yield { type: "text-delta", text };
  yield { type: "answer-end", reason: "stop" };
}
