/**
 * The program that renders a chat template: a template and conversations as JSON on standard input, their texts as JSON
 * on standard output, null for what cannot be rendered. It imports nothing of ours but the reader of Go's templates, so
 * that bundlers put it in a chunk of its own.
 */

import { readFileSync } from "node:fs";
import { attempt } from "../../base/expected.ts";
import { isGoTemplate, renderGo } from "./go-template.ts";

/** This file, to be run by Node. */
export const program = import.meta.filename;

type RenderMessage = Parameters<typeof renderGo>[1][number];
type RenderRequest = { template: string; conversations: RenderMessage[][]; tools: unknown[] };

async function renderAll({ template, conversations, tools }: RenderRequest): Promise<(string | null)[]> {
  if (isGoTemplate(template))
    return conversations.map((messages) => attempt(() => renderGo(template, messages, tools)) ?? null);
  const { Template } = await import("@huggingface/jinja");
  const parsed = new Template(template);
  const render = (messages: RenderMessage[]): string =>
    parsed.render({ messages, tools, add_generation_prompt: false, bos_token: "", eos_token: "" });
  // Some templates want the arguments as an object, some as text.
  return conversations.map(
    (messages) => attempt(() => render(messages)) ?? attempt(() => render(asText(messages))) ?? null,
  );
}

const asText = (messages: RenderMessage[]): RenderMessage[] =>
  messages.map((message) =>
    message.tool_calls === undefined
      ? message
      : {
          ...message,
          tool_calls: message.tool_calls.map((call) => ({
            ...call,
            function: { ...call.function, arguments: JSON.stringify(call.function.arguments) },
          })),
        },
  );

if (process.argv[1] === program) {
  const request: RenderRequest = JSON.parse(readFileSync(0, "utf8"));
  void renderAll(request).then((texts) => process.stdout.write(JSON.stringify(texts)));
}
