/** Code fences that may contain a call. */

import type { CallVerdict } from "../dialect.ts";
import type { PatternStep } from "../reading/ahead.ts";
import { takeSpace, takeWhile, type BlockReader, type StreamReading } from "../reading/reader.ts";

/** The languages allowed on the first line of such a fence. */
const languages: ReadonlySet<string> = new Set([
  "",
  "json",
  "jsonc",
  "json5",
  "xml",
  "tool",
  "tool_call",
  "tool_calls",
  "tool_use",
  "function",
  "function_call",
]);

/** Behind the mark of a fence: its language, and white space up to its body. */
export const fenceInfo: PatternStep = (text, at) => {
  const language = /^[\w-]{0,40}/.exec(text.slice(at))?.[0] ?? "";
  const from = at + language.length;
  if (from === text.length) return "more";
  if (!languages.has(language.toLowerCase().replace("-", "_"))) return "no";
  const space = /^\s*/.exec(text.slice(from))?.[0].length ?? 0;
  if (space === 0 && language !== "") return "no";
  return from + space === text.length ? "more" : from + space;
};

/** What follows the mark of such a fence, judged by its body. */
export function judgeFence(ahead: string, judge: (body: string) => CallVerdict): CallVerdict {
  const end = fenceInfo(ahead, 0);
  if (typeof end === "number") return judge(ahead.slice(end));
  return end === "no" ? "text" : end;
}

export function* takeFenceInfo(reader: Pick<BlockReader, "input">): StreamReading {
  yield* takeWhile(reader, /[\w-]/);
  yield* takeSpace(reader);
}
