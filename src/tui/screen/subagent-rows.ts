/** A subagent in one row: its task, what it does now, and what it has taken so far. */

import { countOf } from "../../base/amounts.ts";
import { visibleLine } from "../../base/visible-text.ts";
import type { CallBlock } from "../../view/blocks.ts";
import { shortCost } from "../../view/cost.ts";
import { duration } from "../../view/status.ts";
import type { Style } from "../../view/style.ts";
import { clippedRow, styledWidth } from "../styled-rows.ts";

/** What is known of a session that works in this program. `cost`: in words. */
export type SubagentFigures = { calls: number; cost: string };

const mostTask = 0.5;

export function subagentRow(
  call: CallBlock,
  { style, columns }: { style: Style; columns: number },
  { mark, passed, figures }: { mark: string; passed: number; figures: SubagentFigures | undefined },
): string {
  const told = [duration(passed), ...(figures ? [countOf(figures.calls, "call"), figures.cost] : [])].join(
    " · ",
  );
  const task = clippedRow(visibleLine(call.title), Math.max(12, Math.floor(columns * mostTask)));
  const head = `  ${mark} ${task}`;
  const doing = call.output.findLast((line) => line.trim() !== "");
  const space = columns - 1 - styledWidth(head) - styledWidth(told) - 6;
  const now = doing === undefined || space < 8 ? "" : ` · ${clippedRow(visibleLine(doing.trim()), space)}`;
  return clippedRow(`${head}${style.dim(`${now} · ${told}`)}`, columns);
}

/** What it took in all, behind the row of its call. */
export const spentWords = ({ spent }: CallBlock): string =>
  spent === undefined ? "" : ` · ${duration(spent.ms)} · ${shortCost(spent.cost)} · /agents opens it`;
