/** Lists all limits for `toolwright doctor`: what can grow, how far, and what happens then. */

import { type ResourceBound, figureOf } from "../../../base/bound.ts";
import type { Style } from "../../view/plain.ts";
import { columns } from "../cli-context.ts";
import limits from "./limits.json" with { type: "json" };

/** `name` is unique, and is what the code calls it: "sessionBounds.windowFacts". */
export type BoundRow = { name: string } & ResourceBound;

type BoundSection = { title: string; rows: BoundRow[] };

/** Written by `npm run docs` from every room's `bounds.ts`. */
const sections: readonly BoundSection[] = JSON.parse(JSON.stringify(limits));

export const boundRows = (): BoundRow[] => sections.flatMap(({ rows }) => rows);

/** One section per area: the figure, what it bounds, and what happens beyond it. */
export const boundLines = (style: Style): string[] =>
  sections.flatMap(({ title, rows }) => [
    "",
    style.bold(title),
    ...columns(rows.map((row) => [figureOf(row), `${row.of}: ${row.beyond}`])),
  ]);
