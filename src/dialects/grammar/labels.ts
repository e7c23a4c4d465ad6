/** Labels at the beginning of lines, such as `Action:`, with the decorations that models add. */

import { isNext, marksOf, takeUntil, type BlockReader, type StreamReading } from "../reading/reader.ts";

/** Each label, plain and in bold. */
export const labelForms = (...labels: readonly string[]): string[] =>
  labels.flatMap((label) => [`${label}:`, `**${label}:**`, `**${label}**:`]);

type LabelEnds = {
  /** Labels, which count only at the beginning of a line. */
  readonly labels: readonly string[];
  /** Marks that count anywhere. */
  readonly turns: readonly string[];
  /** The current position is at the beginning of a line. */
  readonly atLineStart?: boolean;
  readonly each?: (piece: string) => void;
};

/** Consumes text up to the next label or other end mark, which stays unread. */
export function* takeLines(reader: Pick<BlockReader, "input">, ends: LabelEnds): StreamReading<string> {
  const { labels, turns, each = () => undefined } = ends;
  const marks = marksOf([...new Set(labels.map(stemOf)), ...turns]);
  const pieces: string[] = [];
  let atLineStart = ends.atLineStart ?? false;
  const put = (piece: string): void => {
    const end = piece.lastIndexOf("\n");
    atLineStart = (end >= 0 || atLineStart) && piece.slice(end + 1).trim() === "";
    pieces.push(piece);
    each(piece);
  };
  for (;;) {
    const { mark } = yield* takeUntil(reader, marks, put);
    if (mark === undefined || turns.includes(mark)) return pieces.join("");
    for (const label of labels) if (atLineStart && (yield* isNext(reader, label))) return pieces.join("");
    put(reader.input.take(mark.length));
  }
}

/** The part of a label in which no other one stands: `**Action` of `**Action:**`. */
const stemOf = (label: string): string => /^\*\*\w+|^.*$/.exec(label)?.[0] ?? label;
