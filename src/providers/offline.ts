/** A rule-based stand-in for a model: it follows simple orders, so that the whole program can be used offline. */

import type { JsonObject } from "../base/json.ts";
import { type Message, textOf } from "../protocol/messages.ts";
import type { ModelEvent } from "../protocol/model-events.ts";
import type { Model, Prompt } from "./provider.ts";

type Order = { tool: string; input: JsonObject; saying: string };

/** One row per order: its form, and the call that it becomes. Tool names are those of the default tools. */
const orders: readonly { usage: string; pattern: RegExp; call: (words: readonly string[]) => Order }[] = [
  {
    usage: "list [DIRECTORY]",
    pattern: /^(?:list|ls)(?:\s+(\S.*))?$/iu,
    call: ([path]) => ({
      tool: "list_files",
      input: { path: path ?? "." },
      saying: `Listing ${path ?? "the workspace"}.`,
    }),
  },
  {
    usage: "read FILE",
    pattern: /^(?:read|show|cat)\s+(\S.*)$/iu,
    call: ([path = ""]) => ({ tool: "read_file", input: { path }, saying: `Reading ${path}.` }),
  },
  {
    usage: "search TEXT",
    pattern: /^(?:search|find|grep)\s+(?:for\s+)?(\S.*)$/iu,
    call: ([found = ""]) => {
      const pattern = withoutQuotes(found);
      return {
        tool: "search_workspace",
        input: { pattern, literal: true },
        saying: `Searching for ${pattern}.`,
      };
    },
  },
  {
    usage: "replace A with B in FILE",
    pattern: /^replace\s+(.+?)\s+with\s+(.*?)\s+in\s+(\S.*)$/isu,
    call: ([old = "", fresh = "", path = ""]) => ({
      tool: "edit_file",
      input: { path, old: withoutQuotes(old), new: withoutQuotes(fresh) },
      saying: `Replacing it in ${path}.`,
    }),
  },
  {
    usage: "run COMMAND",
    pattern: /^(?:run|exec|\$)\s+(\S.*)$/isu,
    call: ([command = ""]) => ({ tool: "run_command", input: { command }, saying: "Running it." }),
  },
];

/** The offline model. Its answers come only from the rows above. */
export function offlineModel(): Model {
  let calls = 0;
  return {
    name: "offline/orders",
    notice:
      "This is no language model: it follows simple orders by fixed rules (list, read, search, replace, run).",
    async *ask(prompt: Prompt): AsyncGenerator<ModelEvent> {
      yield { type: "answer-start", model: "orders" };
      const last = prompt.messages.at(-1);
      const order = last?.role === "user" ? readOrder(textOf(last.content)) : undefined;
      if (!order) {
        yield { type: "text-delta", text: last?.role === "tool" ? report(last) : helpText };
        yield { type: "answer-end", reason: "stop" };
        return;
      }
      calls += 1;
      const id = `order_${Date.now().toString(36)}_${calls}`;
      yield { type: "text-delta", text: order.saying };
      yield { type: "call-start", id, name: order.tool };
      yield { type: "call-delta", id, json: JSON.stringify(order.input) };
      yield { type: "call-end", call: { id, name: order.tool, input: order.input, source: "native" } };
      yield { type: "answer-end", reason: "tool-calls" };
    },
  };
}

const helpText = [
  "I am the offline model: I follow simple orders by fixed rules. I know:",
  ...orders.map((order) => `- ${order.usage}`),
  "",
  "For real work choose a model with --model; `toolwright models` lists those within reach.",
].join("\n");

function readOrder(text: string): Order | undefined {
  for (const { pattern, call } of orders) {
    const found = pattern.exec(text.trim());
    if (found) return call(found.slice(1));
  }
  return undefined;
}

const report = (result: Extract<Message, { role: "tool" }>): string =>
  `${result.isError ? "That did not work" : "Done"}:\n\n${textOf(result.content)}`;

/** `"a b"`, `'a b'` and `` `a b` `` without their quotes. */
function withoutQuotes(text: string): string {
  const quote = text[0] ?? "";
  return text.length > 1 && "\"'`".includes(quote) && text.endsWith(quote) ? text.slice(1, -1) : text;
}
