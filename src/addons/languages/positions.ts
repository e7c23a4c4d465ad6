/** Converts text positions: servers count in a negotiated unit, people count lines and columns from 1. */

/** Both from 0; `character` in the server's unit. */
export type DocumentPosition = { line: number; character: number };
export type DocumentRange = { start: DocumentPosition; end: DocumentPosition };
export type Unit = "utf-8" | "utf-16" | "utf-32";

/** Splits into lines as servers do: at every kind of line ending. */
export const linesOf = (text: string): string[] => text.split(/\r\n|\r|\n/);

/** The string index after this many units of a line, at most the line's length. */
export function indexIn(line: string, character: number, unit: Unit): number {
  if (unit === "utf-16") return Math.min(Math.max(0, character), line.length);
  let index = 0;
  for (let left = character; left > 0 && index < line.length;) {
    const point = line.codePointAt(index) ?? 0;
    left -= unit === "utf-32" ? 1 : bytesOf(point);
    if (left < 0) break;
    index += point > 0xffff ? 2 : 1;
  }
  return index;
}

/** The number of units before this index of a line. */
export function unitsBefore(line: string, index: number, unit: Unit): number {
  const before = line.slice(0, index);
  if (unit === "utf-16") return before.length;
  return unit === "utf-32" ? Array.from(before).length : Buffer.byteLength(before);
}

function bytesOf(point: number): number {
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}

/** The offset in a text; undefined if the line does not exist. A character beyond the end of its line is clamped. */
export function offsetIn(
  text: string,
  { line, character }: DocumentPosition,
  unit: Unit,
): number | undefined {
  let start = 0;
  const endings = /\r\n|\r|\n/g;
  for (let at = 0; at < line; at++) {
    if (endings.exec(text) === null) return undefined;
    start = endings.lastIndex;
  }
  const end = endings.exec(text)?.index ?? text.length;
  return start + indexIn(text.slice(start, end), character, unit);
}
