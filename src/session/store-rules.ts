/** Logic shared by every store: order of entries, closed blocks, titles, copies. */

import { minutes } from "../base/bound.ts";
import { factVersion } from "../protocol/fact-words.ts";
import type { Entry } from "../protocol/facts.ts";
import { checkpointId } from "../protocol/fold-changes.ts";
import { step } from "../protocol/fold.ts";
import { type ContentPart, typedIn } from "../protocol/messages.ts";
import { emptyState } from "../protocol/session-state.ts";
import { type Holder, isAlive, isInTheWay } from "./owner.ts";
import { type Claim, SessionHeld, type SessionInfo, type StoredLog, StoreError } from "./store.ts";

/** Throws a StoreError unless the entries continue after `last` without a gap. */
export function requireOrder(session: string, last: number, entries: readonly Pick<Entry, "seq">[]): void {
  const wrong = entries.findIndex((entry, index) => entry.seq !== last + 1 + index);
  if (wrong === -1) return;
  throw new StoreError(
    `Session ${session} goes on at ${last + 1 + wrong}, not at ${entries[wrong]?.seq}; nothing was written. Resume it to go on.`,
  );
}

/** `read`: how many facts could be read in order, of the `facts` that the session should have. */
export const notWhole = (session: string, { facts, read }: { facts: number; read: number }): StoreError =>
  new StoreError(
    `Session ${session} cannot be gone on with: the database says that it has ${facts} facts, and they can be read up to ${read}. It is damaged, or another program has changed it; it was left as it is. Restore a copy of the database, or start another session.`,
  );

export const noSession = (session: string): StoreError =>
  new StoreError(`There is no session ${session} in this store. Start a new one, or list those there are.`);

export const sessionExists = (session: string): StoreError =>
  new StoreError(`Session ${session} exists already. Resume it, or choose another id.`);

/** Throws SessionHeld if the claim may not take the session from its holder. */
export function requireClaimable(
  session: string,
  holder: Holder | undefined,
  claim: Claim | undefined,
): void {
  const now = Date.now();
  const isRefused = holder && claim && !claim.takeOver && isInTheWay(holder, claim.owner, now);
  if (isRefused) throw new SessionHeld(session, holder, now);
}

/** Throws SessionHeld as long as a living process holds the session, even this one. */
export function requireFree(session: string, holder: Holder | undefined): void {
  const now = Date.now();
  if (holder && isAlive(holder, now)) throw new SessionHeld(session, holder, now);
}

/** The facts that a copy begins with, decoded; more than there are is refused later. */
export function entriesToCopy(store: Pick<StoredLog, "read">, from: string, upTo: number): Promise<Entry[]> {
  const facts = upTo > 0 && Number.isSafeInteger(upTo) ? upTo : 0;
  return store.read(from, 0, { facts, characters: Number.POSITIVE_INFINITY });
}

/** The highest number of an open block that these entries supersede; -1 for none. */
export function closedBlock(entries: readonly Entry[]): number {
  return entries.reduce((closed, entry) => {
    if (entry.type === "answer-end") return Number.MAX_SAFE_INTEGER;
    return entry.type === "text" || entry.type === "reasoning" ? Math.max(closed, entry.block) : closed;
  }, -1);
}

/** Most characters of a title. */
const titleLength = 80;

/** The first words of the first user message among the entries, on one line; empty if there is none. */
function titleOf(entries: readonly Entry[]): string {
  for (const entry of entries) {
    if (entry.type !== "user-message") continue;
    const title = firstWords(typedIn(entry.content, " ").trim() || filesIn(entry.content));
    if (title !== "") return title;
  }
  return "";
}

const filesIn = (content: readonly ContentPart[]): string =>
  content.flatMap((part) => (part.type === "text" && part.file !== undefined ? [part.file] : [])).join(" ");

function firstWords(text: string): string {
  const start = text
    .trimStart()
    .slice(0, titleLength * 10)
    .toWellFormed();
  const line = inOneLine(start);
  if (line.length <= titleLength) return line; // the segmenter takes 12 ms to load
  const characters = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment);
  if (characters.length <= titleLength) return line;
  const cut = characters.slice(0, titleLength).join("");
  const lastSpace = cut.lastIndexOf(" ");
  const kept =
    lastSpace > titleLength / 2 ? cut.slice(0, lastSpace) : characters.slice(0, titleLength - 1).join("");
  return `${kept}…`;
}

/** A day: how long a blob waits for the fact that will name it. */
export const looseMs = 24 * 60 * minutes;

/** Every hash in a stored fact, as each may name a content. */
export const hashesIn = (text: string): Set<string> =>
  new Set(Array.from(text.matchAll(/"([0-9a-f]{64})"/g), ([, hash = ""]) => hash));

/** The title after these entries: the last name a person gave, else the previous title, else the first words. */
export function titleAfter(title: string, entries: readonly Entry[]): string {
  const renamed = entries.findLast((entry) => entry.type === "session-renamed");
  const name = renamed?.type === "session-renamed" ? nameFrom(renamed.title) : "";
  return name || title || titleOf(entries);
}

/** Most characters of a name that a person gives. */
const longestName = 200;

/** A session's name as lists show it: on one line, and limited in length. Empty if the text has no words. */
export const nameFrom = (text: string): string => inOneLine(text).slice(0, longestName).toWellFormed();

const inOneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();

/**
 * The first facts of a session, adapted to a copy, plus results for running calls, which the copy must not settle
 * itself.
 */
export function copyEntries(entries: readonly Entry[], to: SessionInfo): Entry[] {
  const copies = entries.map((entry): Entry => {
    if (entry.type !== "session-start") return entry;
    const from = { session: entry.session, seq: entries.at(-1)?.seq ?? 0 };
    const { parent: _, ...rest } = entry; // a copy has no parent session
    return { ...rest, session: to.id, workspace: to.workspace, from };
  });
  return [...copies, ...running(entries)];
}

/** Results for changes and commands that had started: opening the copy must neither repeat nor undo them. */
function running(entries: readonly Entry[]): Entry[] {
  const { open, calls, turn, seq } = entries.reduce(step, emptyState());
  const started = [...open].filter((id) => (calls.get(id)?.start?.does ?? "read") !== "read");
  return started.map((callId, at): Entry => {
    const words =
      "This session was copied while this ran in the one that it is from: its outcome is unknown. Check what it did before repeating it.";
    const content = [{ type: "text" as const, text: words }];
    const stamp = { v: factVersion, seq: seq + 1 + at, at: entries.at(-1)?.at ?? 0, turn };
    return { type: "result", callId, outcome: "interrupted", content, ...stamp };
  });
}

/** Throws a StoreError unless the session has that many facts. */
export function requireFacts(session: string, upTo: number, facts: number): void {
  if (Number.isInteger(upTo) && upTo >= 1 && upTo <= facts) return;
  throw new StoreError(
    `Session ${session} has ${facts} facts; it cannot be copied up to ${upTo}. Choose a number from 1 to ${facts}.`,
  );
}

/**
 * Maps image owners to those of the copy, since a checkpoint's name contains its session's. Absent owners belong to a
 * later turn.
 */
export function copiedOwners(entries: readonly Entry[], to: SessionInfo): Map<string, string> {
  const state = entries.reduce(step, emptyState());
  const copy = { ...state, session: to.id };
  return new Map([
    ...state.turns.map(({ turn }) => [checkpointId(state, turn), checkpointId(copy, turn)] as const),
    ...[...state.staged.keys()].map((token) => [token, token] as const),
  ]);
}
