/** The line at the bottom of a terminal that shows the current activity, and leaves no trace. */

import { fitting } from "../../base/terminal/row.ts";
import { visibleLine } from "../../base/visible-text.ts";
import type { Style } from "../../view/plain.ts";
import type { ActivityStatus } from "../../view/status.ts";
import type { ProcessTerminal } from "../process-terminal.ts";

export type TickingClock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `tick` periodically until the returned function is called. Does not keep the process alive. */
  every(ms: number, tick: () => void): () => void;
};

export const systemClock: TickingClock = {
  now: () => Date.now(),
  every(ms, tick) {
    const timer = setInterval(tick, ms).unref();
    return () => clearInterval(timer);
  },
};

/**
 * The person's unsent text, before and after the cursor. `above`: what goes on meanwhile, in a row of its own; the end
 * of it if it is too long.
 */
export type InputDraft = {
  type: "draft";
  key: "draft";
  before: string;
  after: string;
  above?: { text: string; paint: (text: string) => string };
};

type StatusLineSetup = {
  terminal: Pick<ProcessTerminal, "print" | "columns">;
  clock: TickingClock;
  style: Style;
  /** The current activity, or the draft being typed. */
  status: () => ActivityStatus | InputDraft | undefined;
};

const refreshMs = 1_000;
/** Limits the width: a narrowed terminal would wrap the line, and terminals differ in how. */
const mostColumns = 100;
const erase = "\r\u001B[2K";

export class StatusLine {
  readonly #setup: StatusLineSetup;
  /** The line now on the screen. */
  #shown: ({ key: string } & StatusLineText) | undefined;
  #leaveClock: (() => void) | undefined;

  constructor(setup: StatusLineSetup) {
    this.#setup = setup;
  }

  /** Shows the line whenever there is a status. */
  start(): void {
    this.#leaveClock ??= this.#setup.clock.every(refreshMs, () => this.#draw(this.#setup.status()));
    this.update();
  }

  /** Wipes the line and keeps it hidden. */
  stop(): void {
    this.#leaveClock?.();
    this.#leaveClock = undefined;
    this.#draw(undefined);
  }

  /** Prints other output in place of the line. */
  print(text: string): void {
    const wiped = this.#shown === undefined ? text : this.#wipe(this.#shown) + text;
    this.#shown = undefined;
    this.#setup.terminal.print(wiped);
  }

  /** Shows a new status at once; progress of the same one waits for the clock. */
  update(): void {
    if (!this.#leaveClock) return;
    const status = this.#setup.status();
    if (status?.key !== this.#shown?.key) this.#draw(status);
  }

  /** Wipes the text that stands before the cursor, however many rows it has. */
  erase(text: string): void {
    this.#setup.terminal.print(this.#wipe({ ...noLine, cursor: text }));
  }

  get isOn(): boolean {
    return this.#leaveClock !== undefined;
  }

  /** Redraws the current status, even if it is the same one. */
  redraw(): void {
    if (this.#leaveClock) this.#draw(this.#setup.status());
  }

  #draw(status: ActivityStatus | InputDraft | undefined): void {
    const { terminal, style } = this.#setup;
    const line = status === undefined ? noLine : lineOf(status, terminal.columns() - 1);
    const { above, text } = this.#shown ?? noLine;
    if (line.text === text && line.above === above) return;
    const paint = status?.type === "draft" ? status.above?.paint : undefined;
    const row = line.above === "" ? "" : `${paint?.(line.above) ?? ""}\n`;
    this.print(row + (status?.type === "draft" ? line.text : style.dim(line.text)));
    this.#shown = status && line.text !== "" ? { key: status.key, ...line } : undefined;
  }

  /** A terminal narrowed since has wrapped the line, so its upper rows are wiped, too. */
  #wipe({ above, cursor }: StatusLineText): string {
    const rowsBefore = (text: string): number =>
      Math.floor(Math.max(0, fitting(text, Infinity).width - 1) / this.#setup.terminal.columns());
    const rows = rowsBefore(cursor) + (above === "" ? 0 : 1 + rowsBefore(above));
    return erase + "\u001B[1A\u001B[2K".repeat(rows);
  }
}

/** `above` is a row of its own, if not empty; `cursor` is the part of the printed text before the cursor. */
type StatusLineText = { above: string; text: string; cursor: string };

const noLine: StatusLineText = { above: "", text: "", cursor: "" };

function lineOf(status: ActivityStatus | InputDraft, most: number): StatusLineText {
  const columns = Math.min(most, mostColumns);
  if (status.type === "draft") return { ...draftLine(status, columns), above: rowAbove(status, most) };
  const text = fitText(status.text, columns);
  return { above: "", text, cursor: text };
}

const draftPrompt = "» ";

/** Streaming text is wrapped already; what is not keeps its end. */
function rowAbove({ above }: InputDraft, columns: number): string {
  const text = above?.text ?? "";
  return fitting(text, columns).piece === text ? text : endOf(text, columns - 2).text;
}

/** The end of the text before the cursor, then as much of the text after it as fits. */
function draftLine({ before, after }: InputDraft, columns: number): Omit<StatusLineText, "above"> {
  const { text: head, left } = endOf(visibleLine(before), columns - draftPrompt.length - 2);
  const tail = fitText(visibleLine(after.slice(0, columns)), Math.max(0, left));
  // If widths are uncertain, the cursor stays at the end rather than in a wrong place.
  const isPlain = /^[ -~]*$/u.test(tail);
  const back = tail === "" || !isPlain ? "" : `\u001B[${tail.length}D`;
  const upToCursor = draftPrompt + head;
  return {
    text: `${upToCursor}${tail}${back}`,
    cursor: back === "" ? upToCursor + tail : upToCursor,
  };
}

/** As much of the end of a sanitized line as certainly fits, and the columns that it leaves. */
function endOf(line: string, columns: number): { text: string; left: number } {
  const characters = Array.from(line.slice(-columns));
  let start = characters.length;
  let left = columns;
  while (start > 0 && left >= widthOf(characters.slice(start - 1, start))) {
    start -= 1;
    left -= widthOf(characters.slice(start, start + 1));
  }
  const cut = start > 0 || line.length > columns ? "…" : "";
  return { text: cut + characters.slice(start).join(""), left };
}

/** As much of a sanitized line as certainly fits. */
function fitText(text: string, columns: number): string {
  const characters = Array.from(text);
  if (widthOf(characters) <= columns) return text;
  let left = columns - widthOf(["…"]);
  const end = characters.findIndex((character) => (left -= widthOf([character])) < 0);
  return end <= 0 ? "" : `${characters.slice(0, end).join("")}…`;
}

/** Terminals disagree about nearly all of Unicode, but none gives a character more than two columns. */
function widthOf(characters: readonly string[]): number {
  return characters.reduce((sum, character) => sum + (character >= " " && character <= "~" ? 1 : 2), 0);
}
