/** What a session has from those who extend it, put together: their tools, their words in its turns. */

import type { AddonPart, AddonRoom, OpenPart } from "../../addons/part.ts";
import type { AgentDefinition } from "../../addons/skills/definition.ts";
import { type Extensions, type Guarded, together } from "../../agent/extensions.ts";
import type { Part } from "../../protocol/messages.ts";
import type { Tool } from "../../tools/tool.ts";

export type SessionAddons = {
  /** As they are now. */
  tools(): readonly Tool[];
  /** Those that tasks can be given to, as they are now; the same list as long as they are the same. */
  agents(): readonly AgentDefinition[];
  /** As they are now. */
  extensions(): Extensions;
  prompt(content: readonly Part[], signal: AbortSignal): Promise<Guarded>;
  /** Resolves once it is known what of the workspace waits for a person to agree. */
  ready(): Promise<void>;
  close(): Promise<void>;
};

const nobody: readonly AgentDefinition[] = [];

export const noAddons: SessionAddons = {
  tools: () => [],
  agents: () => nobody,
  extensions: () => ({}),
  prompt: () => Promise.resolve({ facts: [] }),
  ready: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** In this order each has its word. A session without any pays nothing. */
export function openParts(open: readonly OpenPart[], room: AddonRoom): SessionAddons {
  const parts = open.flatMap((one) => one(room) ?? []);
  if (parts.length === 0) return noAddons;
  return {
    tools: () => parts.flatMap((part) => part.tools?.() ?? []),
    agents: () => agentsOf(parts),
    extensions: () => onlyPresent(parts.map((part) => part.points?.() ?? part)),
    prompt: (content, signal) => promptThrough(parts, content, signal),
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

/** Where nobody listens, nothing is made ready. */
function onlyPresent(parts: readonly Extensions[]): Extensions {
  const all: Extensions = together(parts);
  for (const point of points) if (!parts.some((part) => part[point])) delete all[point];
  return all;
}

async function promptThrough(
  parts: readonly AddonPart[],
  content: readonly Part[],
  signal: AbortSignal,
): Promise<Guarded> {
  const facts: Guarded["facts"] = [];
  for (const part of parts) {
    const said = await part.prompt?.(content, signal);
    facts.push(...(said?.facts ?? []));
    if (said?.veto !== undefined) return { facts, veto: said.veto };
  }
  return { facts };
}
