/** Joins neighbouring frames of one read that differ in nothing but their piece of the answer: they are parsed as one. */

import { kib } from "../base/bound.ts";
import { isObject, parseJson } from "../base/json.ts";
import type { SseEvent } from "./framing.ts";

/** `apart`: a piece in which this occurs stays a frame of its own. */
type FramePiece = { text: unknown; apart?: RegExp };

/**
 * Where a wire's frame holds its piece of text, thought or arguments. Undefined if the frame says anything besides that
 * would count twice, or between two such frames.
 */
export type PieceOf = (frame: Record<string, unknown>) => FramePiece | undefined;

/** What the frames of one kind have in common, up to the quotation mark before their piece, and from the one behind it. */
type FrameForm = { head: string; tail: string; apart: RegExp | undefined };

/** Stands for the piece while a form is looked for. */
const anyPiece = "(piece)";

/** Longest frame from which a form is read. */
const mostFormText = 16 * kib;

/** Joins the frames of one stream, batch by batch. */
export class FrameJoiner {
  readonly #pieceOf: PieceOf;
  #form: FrameForm | undefined;

  constructor(pieceOf: PieceOf) {
    this.#pieceOf = pieceOf;
  }

  /** Lines of JSON. */
  texts = (batch: readonly string[]): string[] =>
    this.#join(batch, { textOf: (text) => text, made: (text) => text });

  /** Server-sent events; what stands outside of the answer is left alone. */
  events = (batch: readonly SseEvent[]): SseEvent[] =>
    this.#join(batch, {
      textOf: ({ event, data, bare }) => (event === "error" || bare ? undefined : data),
      made: (data, { event }) => ({ event, data }),
    });

  #join<Frame>(
    batch: readonly Frame[],
    {
      textOf,
      made,
    }: { textOf: (frame: Frame) => string | undefined; made: (text: string, first: Frame) => Frame },
  ): Frame[] {
    const joined: Frame[] = [];
    /** The pieces for which the last frame stands. */
    let pieces: string[] = [];
    /** The text of the last frame, if it is of no known form. */
    let alone: string | undefined;
    const endRun = (): void => {
      const first = joined.at(-1);
      if (pieces.length > 1 && first !== undefined && this.#form)
        joined[joined.length - 1] = made(this.#form.head + pieces.join("") + this.#form.tail, first);
      pieces = [];
    };
    for (const frame of batch) {
      const text = textOf(frame);
      const piece = pieceIn(text, this.#form);
      if (piece !== undefined) {
        if (pieces.length === 0) joined.push(frame);
        pieces.push(piece);
        alone = undefined;
        continue;
      }
      endRun();
      const form = formOf(alone, text, this.#pieceOf);
      const both = [pieceIn(alone, form), pieceIn(text, form)].filter((one) => one !== undefined);
      if (form && both.length === 2) [this.#form, pieces, alone] = [form, both, undefined];
      else [joined[joined.length], alone] = [frame, text];
    }
    endRun();
    return joined;
  }
}

/** The piece as it is written, if the text is of this form. */
function pieceIn(text: string | undefined, form: FrameForm | undefined): string | undefined {
  if (text === undefined || !form) return undefined;
  const { head, tail, apart } = form;
  // An empty piece may mean something of its own.
  if (text.length <= head.length + tail.length || !text.startsWith(head) || !text.endsWith(tail))
    return undefined;
  const piece = text.slice(head.length, text.length - tail.length);
  return apart?.test(piece) || !isInString(piece) ? undefined : piece;
}

/** Whether it is all within one string of JSON. */
const isInString = (piece: string): boolean => !mayEndString.test(piece) || parseJson(`"${piece}"`).ok;

// oxlint-disable-next-line no-control-regex -- what JSON does not allow in a string
const mayEndString = /["\\\u0000-\u001f]/;

/** What two neighbouring frames have in common, if the rest of both is their piece. */
function formOf(one: string | undefined, other: string | undefined, pieceOf: PieceOf): FrameForm | undefined {
  if (one === undefined || other === undefined) return undefined;
  if (Math.max(one.length, other.length) > mostFormText || one.includes(anyPiece)) return undefined;
  const least = Math.min(one.length, other.length);
  let from = 0;
  while (from < least && one.charCodeAt(from) === other.charCodeAt(from)) from += 1;
  let behind = 0;
  while (behind < least - from && one.at(-1 - behind) === other.at(-1 - behind)) behind += 1;
  const start = one.lastIndexOf('"', from - 1) + 1;
  const end = one.indexOf('"', Math.max(start, one.length - behind));
  if (end === -1 || !/:\s?"$/.test(one.slice(Math.max(0, start - 3), start))) return undefined;
  const [head, tail] = [one.slice(0, start), one.slice(end)];
  // The text decides what differs: a key, or a value that a later one replaces, is not where the wire reads its piece.
  const frame = parseJson(head + anyPiece + tail);
  const piece = frame.ok && isObject(frame.value) ? pieceOf(frame.value) : undefined;
  return piece?.text === anyPiece ? { head, tail, apart: piece.apart } : undefined;
}

/** The only value of an object besides these keys that says anything, with its key. */
export function onlyEntry(
  object: unknown,
  besides: readonly string[] = [],
): [key: string, value: unknown] | undefined {
  if (!isObject(object)) return undefined;
  const [first, second] = Object.entries(object).filter(
    ([key, value]) => !besides.includes(key) && !saysNothing(value),
  );
  return second ? undefined : first;
}

const saysNothing = (value: unknown): boolean =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0);
