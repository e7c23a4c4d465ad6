/**
 * The ids of calls as a format takes them: providers refuse each other's. Different ids stay different in a request.
 */

import type { AssistantPart } from "../protocol/messages.ts";

export type Ids = (id: string) => string;

/** The ids of an answer's calls: what its form depends on besides itself. */
export const idsIn = (parts: readonly AssistantPart[], ids: Ids): string =>
  parts.map((part) => (part.type === "call" ? ids(part.call.id) : "")).join(" ");

/** Letters, digits, `_` and `-`, at most 64: what Anthropic (the characters) and OpenAI (the length) ask for. */
export function safeIds(): Ids {
  return idsOf((id, count) => {
    const ending = count === 1 ? "" : `_${count}`;
    const cleaned = id.replaceAll(/[^a-zA-Z0-9_-]/g, "_") || "call";
    return cleaned.slice(0, longest - ending.length) + ending;
  });
}

const longest = 64;

/**
 * Exactly nine letters and digits, as the models of one vendor have it
 * (mistral-common, src/mistral_common/protocol/instruct/validator.py).
 */
export function nineCharacterIds(): Ids {
  return idsOf((id, count) => {
    if (count === 1 && /^[a-zA-Z0-9]{9}$/.test(id)) return id;
    const ending = count === 1 ? "" : count.toString(36);
    const cleaned = id.replaceAll(/[^a-zA-Z0-9]/g, "");
    return cleaned.slice(ending.length - 9).padStart(9 - ending.length, "0") + ending;
  });
}

/** `shape` makes the nth id of those that would be the same. What an id becomes depends on those before it alone. */
function idsOf(shape: (id: string, count: number) => string): Ids {
  const made = new Map<string, string>();
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return (id) => {
    const known = made.get(id);
    if (known !== undefined) return known;
    const first = shape(id, 1);
    let free = first;
    for (let count = counts.get(first) ?? 2; taken.has(free); count += 1) {
      free = shape(id, count);
      counts.set(first, count + 1);
    }
    made.set(id, free);
    taken.add(free);
    return free;
  };
}
