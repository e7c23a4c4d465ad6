/** How far each session has been read in this browser, to mark sessions with unread content. */

import { mostSeenMarks } from "../bounds.ts";

const key = "toolwright-seen";

export type SeenStorage = Pick<Storage, "getItem" | "setItem">;

/** Session → number of its last fact on display; the most recent session last. */
export type SeenFacts = ReadonlyMap<string, number>;

export function seenIn(storage: SeenStorage): SeenFacts {
  try {
    const kept: unknown = JSON.parse(storage.getItem(key) ?? "[]");
    return new Map(Array.isArray(kept) ? kept.filter(isMark) : []);
  } catch {
    return new Map();
  }
}

const isMark = (value: unknown): value is [string, number] =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === "string" && typeof value[1] === "number";

export function withSeen(seen: SeenFacts, session: string, facts: number): SeenFacts {
  const others = [...seen].filter(([id]) => id !== session).slice(1 - mostSeenMarks);
  return new Map([...others, [session, facts]]);
}

/** If the browser's storage is full, the marks are lost, and nothing else. */
export function keepSeen(storage: SeenStorage, seen: SeenFacts): void {
  try {
    storage.setItem(key, JSON.stringify([...seen]));
  } catch {
    return;
  }
}

/** A session never shown here is not marked: otherwise a first visit would mark all of them. */
export const isUnread = (seen: SeenFacts, { id, facts }: { id: string; facts: number }): boolean =>
  facts > (seen.get(id) ?? Infinity);

type SessionProgress = { id: string; facts: number; title: string };

/** Renaming a fully read session does not mark it unread. */
export function seenAfterNames(
  seen: SeenFacts,
  before: readonly SessionProgress[] | undefined,
  now: readonly SessionProgress[],
): SeenFacts {
  const known = new Map(before?.map((row) => [row.id, row]));
  const isNamed = ({ id, facts, title }: SessionProgress): boolean => {
    const last = known.get(id);
    return last?.facts === facts - 1 && last.title !== title && seen.get(id) === last.facts;
  };
  return now.filter(isNamed).reduce((marks, { id, facts }) => withSeen(marks, id, facts), seen);
}
