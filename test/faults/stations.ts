/**
 * Where a session may be when something goes wrong (SAFETY.md, section 6). Subagents have their own
 * (test/subagents.test.ts).
 */

import type { Failpoint } from "../../src/base/failpoint.ts";
import type { Entry, Signal } from "../../src/protocol/facts.ts";

/** A moment of the session: a fact or signal reported, or a failpoint reached. */
export type Moment = { told: Entry | Signal } | { point: Failpoint } | { point: "opened" };

type Station = {
  /** Whether this is it; `count` is how often the like was seen before. */
  is: (moment: Moment) => boolean;
  /** Skips this many matching moments first. */
  after?: number;
  /** A command for the session besides its task. */
  does?: "undo" | "compact";
  /** Another process checkpoints the database's log meanwhile. */
  checkpoints?: true;
  /** The database has an older version. */
  isOld?: true;
};

const point =
  (wanted: Failpoint | "opened") =>
  (moment: Moment): boolean =>
    "point" in moment && moment.point === wanted;

const told =
  (is: (event: Entry | Signal) => boolean) =>
  (moment: Moment): boolean =>
    "told" in moment && is(moment.told);

export const stations = {
  idle: { is: point("opened") },
  "streaming text": { is: told(({ type }) => type === "text-delta") },
  "streaming arguments": { is: told((event) => event.type === "call-delta" && event.characters > 0) },
  "between intent and start": {
    is: told((event) => event.type === "call-start" && event.does === "execute"),
  },
  "a tool running": { is: told(({ type }) => type === "output-delta") },
  "between result and storing": { is: point("call-ended"), after: 2 },
  "a question open": { is: told(({ type }) => type === "approval-asked") },
  "renaming a file": { is: point("file-change") },
  "in the middle of a patch": { is: point("file-change"), after: 2 },
  "keeping what was there": { is: point("image-kept"), after: 1 },
  shortening: { is: point("shortening"), does: "compact" },
  undoing: { is: point("file-change"), after: 4, does: "undo" },
  "bringing the database up to date": { is: point("migrating"), isOld: true },
  "copying the database's log back": { is: told(({ type }) => type === "result"), checkpoints: true },
} as const satisfies Record<string, Station>;

export type StationName = keyof typeof stations;

/** Returns whether this moment reaches the station; each is reached once. */
export function watchFor(name: StationName): (moment: Moment) => boolean {
  const { is, after = 0 }: Station = stations[name];
  let seen = 0;
  return (moment) => is(moment) && seen++ === after;
}

export const stationOf = (name: StationName): Station => stations[name];
