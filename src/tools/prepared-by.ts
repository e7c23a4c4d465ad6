/** Has a tool prepare a call. A program's own tool may throw there, too: then the call fails, and nothing else. */

import { errorMessage, type Expected } from "../base/expected.ts";
import type { JsonObject } from "../base/json.ts";
import type { PreparedCall, Tool } from "./tool.ts";

/** The tool itself is at fault, not the arguments. */
type BrokenTool = { ok: false; problem: string; isBroken: true };

export function preparedBy(tool: Tool, input: JsonObject): Expected<PreparedCall> | BrokenTool {
  try {
    const prepared = tool.prepare(input);
    if (prepared.ok && typeof prepared.value.title !== "string") throw new TypeError("its title is no text");
    return prepared;
  } catch (error) {
    return { ok: false, problem: `The tool failed: ${errorMessage(error)}`, isBroken: true };
  }
}
