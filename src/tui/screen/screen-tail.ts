/** Composes what stands below the finished rows: what is open, what waits, a card or the input, and the status. */

import type { LongWork } from "../../base/long-work.ts";
import type { Todo } from "../../protocol/facts.ts";
import { duration } from "../../view/status.ts";
import type { Transcript } from "../../view/transcript.ts";
import type { KeyBindings } from "../input/key-bindings.ts";
import { styledRows } from "../styled-rows.ts";
import type { RowLayout } from "./block-rows.ts";
import { rule } from "./card-rows.ts";
import { activityRows, aheadRows, queuedRows, todoRows, type WaitingMessage, workRows } from "./docks.ts";
import { hintsOf } from "./key-hints.ts";
import type { OwnCommandDock } from "./own-command-dock.ts";
import type { Tail } from "./painter.ts";
import type { ScreenInput } from "./screen-input.ts";
import { type SessionFigures, statusRow } from "./status-row.ts";

/** What is docked and told of the session besides its rows. */
export type ScreenFigures = SessionFigures & { todos: readonly Todo[]; queued: readonly WaitingMessage[] };

type TailParts = {
  /** Rows of the session that may still change. */
  open: readonly string[];
  transcript: Transcript;
  input: ScreenInput;
  figures: ScreenFigures;
  /** What goes on beside it. */
  works: readonly LongWork[];
  own: OwnCommandDock;
  /** When the request that runs began; undefined while none does. */
  runsSince: number | undefined;
  now: number;
  todosAreOpen: boolean;
};

/** A lower terminal has no rules around its input. */
const fewestRows = 12;

export function screenTail(parts: TailParts, layout: RowLayout, height: number): Tail {
  const { open, input, figures, runsSince, now } = parts;
  const runs = runsSince !== undefined;
  const above = [
    ...open,
    ...(runs ? activityRows(parts.transcript, layout, now) : []),
    ...(input.asked ? [] : workRows(parts.works, layout, now)),
    ...(runs || parts.todosAreOpen ? todoRows(figures.todos, layout, parts.todosAreOpen) : []),
    ...parts.own.tailRows(layout, now),
    ...queuedRows(figures.queued, layout, {
      runs,
      isTakenBack: !input.asked && input.message.field.isEmpty,
    }),
    ...aheadRows(input.ahead, layout),
  ];
  const asked = input.asked;
  if (asked?.type === "card" || asked?.type === "menu") {
    const most = Math.min(height - 1, Math.max(8, Math.floor((height * 2) / 3)));
    const card = asked.type === "card" ? asked.card.rows(layout, most) : asked.menu.rows(layout, most);
    const cursor = card.cursor ?? { row: card.rows.length - 1, column: 0 };
    return { rows: [...above, ...card.rows], cursor: { ...cursor, row: above.length + cursor.row } };
  }
  const field = asked?.field ?? input.message.field;
  const laid = field.layout(layout.columns - prompt.length, Math.max(1, Math.floor(height / 3)));
  const written = laid.rows.map(
    (row, at) => (at === 0 ? layout.style.bold(prompt) : " ".repeat(prompt.length)) + row,
  );
  const rules = height < fewestRows ? [] : [rule(layout)];
  const left = height - 1 - written.length - 2 * rules.length - 1;
  const label = asked
    ? styledRows(asked.prompt.trim(), layout.columns, { first: "  ", rest: "  " })
    : input.message.rowsAbove(layout, left);
  const before = [...above, ...label, ...rules];
  return {
    rows: [...before, ...written, ...rules, statusOf(parts, layout)],
    cursor: { row: before.length + laid.cursor.row, column: prompt.length + laid.cursor.column },
  };
}

const prompt = "> ";

function statusOf({ figures, input, own, runsSince, now }: TailParts, layout: RowLayout): string {
  const [first = "", ...others] = hintsFor(input, layout, {
    runs: runsSince !== undefined,
    ownRuns: own.isRunning,
  });
  const vi = input.message.viMode;
  const passed = runsSince === undefined ? {} : { passed: duration(now - runsSince) };
  const hints = vi === undefined ? [first, ...others] : [first, vi, ...others];
  return statusRow(figures, { ...layout, ...passed, hints });
}

/** The most necessary first. */
function hintsFor(
  { asked }: ScreenInput,
  layout: RowLayout,
  { runs, ownRuns }: { runs: boolean; ownRuns: boolean },
): string[] {
  if (asked) return [...hintsOf(layout, "send", "answers"), ...hintsOf(layout, "escape", "back")];
  if (ownRuns)
    return [...hintsOf(layout, "escape", "ends it"), ...hintsOf(layout, "hand-over", "types into it")];
  if (!runs) return [...hintsOf(layout, "help", "keys"), "/ commands"];
  return [
    ...hintsOf(layout, "escape", "interrupts"),
    ...hintsOf(layout, "send", "next step"),
    ...hintsOf(layout, "send-after", "afterwards"),
  ];
}

/** What begins something else than a message. */
const beginnings: readonly (readonly [string, string])[] = [
  ["/", "a command of the conversation"],
  ["@", "a file, or a symbol, anywhere in a message"],
  ["!", "run a command yourself; !! keeps its output from the model"],
  ["#", "remember this in AGENTS.md"],
];

/** All keys, and what they do. */
export function helpRows({ rows }: KeyBindings, { style, columns }: RowLayout): string[] {
  const keyed = rows
    .filter(({ keys }) => keys.length > 0)
    .map(({ keys, says }) => [keys.join(", "), says] as const);
  const shown = [...beginnings, ...keyed];
  const width = Math.max(...shown.map(([keys]) => keys.length));
  const lines = shown.map(([keys, says]) => `${style.bold(keys.padEnd(width))}  ${says}`);
  return lines.flatMap((line) => styledRows(line, columns, { first: "  ", rest: " ".repeat(width + 4) }));
}
