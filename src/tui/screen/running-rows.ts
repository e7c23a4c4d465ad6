/** A call that is not over: what it does, since when, and the last lines of its output. */

import { countOf } from "../../base/amounts.ts";
import { visibleLine } from "../../base/visible-text.ts";
import type { CallBlock } from "../../view/blocks.ts";
import { duration } from "../../view/status.ts";
import { clippedRow } from "../styled-rows.ts";
import type { RowLayout } from "./block-rows.ts";
import { spinnerAt } from "./spinner.ts";
import { type SubagentFigures, subagentRow } from "./subagent-rows.ts";

const mostLines = 3;
/** Shorter waits need no figure. */
const quickMs = 1_000;

/** A call about which a person is asked is on its card. */
export function runningRows(
  call: CallBlock,
  layout: RowLayout,
  { now, subagent }: { now: number; subagent?: SubagentFigures | undefined },
): string[] {
  if (call.state === "asking") return [];
  const { style, columns } = layout;
  const passed = now - (call.startedAt ?? now);
  if (call.child !== undefined && call.state === "running")
    return [subagentRow(call, layout, { mark: markOf(call, layout, passed), passed, figures: subagent })];
  const time = call.state === "running" && passed >= quickMs ? ` · ${duration(passed)}` : "";
  const row = `  ${markOf(call, layout, passed)} ${visibleLine(call.title)}${style.dim(time + stateOf(call))}`;
  const lines = call.output.flatMap((line) => lastDrawn(line));
  const before = (call.left ?? 0) + Math.max(0, lines.length - mostLines);
  const more = before > 0 ? [`    ${style.dim(`│ … ${countOf(before, "line")} before`)}`] : [];
  const last = lines.slice(-mostLines).map((line) => `    ${style.dim(`│ ${line}`)}`);
  return [row, ...(call.state === "running" ? [...more, ...last] : [])].map((each) =>
    clippedRow(each, columns),
  );
}

/** A program that redraws its line with carriage returns shows what it has drawn last. */
function lastDrawn(line: string): string[] {
  const drawn = line.split("\r").findLast((part) => part.trim() !== "");
  return drawn === undefined ? [] : [visibleLine(drawn)];
}

function markOf({ state }: CallBlock, { style }: RowLayout, passed: number): string {
  if (state === "running") return style.cyan(spinnerAt(passed));
  return style.dim("○");
}

function stateOf({ state, characters = 0 }: CallBlock): string {
  if (state === "pending") return " · waits for its turn";
  return state === "writing" && characters > 0 ? ` · ${(characters / 1000).toFixed(1)} KB` : "";
}
