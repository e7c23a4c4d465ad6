/** Answers that must be JSON, from any model: it is told in words, and what it puts around the JSON is taken off. */
import type { AnswerFormat } from "../../protocol/messages.ts";
import type { ModelEvent } from "../../protocol/model-events.ts";
import type { Prompt } from "../../providers/provider.ts";

/** The same prompt, which says so. */
export function withFormat(prompt: Prompt, { schema }: AnswerFormat): Prompt {
  const which = schema === undefined ? "one JSON object" : "one JSON value that fits the JSON Schema below";
  const calls = prompt.tools.length > 0 ? "When you call no tool, answer" : "Answer";
  const words = `${calls} with ${which} and nothing else: no words before or after it, no code fence.`;
  const below = schema === undefined ? [] : [JSON.stringify(schema)];
  return { ...prompt, system: [prompt.system, words, ...below].filter((text) => text !== "").join("\n\n") };
}

/** What is not clear yet: the beginning, which may open a fence, or an end, which may close it. */
type Fence = { held: string; state: "unknown" | "open" | "none" };

/** The events without a code fence around the text. */
export async function* withoutFence(events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
  const fence: Fence = { held: "", state: "unknown" };
  for await (const event of events) {
    if (event.type === "text-delta") {
      const text = take(fence, event.text);
      if (text !== "") yield { type: "text-delta", text };
      continue;
    }
    if (event.type === "answer-end") {
      const text = restOf(fence);
      if (text !== "") yield { type: "text-delta", text };
    }
    yield event;
  }
}

function take(fence: Fence, text: string): string {
  if (fence.state === "none") return text;
  fence.held += text;
  if (fence.state === "unknown") {
    const begun = fence.held.trimStart();
    if ("```".startsWith(begun) || /^```[^\n]*$/.test(begun)) return "";
    fence.state = begun.startsWith("```") ? "open" : "none";
    if (fence.state === "none") return restOf(fence);
    fence.held = begun.slice(begun.indexOf("\n") + 1);
  }
  const closing = /\s*(?:`{1,3}\s*)?$/.exec(fence.held)?.[0] ?? "";
  const said = fence.held.slice(0, fence.held.length - closing.length);
  fence.held = closing;
  return said;
}

/** What was held back, unless it closes the fence. */
function restOf(fence: Fence): string {
  const { held, state } = fence;
  fence.held = "";
  return state === "open" && ["", "```"].includes(held.trim()) ? "" : held;
}
