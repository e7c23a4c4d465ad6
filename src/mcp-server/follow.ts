/** Follows a turn of a session until it ends or cannot continue without a person's answer. */

import type { SessionHost } from "../hosting/session-host.ts";
import type { Entry, FactOf, Signal } from "../protocol/facts.ts";
import { type PersonQuestion, notePending, type Pending } from "../view/person-questions.ts";

/** "gone": the caller no longer waits, or the session was deleted. */
export type TurnStop =
  | { type: "ended"; end: FactOf<"turn-end"> }
  | { type: "waits"; asked: readonly PersonQuestion[] }
  | { type: "gone" };

type TurnFollower = {
  id: string;
  /** The fact before the turn's first: each follow starts at the turn's beginning. */
  after: number;
  signal: AbortSignal;
  /** Whether the follower can ask a person. */
  person: boolean;
  /** The numbers of the questions that were answered. */
  answered: ReadonlySet<number>;
  heard: (event: Entry | Signal) => void;
};

/** Questions that arrive within this time are reported together. */
const gatherMs = 40;

export async function followTurn(host: SessionHost, following: TurnFollower): Promise<TurnStop> {
  const { id, after, signal, person, answered, heard } = following;
  const pending: Pending = new Map();
  const enough = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  try {
    const both = AbortSignal.any([signal, enough.signal]);
    for await (const event of host.follow(id, after, { signal: both, person })) {
      heard(event);
      notePending(pending, event, answered);
      if (event.type === "turn-end") return { type: "ended", end: event };
      if (pending.size === 0) {
        clearTimeout(timer);
        timer = undefined;
      } else timer ??= setTimeout(() => enough.abort(), gatherMs);
    }
  } finally {
    clearTimeout(timer);
  }
  const isWaiting = enough.signal.aborted && !signal.aborted && pending.size > 0;
  return isWaiting ? { type: "waits", asked: [...pending.values()] } : { type: "gone" };
}
