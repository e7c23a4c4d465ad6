/** Combines all addons of a session: their tools, their agents and their hooks into turns. */

import type { AddonPart, AddonContext, AddonOpener, NamedSymbol } from "../../addons/part.ts";
import type { AgentDefinition } from "../../addons/skills/definition.ts";
import { type Extensions, type GuardResult, together, untilVeto } from "../../agent/extensions.ts";
import type { LongWork } from "../../base/long-work.ts";
import type { ContentPart } from "../../protocol/messages.ts";
import { checkedTools } from "../../tools/checked-tools.ts";
import type { Tool } from "../../tools/tool.ts";

export type SessionAddons = {
  /** The tools available now. */
  tools(): readonly Tool[];
  /** The agents available now; the identical list as long as nothing changes. */
  agents(): readonly AgentDefinition[];
  /** The extensions active now. */
  extensions(): Extensions;
  /** The symbols whose name is like this, as far as that is known without starting anything. */
  symbols(query: string, signal: AbortSignal): Promise<readonly NamedSymbol[]>;
  /** What goes on in them that may take a while. */
  works(): readonly LongWork[];
  prompt(content: readonly ContentPart[], signal: AbortSignal): Promise<GuardResult>;
  /** Resolves once it is known which workspace contents await a person's approval. */
  ready(): Promise<void>;
  close(): Promise<void>;
};

const nobody: readonly AgentDefinition[] = [];

export const noAddons: SessionAddons = {
  tools: () => [],
  agents: () => nobody,
  extensions: () => ({}),
  works: () => [],
  symbols: () => Promise.resolve([]),
  prompt: () => Promise.resolve({ facts: [] }),
  ready: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** Parts are called in this order. A session without any pays nothing. `own`: those among them that a program brings. */
export function openParts(
  open: readonly AddonOpener[],
  place: Omit<AddonContext, "isCheckedElsewhere">,
  own: readonly AddonOpener[] = [],
): SessionAddons {
  const isCheckedElsewhere = (path: string): boolean => parts.some((part) => part.checks?.(path) === true);
  const brought = new Set<AddonPart>();
  const parts = open.flatMap((one) => {
    const part = one({ ...place, isCheckedElsewhere });
    if (part && own.includes(one)) brought.add(part);
    return part ?? [];
  });
  if (parts.length === 0) return noAddons;
  return {
    tools: () =>
      parts.flatMap((part) => {
        const tools = part.tools?.() ?? [];
        return brought.has(part) ? checkedTools(tools) : tools;
      }),
    agents: () => agentsOf(parts),
    extensions: () => onlyPresent(parts.map((part) => part.points?.() ?? part)),
    works: () => parts.flatMap((part) => part.works?.() ?? []),
    symbols: async (query, signal) => {
      const found = await Promise.allSettled(parts.map(async (part) => part.symbols?.(query, signal)));
      return found.flatMap((one) => (one.status === "fulfilled" ? (one.value ?? []) : []));
    },
    prompt: (content, signal) => untilVeto(parts.map((part) => () => part.prompt?.(content, signal))),
    ready: async () => {
      await Promise.allSettled(parts.map(async (part) => part.ready?.()));
    },
    close: async () => {
      await Promise.allSettled(parts.map(async (part) => part.close?.()));
    },
  };
}

function agentsOf(parts: readonly AddonPart[]): readonly AgentDefinition[] {
  const [first = nobody, ...others] = parts.flatMap((part) => (part.agents ? [part.agents()] : []));
  return others.length === 0 ? first : [...first, ...others.flat()];
}

const points = [
  "guards",
  "beforeCall",
  "afterCall",
  "beforeChange",
  "afterChange",
  "asked",
  "beforeAsk",
  "beforeCompaction",
  "beforeEnd",
] as const;

/** Drops extension points without listeners, so that the agent prepares nothing for them. */
function onlyPresent(parts: readonly Extensions[]): Extensions {
  const all: Extensions = together(parts);
  for (const point of points) if (!parts.some((part) => part[point])) delete all[point];
  return all;
}
