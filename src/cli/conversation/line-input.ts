/** Reads a person's input: whole messages, answers to questions, Ctrl-C and the end of the input. */

import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import { mib } from "../../base/bound.ts";
import type { Delivery } from "../../protocol/facts.ts";
import type { InputDraft } from "../status-line.ts";
import type { SignalName, Terminal } from "../terminal.ts";
import type { LineCompletion } from "./completion.ts";
import { markPastes, PasteFilter } from "./paste-filter.ts";

/** Text typed while no input is expected, in characters. */
export const mostTypedAhead = mib;
/** Lines that the arrow keys recall. */
const mostTypedLines = 200;

/** Lines that arrive closer together than this were pasted and form one message. */
const pasteMs = 25;

type LineHandlers = {
  /** Ctrl-C, unless it only clears the line being typed at a prompt. */
  interrupt(): void;
  /** Esc during a turn. */
  stop?(): void;
  /** A signal that terminates the program. */
  terminate(signal: SignalName): void;
  /** Ctrl-D while no prompt is open: no more input will come. */
  ended?(): void;
  /** The draft typed while no prompt is open has changed; undefined if it is empty. */
  typing?(draft: InputDraft | undefined): void;
  /** Completes a line up to the cursor. */
  complete?(line: string): Promise<LineCompletion>;
  /** Ctrl-Z gives the terminal to the shell: hides the status line until the returned function is called. */
  givesWay?(): () => void;
};

/** Receives a message typed while no prompt is open. */
type Deliver = (text: string, when: Delivery) => void;

type CompletionCallback = (error: Error | null, completion: LineCompletion) => void;
type Keystroke = { name?: string; meta?: boolean };
type PendingLine = { resolve: (text: string | undefined) => void };

/**
 * Reads lines while it is open. Text typed without a prompt is delivered, or stored as the next message if there is no
 * receiver; it never answers a question that was not on the screen yet.
 */
export class LineInput {
  readonly #readline: Interface;
  readonly #echo: Gate;
  readonly #terminal: Terminal;
  readonly #handlers: LineHandlers;
  readonly #leaveTerminal: () => void;
  readonly #filter: PasteFilter | undefined;
  /** Receives messages while no prompt is open. */
  #deliver: Deliver | undefined;
  /** A half-typed line that was interrupted by a question. */
  #halfTyped = "";
  #when: Delivery = "steer";
  #isTelling = false;
  #isLent = false;
  #typedAhead: string[] = [];
  #lines: string[] = [];
  /** Characters typed ahead, across all stored lines. */
  #length = 0;
  /** Input was dropped because the buffer was full. */
  #isLost = false;
  #flush: NodeJS.Timeout | undefined;
  #waiting: PendingLine | undefined;
  #closed = false;

