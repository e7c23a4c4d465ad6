/** Calls whose only argument is raw code. */

import type { ReadCall } from "../reading/read-call.ts";
import type { OfferedTools } from "../reading/reader.ts";
import { codeTool } from "./code-tool.ts";

/** `written`: the tool's name as the model wrote it, if it did. If no offered tool fits, the call has that name. */
export function codeCall(offered: OfferedTools, code: string, written?: string): ReadCall {
  const tool = codeTool(offered, written);
  const { name, parameter } = tool ?? { name: written ?? "code_interpreter", parameter: "code" };
  return { name, input: { [parameter]: withoutFence(code) } };
}

const withoutFence = (code: string): string =>
  /^\s*```\w*\n(.*?)\n?```\s*$/s.exec(code)?.[1] ?? code.trimEnd().replace(/^\s*\n/, "");
