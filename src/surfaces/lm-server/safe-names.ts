/** Tools under names that every provider takes: clients of one vendor may write what another vendor refuses. */

import { sendableName } from "../../protocol/history.ts";
import type { ToolChoice } from "../../protocol/messages.ts";
import type { Prompt } from "../../providers/provider.ts";

export type SafeNames = {
  /** As the client wrote it. */
  original(name: string): string;
};

/**
 * The history's names are safe already (`sendable`). Of two tools whose names become one, the later is left as it is.
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
