/** The JSON keys and words that models write around calls. */

import type { Json } from "../../base/json.ts";

/** Keys under which calls are nested in another object. */
export const wrapperKeys: readonly string[] = [
  "function",
  "function_call",
  "tool_call",
  "tool_calls",
  "tool_uses",
  "calls",
];

/** The `type` values by which an object declares itself a call. */
export const callTypes = /^(?:function|tool|tool_use|(?:function|tool)_?calls?|call)$/i;

/** The wrapper for parallel calls that some models were trained on; it is not a tool itself. */
export const isParallel = (name: Json | undefined): boolean =>
  typeof name === "string" && /^(?:functions\.)?(?:multi_tool_use\.)?parallel$/.test(name);
