/** The line at the bottom of a terminal that says what is being waited for, and leaves nothing behind. */

import { fitting } from "../../base/terminal/row.ts";
import type { Style } from "../view/plain.ts";
import type { Status } from "../view/status.ts";
import { visibleLine } from "../view/visible.ts";
import type { Terminal } from "./terminal.ts";

export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `tick` again and again until the returned function is called. Keeps no process alive. */
  every(ms: number, tick: () => void): () => void;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  every(ms, tick) {
    const timer = setInterval(tick, ms).unref();
    return () => clearInterval(timer);
  },
};

/** What a person is typing there, before and behind the cursor. */
export type Draft = { type: "draft"; key: "draft"; before: string; after: string };

type StatusLineSetup = {
  terminal: Pick<Terminal, "print" | "columns">;
  clock: Clock;
  style: Style;
  /** What is being waited for right now. */
  status: () => Status | Draft | undefined;
};

const refreshMs = 1_000;
/** No line is wider: a narrowed terminal wraps it, and not all of them do that alike. */
const mostColumns = 100;
const erase = "\r\u001B[2K";

export class StatusLine {
  readonly #setup: StatusLineSetup;
  /** What stands on the screen. */
  #shown: ({ key: string } & Line) | undefined;
  #leaveClock: (() => void) | undefined;

  constructor(setup: StatusLineSetup) {
    this.#setup = setup;
  }

  /** From now on the line is shown whenever something is waited for. */
  start(): void {
    this.#leaveClock ??= this.#setup.clock.every(refreshMs, () => this.#draw(this.#setup.status()));
    this.update();
  }

  /** The line is wiped and stays away. */
  stop(): void {
    this.#leaveClock?.();
    this.#leaveClock = undefined;
    this.#draw(undefined);
  }

  /** Prints something else where the line stood. */
  print(text: string): void {
    const wiped = this.#shown === undefined ? text : this.#wipe(this.#shown) + text;
    this.#shown = undefined;
    this.#setup.terminal.print(wiped);
  }

  /** Shows at once that something else is waited for; how far the same thing is waits for the clock. */
  update(): void {
    if (!this.#leaveClock) return;
    const status = this.#setup.status();
    if (status?.key !== this.#shown?.key) this.#draw(status);
  }

  get isOn(): boolean {
    return this.#leaveClock !== undefined;
  }

  /** Shows what it says now, also where it is the same thing. */
  redraw(): void {
    if (this.#leaveClock) this.#draw(this.#setup.status());
  }

  #draw(status: Status | Draft | undefined): void {
    const { terminal, style } = this.#setup;
    const columns = Math.min(terminal.columns() - 1, mostColumns);
    const line = status === undefined ? noLine : lineOf(status, columns);
    if (line.text === (this.#shown?.text ?? "")) return;
    this.print(status?.type === "draft" ? line.text : style.dim(line.text));
    this.#shown = status && line.text !== "" ? { key: status.key, ...line } : undefined;
  }

  /** A terminal that was narrowed since has wrapped the line: its upper rows are wiped, too. */
  #wipe({ cursor }: Line): string {
    const { width } = fitting(cursor, Infinity);
    const above = Math.floor(Math.max(0, width - 1) / this.#setup.terminal.columns());
    return above === 0 ? erase : `\r\u001B[${above}A\u001B[J`;
  }
}

/** What is printed, and how much of it stands before the cursor then. */
type Line = { text: string; cursor: string };

const noLine: Line = { text: "", cursor: "" };

function lineOf(status: Status | Draft, columns: number): Line {
  if (status.type === "draft") return draftLine(status, columns);
  const text = fitted(status.text, columns);
  return { text, cursor: text };
}

const draftPrompt = "» ";

/** The end of what stands before the cursor, then as much behind it as fits; the cursor stands between. */
function draftLine({ before, after }: Draft, columns: number): Line {
  const room = columns - draftPrompt.length - 2;
  const head = Array.from(visibleLine(before.slice(-columns)));
  let start = head.length;
  let left = room;
  while (start > 0 && left >= widthOf(head.slice(start - 1, start))) {
    start -= 1;
    left -= widthOf(head.slice(start, start + 1));
  }
  const cut = start > 0 || before.length > columns ? "…" : "";
  const tail = fitted(visibleLine(after.slice(0, columns)), Math.max(0, left));
  // Where widths are in doubt the cursor stays at the end rather than in a wrong place.
  const isPlain = /^[ -~]*$/u.test(tail);
  const back = tail === "" || !isPlain ? "" : `\u001B[${tail.length}D`;
  const upToCursor = `${draftPrompt}${cut}${head.slice(start).join("")}`;
  return { text: `${upToCursor}${tail}${back}`, cursor: back === "" ? upToCursor + tail : upToCursor };
}

/** As much of a harmless line as surely fits. */
function fitted(text: string, columns: number): string {
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
