/** The words that models write around calls in JSON: of objects that hold calls, and of what a call says of itself. */

import type { Json } from "../../base/json.ts";

/** Under which keys calls stand inside another object. */
export const wrapperKeys: readonly string[] = [
  "function",
  "function_call",
  "tool_call",
  "tool_calls",
  "tool_uses",
  "calls",
];

/** What an object says of itself that is a call. */
export const callTypes = /^(?:function|tool|tool_use|(?:function|tool)_?calls?|call)$/i;

/** The wrapper that some models were trained on, which is no tool of its own. */
export const isParallel = (name: Json | undefined): boolean =>
  typeof name === "string" && /^(?:functions\.)?(?:multi_tool_use\.)?parallel$/.test(name);
