/** Checks what a tool returned: a program's own may have been written without types. */

import * as z from "zod/mini";
import { resultPart } from "../../protocol/fact-parts.ts";
import { failedResult, type ToolResult } from "../../tools/tool.ts";

const shape = z.object({
  outcome: z.enum(["ok", "failed", "timeout"]),
  content: z.array(resultPart),
  metadata: z.optional(z.record(z.string(), z.unknown())),
});

/** Whatever cannot be stored must not reach the log. Throws if its metadata is no JSON. */
export function checkedResult(produced: ToolResult): ToolResult {
  const read = z.safeParse(shape, produced);
  if (!read.success) {
    const [issue] = read.error.issues;
    const place = issue?.path.join(".") || "the whole";
    return failedResult(
      `The tool failed: what it returned is not a result (${place}: ${issue?.message ?? "unknown"}). A tool returns ok(text) or failedResult(text).`,
    );
  }
  JSON.stringify(produced.metadata);
  return produced;
}
