/** The line at the bottom of a terminal that says what is being waited for, and leaves nothing behind. */
import type { Style } from "../view/plain.ts";
import type { Status } from "../view/status.ts";
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

export type StatusLineSetup = {
  terminal: Pick<Terminal, "print" | "columns">;
  clock: Clock;
  style: Style;
  /** What is being waited for right now. */
  status: () => Status | undefined;
};

const refreshMs = 1_000;
/** No line is wider: a narrowed window would break it in two, of which only the lower half can be wiped. */
const mostColumns = 100;
const erase = "\r\u001B[2K";

export class StatusLine {
  readonly #setup: StatusLineSetup;
  /** What stands on the screen. */
  #shown: { key: string; text: string } | undefined;
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
    const wiped = this.#shown === undefined ? text : erase + text;
    this.#shown = undefined;
    this.#setup.terminal.print(wiped);
  }

  /** Shows at once that something else is waited for; how far the same thing is waits for the clock. */
  update(): void {
    if (!this.#leaveClock) return;
    const status = this.#setup.status();
    if (status?.key !== this.#shown?.key) this.#draw(status);
  }

  #draw(status: Status | undefined): void {
    const { terminal, style } = this.#setup;
    const text = status ? fitted(status.text, Math.min(terminal.columns() - 1, mostColumns)) : "";
    if (text === (this.#shown?.text ?? "")) return;
    this.print(style.dim(text));
    this.#shown = status && text !== "" ? { key: status.key, text } : undefined;
  }
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
