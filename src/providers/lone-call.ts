/** Finds a call that stands without any marks, or in a code fence, among other words: perhaps an order, perhaps an example. */

import { offeredTools } from "../dialects/extract.ts";
import { readPythonProgram } from "../dialects/grammar/python-call.ts";
import { allDialects } from "../dialects/index.ts";
import { readText } from "../dialects/read-text.ts";
import { repeatedIn } from "../dialects/repeated-calls.ts";
import type { ToolCall, Message, ToolDescription } from "../protocol/messages.ts";

/**
 * The call, if the text holds exactly one complete call of an offered tool. What stands in a result that the model was
 * shown is quoted from there: whoever wrote it gives no orders.
 */
export function loneCall(
  text: string,
  { tools, messages }: { tools: readonly ToolDescription[]; messages: readonly Message[] },
): ToolCall | undefined {
  const repeated = repeatedIn(messages, allDialects);
  const found = new Map<string, ToolCall>();
  const offered = offeredTools(tools);
  for (const passage of passagesOf(text)) {
    const program = readPythonProgram(passage, offered);
    for (const { name, input, problem } of program ?? readText(passage, { tools }).calls)
      if (problem === undefined && !repeated(passage, { name, input }))
        found.set(JSON.stringify([offered.find(name)?.name, input]), { id: "", name, input, source: "text" });
  }
  return found.size === 1 ? [...found.values()][0] : undefined;
}

/** What may be a call by itself: the inside of a fence, a paragraph, a line, or everything between brackets. */
function passagesOf(text: string): string[] {
  const fences = [...text.matchAll(/^```[^\n]*\n([^]*?)^```/gm)].map(([, body = ""]) => body);
  const start = text.search(/^[{[]/m);
  const between =
    start < 0 ? "" : text.slice(start, Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")) + 1);
  const all = [...fences, ...text.split(/\n\s*\n/), ...text.split("\n"), between].map((one) => one.trim());
  const likely = [...new Set(all)]
    .filter((one) => /^(?:[{[<]|[\w.-]{1,80}\()/.test(one))
    .slice(0, mostPassages);
  return likely.flatMap((one) => (/^[{<]/.test(one) ? [one] : [one, `${one}]`, `[${one}]`]));
}

/** An answer with more of them explains something. */
const mostPassages = 20;
