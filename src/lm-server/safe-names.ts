/**
 * Renames tools so that every provider accepts their names: one vendor's clients may use names that another refuses.
 */

import { sendableName } from "../protocol/history.ts";
import type { ToolChoice } from "../protocol/messages.ts";
import type { Prompt } from "../providers/provider.ts";

export type SafeNames = {
  /** The name as the client wrote it. */
  original(name: string): string;
};

/**
 * Names in the history are already safe (`sendable`). If two tools would get the same name, the later one keeps its
 * own.
 */
export function withSafeNames(prompt: Prompt): { prompt: Prompt; names: SafeNames } {
  const originals = new Map<string, string>();
  const safe = new Map<string, string>();
  for (const { name } of prompt.tools) {
    const wanted = sendableName(name);
    const given = originals.has(wanted) ? name : wanted;
    originals.set(given, name);
    safe.set(name, given);
  }
  const named = (name: string): string => safe.get(name) ?? name;
  const names: SafeNames = { original: (name) => originals.get(name) ?? name };
  if ([...safe].every(([name, given]) => name === given)) return { prompt, names };
  const { toolChoice } = prompt;
  const chosen: { toolChoice?: ToolChoice } =
    typeof toolChoice === "object" ? { toolChoice: { name: named(toolChoice.name) } } : {};
  const tools = prompt.tools.map((tool) => ({ ...tool, name: named(tool.name) }));
  return { prompt: { ...prompt, ...chosen, tools }, names };
}