  constructor(terminal: Terminal, handlers: LineHandlers) {
    this.#terminal = terminal;
    this.#handlers = handlers;
    this.#echo = new Gate(terminal);
    const isTerminal = terminal.inputIsTerminal && terminal.outputIsTerminal;
    this.#filter = isTerminal ? new PasteFilter(terminal.input) : undefined;
    this.#readline = createInterface({
      input: this.#filter ?? terminal.input,
      output: this.#echo,
      terminal: isTerminal,
      historySize: mostTypedLines,
      completer: (line: string, done: CompletionCallback) => void this.#complete(line, done),
    });
    if (this.#marksPastes()) terminal.print(markPastes.on);
    this.#readline.on("line", (line) => this.#heard(line));
    this.#filter?.on("keypress", (_text: unknown, key: Keystroke | undefined) => this.#pressed(key));
    this.#readline.on("SIGINT", () => this.#interrupted());
    this.#readline.on("close", () => this.#ended());
    this.#readline.on("error", () => this.#ended()); // the terminal is gone and cannot even be reset
    this.#readline.on("SIGTSTP", () => void this.#stopped());
    const leaveSignals = terminal.onSignal((signal) =>
      signal === "SIGINT" ? this.#interrupted() : handlers.terminate(signal),
    );
    const leaveSize = terminal.onResize(() => this.#resized());
    this.#leaveTerminal = () => {
      leaveSignals();
      leaveSize();
    };
  }

  /** Call before the program exits abruptly. */
  restoreTerminal(): void {
    if (this.#marksPastes()) this.#terminal.print(markPastes.off);
  }

  #marksPastes(): boolean {
    return this.#filter !== undefined && (this.#terminal.env["TERM"] ?? "dumb") !== "dumb";
  }

  /** Sets the receiver of messages typed while no prompt is open, until the next call. */
  deliverTo(deliver: Deliver | undefined): void {
    if (this.#readline.terminal) this.#deliver = deliver;
    this.#tellDraft();
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

  /** Prefills the next message for editing. */
  prefill(text: string): void {
    if (this.#readline.terminal) this.#filter?.write(`\u001B[200~${text}\u001B[201~`);
  }

  /** Whether a prompt is open, so that its line on the screen is unfinished. */
  get isAsking(): boolean {
    return this.#waiting !== undefined;
  }

  /** The next message; undefined at the end of the input. */
  message(prompt: string): Promise<string | undefined> {
    if (this.#isLost) this.#terminal.print("Not all that was typed meanwhile was taken: it was too much.\n");
    this.#isLost = false;
    const ahead = this.#typedAhead.shift();
    if (ahead !== undefined) {
      this.#length -= ahead.length;
      this.#terminal.print(`${prompt}${ahead}\n`);
      return Promise.resolve(ahead);
    }
    return this.#ask(prompt);
  }

  /** The answer to the question now on the screen; undefined at the end of the input or when interrupted. */
  answer(prompt: string): Promise<string | undefined> {
    this.#keepTyped();
    if (this.#readline.terminal && this.#waiting === undefined) {
      this.#halfTyped = this.#readline.line; // the draft is not an answer either
      this.#clearEditor();
    }
    return this.#ask(prompt);
  }

  /** Repeats the open prompt below output printed meanwhile. */
  promptAgain(): void {
    const prompt = this.#readline.getPrompt();
    this.#clearEditor();
    this.#show(prompt);
  }

  /** Lets something be printed above the open prompt and what is typed there; without one, just prints it. */
  above(print: () => void): void {
    if (this.#closed || this.#waiting === undefined || !this.#readline.terminal) return print();
    const { rows } = this.#readline.getCursorPos();
    const up = rows === 0 ? "" : `\u001B[${rows}A`;
    this.#terminal.print(this.#marksPastes() ? `${up}\r\u001B[J` : "\n");
    print();
    this.#showAgain();
  }

  /** Whether there will be no more input. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** Cancels the open prompt, which then has no answer. */
  cancel(): void {
    if (this.#waiting === undefined) return;
    if (this.#readline.terminal) this.#clearEditor();
    this.#settle(undefined);
  }

  close(): void {
    this.#leaveTerminal();
    this.restoreTerminal();
    this.#readline.close();
    this.#filter?.leave();
    this.#ended();
  }

  #ask(prompt: string): Promise<string | undefined> {
    if (this.#closed) return Promise.resolve(undefined);
    this.#show(prompt);
    return new Promise((resolve) => {
      this.#waiting = { resolve };
    });
  }

  #heard(line: string): void {
    if (this.#length + line.length > mostTypedAhead) this.#isLost = true;
    else {
      this.#lines.push(line);
      this.#length += line.length + 1;
    }
    clearTimeout(this.#flush);
    this.#flush = setTimeout(() => this.#together(), pasteMs);
  }

  /** A paste whose last line is still in the editor waits for its Enter. */
  #together(): void {
    if (!this.#closed && this.#readline.terminal && this.#readline.line !== "") return;
    const text = this.#takeLines();
    if (this.#waiting) this.#settle(text);
    else this.#take(text);
  }

  #takeLines(): string {
    clearTimeout(this.#flush);
    const text = this.#lines.join("\n");
    this.#length -= this.#lines.reduce((sum, line) => sum + line.length + 1, 0);
    this.#lines = [];
    return this.#filter?.expand(text) ?? text;
  }

  /** Handles text typed while no prompt is open. */
  #take(text: string): void {
    const when = this.#when;
    this.#when = "steer";
    if (!this.#deliver) {
      this.#typedAhead.push(text);
      this.#length += text.length;
    } else if (text.trim() !== "") this.#deliver(text, when);
    this.#tellDraft();
  }

  #keepTyped(): void {
    if (this.#lines.length > 0) this.#take(this.#takeLines());
  }

  /** Readline has handled the key already. It does not know Alt+Enter, which queues the line for after the turn. */
  #pressed(key: Keystroke | undefined): void {
    const isEnter = key?.name === "return" || key?.name === "enter";
    if (isEnter && key?.meta === true && !this.#closed) {
      this.#when = "next";
      this.#readline.write(null, { name: "return" });
    }
    if (key?.name === "escape" && this.#deliver !== undefined && !this.#isLent) this.#handlers.stop?.();
    if (this.#isTelling) return;
    this.#isTelling = true; // a paste produces thousands of key events
    setImmediate(() => {
      this.#isTelling = false;
      this.#tellDraft();
    });
  }

  /** The editor handles no other key until this resolves. */
  async #complete(line: string, done: CompletionCallback): Promise<void> {
    const found = await this.#handlers.complete?.(line).catch(() => undefined);
    if (this.#closed) return; // the prompt is gone
    done(null, found ?? [[], ""]);
    this.#tellDraft();
  }

  #tellDraft(): void {
    if (!this.#handlers.typing || this.#closed || !this.#readline.terminal) return;
    const { line, cursor } = this.#readline;
    const lines = this.#lines.map((each) => `${each}⏎`).join("");
    const isTyping = this.#deliver !== undefined && this.#waiting === undefined && lines + line !== "";
    this.#handlers.typing(
      isTyping
        ? { type: "draft", key: "draft", before: lines + line.slice(0, cursor), after: line.slice(cursor) }
        : undefined,
    );
  }

  /** At the prompt, Ctrl-C first clears the typed text. */
  #interrupted(): void {
    if (this.#isLent) return; // the Ctrl-C belongs to the program that has the terminal
    const typed =
      this.#waiting !== undefined &&
      (this.#lines.length > 0 || (this.#readline.terminal && this.#readline.line !== ""));
    if (!typed) return this.#handlers.interrupt();
    this.#takeLines();
    this.#terminal.print("^C\n");
    this.promptAgain();
  }

  /** Ctrl-Z. Readline leaves it to us because it would not resume listening afterwards. */
  async #stopped(): Promise<void> {
    if (this.#isLent || this.#closed) return;
    const comeBack = this.#handlers.givesWay?.();
    this.restoreTerminal();
    await this.lend(() => this.#terminal.stopped());
    if (this.#closed) return;
    if (this.#marksPastes()) this.#terminal.print(markPastes.on);
    if (this.#waiting !== undefined) this.#showAgain();
    comeBack?.();
    this.#tellDraft();
  }

  /** Redraws the prompt and the typed text on a fresh row. */
  #showAgain(): void {
    const { line } = this.#readline;
    this.promptAgain();
    this.#readline.write(line);
  }

  /** The terminal has rewrapped the line itself; readline only needs to recount its rows, not redraw. */
  #resized(): void {
    const { open } = this.#echo;
    this.#echo.open = false;
    this.#echo.emit("resize");
    this.#echo.open = open;
  }

  #show(prompt: string): void {
    this.#echo.open = true;
    this.#readline.setPrompt(prompt);
    this.#readline.prompt(true);
  }

  /** Clears silently and without a prompt: readline must not move up to rows that hold other output by now. */
  #clearEditor(): void {
    if (this.#closed) return;
    this.#echo.open = false;
    this.#readline.setPrompt("");
    this.#readline.write(null, { ctrl: true, name: "e" });
    this.#readline.write(null, { ctrl: true, name: "u" });
  }

  #ended(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#lines.length > 0) this.#together();
    if (this.#waiting === undefined) this.#handlers.ended?.();
    this.#settle(undefined);
  }

  #settle(text: string | undefined): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.#when = "steer";
    this.#echo.open = false;
    if (this.#halfTyped !== "" && !this.#closed) {
      this.#readline.write(this.#halfTyped);
      this.#halfTyped = "";
    }
    waiting?.resolve(text);
  }
}

/** Readline's output, open only while a prompt is: otherwise typing would echo into a streaming answer. */
class Gate extends Writable {
  open = false;
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
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
