/**
 * Rewrites call ids for formats that restrict them, as providers refuse each other's ids. Distinct ids stay distinct
 * within a request.
 */

import type { AssistantPart } from "../protocol/messages.ts";

export type CallIdMapping = (id: string) => string;

/** The ids of an answer's calls as one text: a cache key, because the answer's encoded form depends on them. */
export const idsIn = (parts: readonly AssistantPart[], ids: CallIdMapping): string =>
  parts.map((part) => (part.type === "call" ? ids(part.call.id) : "")).join(" ");

/** Ids of letters, digits, `_` and `-`, at most 64 long: Anthropic restricts the characters, OpenAI the length. */
export function safeIds(): CallIdMapping {
  return idsOf((id, count) => {
    const ending = count === 1 ? "" : `_${count}`;
    const cleaned = id.replaceAll(/[^a-zA-Z0-9_-]/g, "_") || "call";
    return cleaned.slice(0, longest - ending.length) + ending;
  });
}

const longest = 64;

/**
 * Ids of exactly nine letters and digits, as one vendor's models require (mistral-common,
 * src/mistral_common/protocol/instruct/validator.py).
 */
export function nineCharacterIds(): CallIdMapping {
  return idsOf((id, count) => {
    if (count === 1 && /^[a-zA-Z0-9]{9}$/.test(id)) return id;
    const ending = count === 1 ? "" : count.toString(36);
    const cleaned = id.replaceAll(/[^a-zA-Z0-9]/g, "");
    return cleaned.slice(ending.length - 9).padStart(9 - ending.length, "0") + ending;
  });
}

/** `shape` numbers ids that would otherwise collide. An id's new form depends only on the ids before it. */
function idsOf(shape: (id: string, count: number) => string): CallIdMapping {
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
