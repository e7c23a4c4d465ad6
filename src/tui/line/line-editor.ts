/** Node's line editor on a terminal: it echoes only while a prompt is open, and long pastes are short marks in it. */

import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import { markPastes } from "../pastes.ts";
import type { ProcessTerminal } from "../process-terminal.ts";
import { PasteFilter } from "./paste-filter.ts";

/** Lines that the arrow keys recall. */
const mostTypedLines = 200;

/** Candidates to replace the end of the line, and that end, as readline expects them. */
export type LineCompletion = [candidates: string[], end: string];
export type CompletionCallback = (error: Error | null, completion: LineCompletion) => void;

export type Keystroke = { name?: string; meta?: boolean };

type EditorHandlers = {
  line(text: string): void;
  /** The editor has handled the key already. */
  key(key: Keystroke | undefined): void;
  /** Ctrl-C. */
  interrupt(): void;
  /** Ctrl-Z. The editor leaves it to us because it would not resume listening afterwards. */
  suspend(): void;
  /** The input is over, or the terminal gone. */
  end(): void;
  /** No other key is handled until `done` is called. */
  complete(line: string, done: CompletionCallback): Promise<void>;
};

export class LineEditor {
  readonly #terminal: ProcessTerminal;
  readonly #readline: Interface;
  readonly #echo: Gate;
  readonly #filter: PasteFilter | undefined;
  #isLent = false;

  constructor(terminal: ProcessTerminal, handlers: EditorHandlers) {
    this.#terminal = terminal;
    this.#echo = new Gate(terminal);
    const isTerminal = terminal.inputIsTerminal && terminal.outputIsTerminal;
    this.#filter = isTerminal ? new PasteFilter(terminal.input) : undefined;
    this.#readline = createInterface({
      input: this.#filter ?? terminal.input,
      output: this.#echo,
      terminal: isTerminal,
      historySize: mostTypedLines,
      completer: (line: string, done: CompletionCallback) => void handlers.complete(line, done),
    });
    this.markPastes();
    this.#readline.on("line", (line) => handlers.line(line));
    this.#filter?.on("keypress", (_text: unknown, key: Keystroke | undefined) => handlers.key(key));
    this.#readline.on("SIGINT", () => handlers.interrupt());
    this.#readline.on("close", () => handlers.end());
    this.#readline.on("error", () => handlers.end()); // the terminal is gone and cannot even be reset
    this.#readline.on("SIGTSTP", () => handlers.suspend());
  }

  get isTerminal(): boolean {
    return this.#readline.terminal;
  }

  /** Whether another program has the terminal. */
  get isLent(): boolean {
    return this.#isLent;
  }

  get wipes(): boolean {
    return this.#filter !== undefined && (this.#terminal.env["TERM"] ?? "dumb") !== "dumb";
  }

  get line(): string {
    return this.#readline.line;
  }

  get cursor(): number {
    return this.#readline.cursor;
  }

  get prompt(): string {
    return this.#readline.getPrompt();
  }

  /** The rows of prompt and line above the cursor. */
  get rowsAbove(): number {
    return this.#readline.getCursorPos().rows;
  }

  markPastes(): void {
    if (this.wipes) this.#terminal.print(markPastes.on);
  }

  /** Call before the program exits abruptly. */
  restore(): void {
    if (this.wipes) this.#terminal.print(markPastes.off);
  }

  show(prompt: string): void {
    this.#echo.open = true;
    this.#readline.setPrompt(prompt);
    this.#readline.prompt(true);
  }

  hide(): void {
    this.#echo.open = false;
  }

  /** Clears silently and without a prompt: readline must not move up to rows that hold other output by now. */
  clear(): void {
    this.hide();
    this.#readline.setPrompt("");
    this.#readline.write(null, { ctrl: true, name: "e" });
    this.#readline.write(null, { ctrl: true, name: "u" });
  }

  type(text: string): void {
    this.#readline.write(text);
  }

  enter(): void {
    this.#readline.write(null, { name: "return" });
  }

  /** Types a text as if it had been pasted. */
  paste(text: string): void {
    if (this.isTerminal) this.#filter?.write(`\u001B[200~${text}\u001B[201~`);
  }

  /** Replaces the marks of pastes by what was pasted. */
  expand(text: string): string {
    return this.#filter?.expand(text) ?? text;
  }

  /** Lends the terminal to another program while `work` runs. */
  async lend<T>(work: () => Promise<T>): Promise<T> {
    this.#isLent = true;
    this.#filter?.lend();
    try {
      return await work();
    } finally {
      this.#filter?.takeBack();
      this.#isLent = false;
    }
  }

  /** The terminal has rewrapped the line itself; readline only needs to recount its rows, not redraw. */
  resized(): void {
    const { open } = this.#echo;
    this.#echo.open = false;
    this.#echo.emit("resize");
    this.#echo.open = open;
  }

  close(): void {
    this.restore();
    this.#readline.close();
    this.#filter?.leave();
  }
}

/** Readline's output, open only while a prompt is: otherwise typing would echo into a streaming answer. */
class Gate extends Writable {
  open = false;
  readonly #terminal: ProcessTerminal;

  constructor(terminal: ProcessTerminal) {
    super({ decodeStrings: false });
    this.#terminal = terminal;
  }

  get columns(): number {
    return this.#terminal.columns();
  }

  override _write(chunk: unknown, _encoding: string, done: () => void): void {
    if (this.open) this.#terminal.print(String(chunk));
    done();
  }
}
