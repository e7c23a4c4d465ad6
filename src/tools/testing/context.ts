/** A `ToolContext` for tests: a real workspace, plus a record of everything the tool showed and stored. */

import { refuse } from "../../base/expected.ts";
import type { JsonObject } from "../../base/json.ts";
import { childEnvironment } from "../../base/process.ts";
import { openTree } from "../../base/safe-fs/open-tree.ts";
import { hashOf } from "../changes/change.ts";
import { Terminals } from "../terminal/terminals.ts";
import { type ToolResult, type Tool, type ToolContext, withoutSandbox } from "../tool.ts";

/** `known` provides the answers of `seen`. */
export type TestToolContext = ToolContext & {
  shown: string[];
  kept: Map<string, Uint8Array>;
  known: Map<string, string>;
};

export function testContext(
  workspace: string,
  signal: AbortSignal = new AbortController().signal,
): TestToolContext {
  const shown: string[] = [];
  const kept = new Map<string, Uint8Array>();
  const known = new Map<string, string>();
  const files = openTree(workspace);
  if (!files.ok) throw new Error(files.problem);
  return {
    shown,
    kept,
    known,
    workspace,
    files: files.value,
    withheld: () => Promise.resolve(undefined),
    terminals: new Terminals(),
    signal,
    environment: childEnvironment(process.env),
    contain: withoutSandbox,
    output: (words) => void shown.push(words),
    keep: async (bytes) => {
      kept.set(hashOf(bytes), bytes);
      return hashOf(bytes);
    },
    seen: (path) => known.get(path),
    result: (callId) => Promise.resolve(refuse(`There is no call ${callId} here.`)),
    staged: () => Promise.resolve(refuse("Nothing is staged here.")),
  };
}

/** Prepares and runs a call; refused arguments are a mistake in the test. */
export async function runTool(tool: Tool, input: JsonObject, context: ToolContext): Promise<ToolResult> {
  const prepared = tool.prepare(input);
  if (!prepared.ok) throw new Error(prepared.problem);
  return prepared.value.run(context);
}

/** The outcome and all text of a result. */
export function wordsOf(produced: ToolResult): { outcome: string; words: string } {
  const words = produced.content.map((part) => (part.type === "text" ? part.text : `<${part.mediaType}>`));
  return { outcome: produced.outcome, words: words.join("\n") };
}
