/** The quotes and list items that a block stands in, and what they write before its rows. */

import { indentOf } from "./line-starts.ts";
import { type Piece, plainLook, widthOf, withStyle } from "./look.ts";

/** Plain data. */
export type Container = {
  type: "document" | "quote" | "item";
  /** Blanks before what belongs to an item. */
  indent: number;
  /** Stands before an item's first row. */
  marker: string;
  isMarked: boolean;
  /** The kind of the last block in it. */
  last: "nothing" | "item" | "other";
};

export const newContainer = (type: Container["type"], indent = 0, marker = ""): Container => ({
  type,
  indent,
  marker,
  isMarked: false,
  last: "nothing",
});

/** Deeper ones would have no use for a reader. */
export const mostContainers = 30;

/** How many of the containers the line goes on with, and the rest of the line within them. */
export function matchContainers(
  containers: readonly Container[],
  line: string,
): { count: number; rest: string } {
  let rest = line;
  for (const [count, container] of containers.entries()) {
    const inner = innerOf(container, rest);
    if (inner === undefined) return { count, rest };
    rest = inner;
  }
  return { count: containers.length, rest };
}

function innerOf({ type, indent }: Container, line: string): string | undefined {
  if (type === "document") return line;
  if (type === "quote") return /^ {0,3}>/u.test(line) ? line.replace(/^ *> ?/u, "") : undefined;
  if (line.trim() === "") return "";
  return indentOf(line) >= indent ? line.slice(indent) : undefined;
}

/** What stands before a row. Containers that would take more than half of the columns are left out. */
export function marginOf(
  containers: readonly Container[],
  { columns, unicode }: { columns: number; unicode: boolean },
): Piece[] {
  const margin: Piece[] = [];
  let left = Math.floor(columns / 2);
  for (const container of containers) {
    const piece = marginPiece(container, unicode);
    left -= widthOf(piece.text);
    if (left < 0) break;
    margin.push(piece);
  }
  return margin;
}

function marginPiece({ type, marker, isMarked }: Container, unicode: boolean): Piece {
  if (type === "quote") return { text: unicode ? "│ " : "| ", look: withStyle(plainLook, "dim") };
  return { text: isMarked ? " ".repeat(widthOf(marker)) : marker, look: plainLook };
}

/** Blocks are set off from each other; in a list, only where its source does so. */
export function isSetOff(container: Container, kind: Container["last"], isAfterEmpty: boolean): boolean {
  if (container.last === "nothing") return false;
  const isTight = container.type === "item" || (container.last === "item" && kind === "item");
  return isAfterEmpty || !isTight;
}
