/** A turn's message as it grows: the text of all its answers, blocks joined by a blank line, as the fold joins them. */

import type { Entry, Signal } from "../../../protocol/facts.ts";

export type TurnText = {
  /** Of answers that stand for good. */
  settled: string;
  /** Of the answer that is being written. */
  draft: string;
  /** The answer has asked for a call: it stands, also when it breaks off. */
  hasCalls: boolean;
  /** The answer broke off without a call: it is forgotten as soon as the model says something else. */
  isBroken: boolean;
  /** The last block that has its fact. */
  closed: number;
  /** What signals have told of the block that has none yet. */
  open?: OpenBlock;
};

type OpenBlock = { block: number; text: string; hasWords: boolean };

/** `closed`: blocks are numbered through the session. */
export const emptyText = (closed = 0): TurnText => ({
  settled: "",
  draft: "",
  hasCalls: false,
  isBroken: false,
  closed,
});

type TextDelta = Extract<Signal, { type: "text-delta" }>;

/** Signals may be lost: what does not go on from what is known waits for the fact of its block. */
export function heard(text: TurnText, { block, offset, text: piece }: TextDelta): TurnText {
  if (block <= text.closed) return text;
  const before = text.open?.block === block ? text.open : { text: "", hasWords: false };
  if (offset > before.text.length) return text;
  // Joined pieces are looked at as late as possible: that copies them.
  const goesOn = offset === before.text.length;
  const kept = goesOn ? before.text : before.text.slice(0, offset);
  const hasWords = (goesOn ? before.hasWords : !isBlank(kept)) || !isBlank(piece);
  return { ...text, open: { block, text: kept + piece, hasWords } };
}

export type Saying = Extract<Entry, { type: "text" | "reasoning" | "call" | "answer-end" }>;

export function told(text: TurnText, entry: Saying): TurnText {
  const { open, ...rest } = text.isBroken ? forgotten(text) : text;
  switch (entry.type) {
    case "text":
      return { ...rest, ...later(open, entry.block), draft: joined(rest.draft, entry.text) };
    case "reasoning":
      return { ...rest, ...later(open, entry.block) };
    case "call":
      return { ...rest, ...(open ? { open } : {}), hasCalls: true };
    case "answer-end": {
      const broke = entry.reason === "failed" || entry.reason === "interrupted";
      return broke && !rest.hasCalls ? { ...rest, isBroken: true } : settledNow(rest);
    }
    default:
      return entry satisfies never;
  }
}

/** This block has its fact now, and what came of it as signals is of no use any more. */
const later = (open: TurnText["open"], closed: number): Pick<TurnText, "closed" | "open"> =>
  open && open.block > closed ? { closed, open } : { closed };

/** The turn is over: what broke off last stands, for nothing was said instead. */
export const settledNow = ({ settled, draft, closed }: TurnText): TurnText => ({
  ...emptyText(closed),
  settled: joined(settled, draft),
});

function forgotten({ settled, closed, open }: TurnText): TurnText {
  return { ...emptyText(closed), settled, ...(open ? { open } : {}) };
}

/** What the message says now. What broke off is dropped from it with the first word that is said instead. */
export function wholeText({ settled, draft, isBroken, open }: TurnText): string {
  const said = open?.hasWords ? open.text : "";
  return isBroken && said !== "" ? joined(settled, said) : joined(joined(settled, draft), said);
}

export const isBlank = (text: string): boolean => text.trim() === "";

/** A block of nothing but white space says nothing. */
function joined(text: string, block: string): string {
  if (isBlank(block)) return text;
  return text === "" ? block : `${text}\n\n${block}`;
}

/**
 * How what a client has becomes what it should have: cut to a length, where something of it is wrong, then more of it.
 */
type Growth = { cut?: number; more: string };

/**
 * `isOpen`: more is to come, so that what is only shorter than before may be about to be told again.
 */
export function growth(shown: string, whole: string, isOpen: boolean): Growth {
  if (whole.startsWith(shown)) return { more: whole.slice(shown.length) };
  if (isOpen && shown.startsWith(whole)) return { more: "" };
  const cut = commonLength(shown, whole);
  return { cut, more: whole.slice(cut) };
}

/** Never within a surrogate pair. */
function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return /[\uD800-\uDBFF]/u.test(one[length - 1] ?? "") ? length - 1 : length;
}
