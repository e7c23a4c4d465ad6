/** Lists all bounds for `toolwright doctor`: what can grow, how far, and what happens at the limit. */

import { type Bound, figureOf } from "../../../base/bound.ts";
import { areas, bounds } from "../../../base/bounds.ts";
import type { Style } from "../../view/plain.ts";
import { columns } from "../room.ts";

/** `name` is unique: "session.windowFacts". */
export type BoundRow = { name: string } & Bound;

/** All bounds, in table order. */
export const boundRows = (): BoundRow[] =>
  Object.entries(bounds).flatMap(([area, named]) =>
    Object.entries(named).map(([name, bound]) => ({ name: `${area}.${name}`, ...bound })),
  );

/** One section per area: the figure, what it bounds, and what happens beyond it. */
export function boundLines(style: Style): string[] {
  return Object.entries(areas).flatMap(([area, title]) => {
    const rows = boundRows().filter(({ name }) => name.startsWith(`${area}.`));
    const lines = columns(rows.map((row) => [figureOf(row), `${row.of}: ${row.beyond}`]));
    return ["", style.bold(title), ...lines];
  });
}
