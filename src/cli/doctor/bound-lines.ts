/** Lists all bounds for `toolwright doctor`: what can grow, how far, and what happens then. */

import { type BoundSection, figureOf } from "../../base/bound.ts";
import type { Style } from "../../view/plain.ts";
import { columns } from "../cli-context.ts";
import { boundRows } from "./bound-rows.gen.ts";

export const everyBound = (): BoundSection["rows"] => boundRows.flatMap(({ rows }) => rows);

/** One section per area: the figure, what it bounds, and what happens beyond it. */
export const boundLines = (style: Style): string[] =>
  boundRows.flatMap(({ title, rows }) => [
    "",
    style.bold(title),
    ...columns(rows.map((row) => [figureOf(row), `${row.of}: ${row.beyond}`])),
  ]);
