/** The tools offered to a session: with an up-to-date delegation tool, or without one. */

import type { AgentDefinition } from "../../addons/skills/definition.ts";
import { toolsDenied, toolsNamed } from "../../addons/skills/tool-names.ts";
import { type NamedAgent, delegate, delegateAmong } from "../../tools/delegate.ts";
import type { Tool } from "../../tools/tool.ts";

type AvailableTools = { tools: readonly Tool[]; agents: readonly AgentDefinition[] };

/** Returns the identical list as long as tools and agents are unchanged, so callers can compare by identity. */
export function toolsOffered(canDelegate: boolean): (there: AvailableTools) => readonly Tool[] {
  let last: { there: AvailableTools; offered: readonly Tool[] } | undefined;
  return (there) => {
    if (last && isSame(last.there, there)) return last.offered;
    last = { there, offered: toolsToOffer(there, canDelegate) };
    return last.offered;
  };
}

function toolsToOffer({ tools, agents }: AvailableTools, canDelegate: boolean): readonly Tool[] {
  const others = tools.filter((tool) => tool !== delegate);
  if (!canDelegate || others.length === tools.length) return others;
  const ours = delegateAmong({ tools: others, agents: agentsAmong(agents, others) });
  return tools.map((tool) => (tool === delegate ? ours : tool));
}

const isSame = (one: AvailableTools, other: AvailableTools): boolean =>
  one.agents === other.agents &&
  one.tools.length === other.tools.length &&
  one.tools.every((tool, at) => tool === other.tools[at]);

/** The agents, with their tools under the names used here. */
export const agentsAmong = (agents: readonly AgentDefinition[], among: readonly Tool[]): NamedAgent[] =>
  agents.map(({ name, description, tools, withoutTools }) => ({
    name,
    description,
    tools: tools && namesOf(toolsNamed(tools, among).tools),
    withoutTools: withoutTools && namesOf(toolsDenied(withoutTools, among)),
  }));

const namesOf = (tools: readonly Tool[]): string[] => tools.map(({ name }) => name);
