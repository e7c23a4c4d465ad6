/** A turn's growing message: the text of all its answers, with blocks joined by a blank line, as in the fold. */

import type { Entry, Signal } from "../../protocol/facts.ts";

export type TurnText = {
  /** Text of final answers. */
  settled: string;
  /** Text of the answer in progress. */
  draft: string;
  /** The answer contains a call, so its text stays even if it breaks off. */
  hasCalls: boolean;
  /** The answer broke off without a call: it is dropped as soon as the model says something else. */
  isBroken: boolean;
  /** The last block whose fact has arrived. */
  closed: number;
  /** Text from signals of the block whose fact has not arrived. */
  open?: GrowingBlock;
};

type GrowingBlock = { block: number; text: string; hasWords: boolean };

/** `closed`: block numbers run through the whole session. */
export const emptyText = (closed = 0): TurnText => ({
  settled: "",
  draft: "",
  hasCalls: false,
  isBroken: false,
  closed,
});

type TextDelta = Extract<Signal, { type: "text-delta" }>;

/** Signals may be lost: a chunk that does not continue the known text waits for its block's fact. */
export function withDelta(text: TurnText, { block, offset, text: piece }: TextDelta): TurnText {
  if (block <= text.closed) return text;
  const before = text.open?.block === block ? text.open : { text: "", hasWords: false };
  if (offset > before.text.length) return text;
  // Reading a concatenated string copies it, so the text itself is inspected as late as possible.
  const goesOn = offset === before.text.length;
  const kept = goesOn ? before.text : before.text.slice(0, offset);
  const hasWords = (goesOn ? before.hasWords : !isBlank(kept)) || !isBlank(piece);
  return { ...text, open: { block, text: kept + piece, hasWords } };
}

export type TextEntry = Extract<Entry, { type: "text" | "reasoning" | "call" | "answer-end" }>;

export function withEntry(text: TurnText, entry: TextEntry): TurnText {
  const { open, ...rest } = text.isBroken ? withoutDraft(text) : text;
  switch (entry.type) {
    case "text":
      return { ...rest, ...later(open, entry.block), draft: joinBlocks(rest.draft, entry.text) };
    case "reasoning":
      return { ...rest, ...later(open, entry.block) };
    case "call":
      return { ...rest, open, hasCalls: true };
    case "answer-end": {
      const broke = entry.reason === "failed" || entry.reason === "interrupted";
      return broke && !rest.hasCalls ? { ...rest, isBroken: true } : settledNow(rest);
    }
    default:
      return entry satisfies never;
  }
}

/** The block's fact has arrived, which makes the text from its signals obsolete. */
const later = (open: TurnText["open"], closed: number): Pick<TurnText, "closed" | "open"> =>
  open && open.block > closed ? { closed, open } : { closed };

/** The turn is over: an answer that broke off last stays, since no other text replaced it. */
export const settledNow = ({ settled, draft, closed }: TurnText): TurnText => ({
  ...emptyText(closed),
  settled: joinBlocks(settled, draft),
});

function withoutDraft({ settled, closed, open }: TurnText): TurnText {
  return { ...emptyText(closed), settled, ...(open ? { open } : {}) };
}

/** The message so far. A broken-off answer is dropped at the first word of the next one. */
export function wholeText({ settled, draft, isBroken, open }: TurnText): string {
  const said = open?.hasWords ? open.text : "";
  return isBroken && said !== "" ? joinBlocks(settled, said) : joinBlocks(joinBlocks(settled, draft), said);
}

export const isBlank = (text: string): boolean => text.trim() === "";

/** A block of white space only is ignored. */
function joinBlocks(text: string, block: string): string {
  if (isBlank(block)) return text;
  return text === "" ? block : `${text}\n\n${block}`;
}

/** How to update the client's text: cut it to a length if part of it is wrong, then append the rest. */
type Growth = { cut?: number; more: string };

/** `isOpen`: text is still arriving, so one that merely became shorter may be about to be repeated. */
export function growth(shown: string, whole: string, isOpen: boolean): Growth {
  if (whole.startsWith(shown)) return { more: whole.slice(shown.length) };
  if (isOpen && shown.startsWith(whole)) return { more: "" };
  const cut = commonLength(shown, whole);
  return { cut, more: whole.slice(cut) };
}

/** Never splits a surrogate pair. */
function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return /[\uD800-\uDBFF]/u.test(one[length - 1] ?? "") ? length - 1 : length;
}
