/** What stays below a conversation while it goes on: the to-do list, messages that wait, and what it waits for. */

import type { LongWork } from "../../base/long-work.ts";
import { visibleLine } from "../../base/visible-text.ts";
import type { Delivery, Todo } from "../../protocol/facts.ts";
import { duration, statusOf } from "../../view/status.ts";
import type { Transcript } from "../../view/transcript.ts";
import { graphemesOf } from "../input/graphemes.ts";
import { clippedRow, styledRows, styledWidth } from "../styled-rows.ts";
import type { RowLayout } from "./block-rows.ts";
import { hintsOf } from "./key-hints.ts";
import { spinnerAt } from "./spinner.ts";

const marks = { open: "☐", doing: "▸", done: "✓" } as const;
const mostTodos = 20;

/** In one row, or `isOpen`: each in a row of its own. */
export function todoRows(items: readonly Todo[], layout: RowLayout, isOpen: boolean): string[] {
  if (items.length === 0) return [];
  const { style, columns } = layout;
  const words = items.map(({ state, text }) => {
    const line = `${marks[state]} ${visibleLine(text)}`;
    return state === "done" ? style.dim(line) : line;
  });
  if (isOpen) {
    const left = words.length - mostTodos;
    const more = left > 0 ? [`  ${style.dim(`… and ${left} more`)}`] : [];
    return [...words.slice(0, mostTodos).map((line) => clippedRow(`  ${line}`, columns)), ...more];
  }
  const [hint = ""] = hintsOf(layout, "todos", "list");
  // What is being done now must be in sight.
  const at = items.findIndex(({ state }) => state !== "done");
  const row = words.slice(Math.max(0, at - 1)).join("   ");
  return [spread(`  ${row}`, style.dim(hint), columns)];
}

/** A message that was said while it works. */
export type WaitingMessage = { text: string; when: Delivery };

/** `isTakenBack`: ↑ takes back the last one now. */
export function queuedRows(
  queued: readonly WaitingMessage[],
  layout: RowLayout,
  { runs, isTakenBack }: { runs: boolean; isTakenBack: boolean },
): string[] {
  const { style, columns } = layout;
  return queued.map(({ text, when }, at) => {
    const next = when === "steer" ? "at its next step" : "after this request";
    const edits = isTakenBack && at === queued.length - 1 ? hintsOf(layout, "up", "edits it") : [];
    const until = [runs ? next : "with your next message", ...edits].join(" · ");
    return spread(`  » ${visibleLine(text)}`, style.dim(until), columns);
  });
}

/** Messages that were sent while nobody took them. */
export const aheadRows = (ahead: readonly string[], { style, columns }: RowLayout): string[] =>
  ahead.map((text) =>
    spread(`  » ${visibleLine(text.slice(0, columns))}`, style.dim("when this is done"), columns),
  );

const draftLabel = " your message: ";
/** Of a longer draft only the end is looked at: enough for any row. */
const mostOfDraft = 2_000;
/** A hint beside fewer columns of the draft is left out. */
const fewestOfDraft = 8;

/** What is being written while a card stands, in one row: its end, where the person types. `isSent`: by Enter. */
export function draftRows(draft: string, layout: RowLayout, { isSent }: { isSent: boolean }): string[] {
  if (draft === "") return [];
  const { style, columns } = layout;
  const hint = isSent ? hintsOf(layout, "send", "sends it").map((words) => `   ${words}`) : [];
  const space = columns - 1 - draftLabel.length;
  const left = space - styledWidth(hint.join(""));
  const [most, end] = left < fewestOfDraft ? [space, ""] : [left, hint.join("")];
  const written = endOf(visibleLine(draft.slice(-mostOfDraft)), most);
  return [clippedRow(style.dim(draftLabel + written + end), columns)];
}

/** The end of a text that fits these columns; a mark stands for what is before it. */
function endOf(text: string, columns: number): string {
  if (styledWidth(text) <= columns) return text;
  let [end, left] = ["", columns - 1];
  for (const character of graphemesOf(text).toReversed()) {
    left -= styledWidth(character);
    if (left < 0) break;
    end = character + end;
  }
  return `…${end}`;
}

/** What nothing else shows: that the model has not answered yet, writes a call, or is asked again. */
export function activityRows(transcript: Transcript, { style, columns }: RowLayout, now: number): string[] {
  const status = statusOf(transcript, now);
  if (!status || status.type === "call" || status.type === "person") return [];
  return styledRows(style.dim(status.text), columns, { first: "  ", rest: "  " }).slice(0, 2);
}

/** What is over sooner is not worth a row. */
const briefMs = 500;

/** In one row, the oldest in words: what goes on beside the request, or in a command of the person. */
export function workRows(works: readonly LongWork[], { style, columns }: RowLayout, now: number): string[] {
  const long = works.filter(({ since }) => now - since >= briefMs);
  const [first] = long.toSorted((one, other) => one.since - other.since);
  if (!first) return [];
  const more = long.length > 1 ? ` · and ${long.length - 1} more` : "";
  const row = `${spinnerAt(now - first.since)} ${visibleLine(first.what)} · ${duration(now - first.since)}${more}`;
  return [clippedRow(`  ${style.dim(row)}`, columns)];
}

/** A row with words at its end; those that do not fit are left out. */
export function spread(row: string, end: string, columns: number): string {
  const space = columns - 1 - styledWidth(end) - 2;
  if (space < columns / 2) return clippedRow(row, columns);
  const fitted = clippedRow(row, space + 1);
  return fitted + " ".repeat(Math.max(2, columns - 1 - styledWidth(fitted) - styledWidth(end))) + end;
}
