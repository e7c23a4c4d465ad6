/** The tool that reads an earlier call's result again, after it left the context or was cut. */

import * as z from "zod/mini";
import { countOf } from "../base/amounts.ts";
import { byteLength, splitLines } from "../base/text.ts";
import { readAgain } from "../protocol/fold-compaction.ts";
import { textOf } from "../protocol/messages.ts";
import { countField } from "./arguments/shape.ts";
import { toolBounds } from "./bounds.ts";
import { defineTool, type EarlierResult, failedResult, type ToolResult, text } from "./tool.ts";

export const readResult = defineTool({
  name: readAgain,
  aliases: ["read_output", "show_result"],
  argumentAliases: {
    call: ["callId", "call_id", "id", "tool_call_id"],
    from: ["offset", "start", "start_line", "startLine"],
    lines: ["limit", "count"],
  },
  summary: "Read an earlier call's result where it was cut or left out.",
  does: "read",
  input: () => ({
    call: z.string(),
    from: z.optional(countField()), // the result tells how to read on
    lines: z.optional(countField()),
  }),
  title: ({ call, from }) =>
    `Read the result of ${call} again${from === undefined ? "" : `, from line ${from}`}`,
  async run({ call, from = 1, lines = mostLines }, context) {
    const found = await context.result(call.trim());
    return found.ok ? pageOf(call.trim(), found.value, { from, lines }) : failedResult(found.problem);
  },
});

/** Lines per page, few enough for small models. */
const mostLines = 400;
const mostBytes = toolBounds.resultPage.most;
/** Longer lines are split into pieces, so that all of their text can be reached. */
const longestLine = 2_000;

function pageOf(
  call: string,
  { of, parts }: EarlierResult,
  { from, lines }: { from: number; lines: number },
): ToolResult {
  const all = splitLines(textOf(parts)).flatMap(inPieces);
  const pictures = from === 1 ? parts.filter(({ type }) => type === "image") : [];
  if (all.length === 0)
    return { outcome: "ok", content: [...text(`[The result of ${of} has no text.]`), ...pictures] };
  if (from > all.length) return failedResult(`The result of ${of} has only ${countOf(all.length, "line")}.`);
  const shown = fitting(all.slice(from - 1, from - 1 + Math.min(lines, mostLines)));
  const last = from + shown.length - 1;
  const on = last < all.length ? ` Read on with call: ${JSON.stringify(call)}, from: ${last + 1}.` : "";
  const note = `[Lines ${from}-${last} of ${all.length} of the result of ${of}.${on}]`;
  return { outcome: "ok", content: [...text([note, ...shown].join("\n")), ...pictures] };
}

/** Splits at character boundaries. */
function inPieces(line: string): string[] {
  if (line.length <= longestLine) return [line];
  return line.match(/[^]{1,1000}/gu) ?? [line];
}

function fitting(lines: readonly string[]): readonly string[] {
  let left = mostBytes;
  const count = lines.findIndex((line) => (left -= byteLength(line) + 1) < 0);
  return count === -1 ? lines : lines.slice(0, Math.max(1, count));
}
