/** Reads a person's input: whole messages, answers to questions, Ctrl-C and the end of the input. */

import type { Delivery } from "../../protocol/facts.ts";
import type { ProcessTerminal, SignalName } from "../process-terminal.ts";
import type { MessageReceiver } from "../terminal.ts";
import { type CompletionCallback, type Keystroke, type LineCompletion, LineEditor } from "./line-editor.ts";
import type { InputDraft } from "./status-line.ts";
import { TypedLines } from "./typed-lines.ts";

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

type PendingLine = { resolve: (text: string | undefined) => void };

/**
 * Reads lines while it is open. Text typed without a prompt is delivered, or stored as the next message if there is no
 * receiver; it never answers a question that was not on the screen yet.
 */
export class LineInput {
  readonly editor: LineEditor;
  readonly #terminal: ProcessTerminal;
  readonly #handlers: LineHandlers;
  readonly #leaveTerminal: () => void;
  readonly #typed = new TypedLines(() => this.#together());
  /** Receives messages while no prompt is open. */
  #deliver: MessageReceiver | undefined;
  /** A half-typed line that was interrupted by a question. */
  #halfTyped = "";
  #when: Delivery = "steer";
  #isTelling = false;
  #waiting: PendingLine | undefined;
  #closed = false;

  constructor(terminal: ProcessTerminal, handlers: LineHandlers) {
    this.#terminal = terminal;
    this.#handlers = handlers;
    this.editor = new LineEditor(terminal, {
      line: (line) => this.#typed.add(line),
      key: (key) => this.#pressed(key),
      interrupt: () => this.#interrupted(),
      suspend: () => void this.#suspended(),
      end: () => this.#ended(),
      complete: (line, done) => this.#complete(line, done),
    });
    const leaveSignals = terminal.onSignal((signal) =>
      signal === "SIGINT" ? this.#interrupted() : handlers.terminate(signal),
    );
    const leaveSize = terminal.onResize(() => this.editor.resized());
    this.#leaveTerminal = () => {
      leaveSignals();
      leaveSize();
    };
  }

  /** Sets the receiver of messages typed while no prompt is open, until the next call. */
  deliverTo(deliver: MessageReceiver | undefined): void {
    if (this.editor.isTerminal) this.#deliver = deliver;
    this.#tellDraft();
  }

  /** Whether a prompt is open, so that its line on the screen is unfinished. */
  get isAsking(): boolean {
    return this.#waiting !== undefined;
  }

  /** Whether there will be no more input. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** The next message; undefined at the end of the input. */
  message(prompt: string): Promise<string | undefined> {
    if (this.#typed.hasLost())
      this.#terminal.print("Not all that was typed meanwhile was taken: it was too much.\n");
    const ahead = this.#typed.next();
    if (ahead === undefined) return this.#ask(prompt);
    this.#terminal.print(`${prompt}${ahead}\n`);
    return Promise.resolve(ahead);
  }

  /** The answer to the question now on the screen; undefined at the end of the input or when interrupted. */
  answer(prompt: string): Promise<string | undefined> {
    if (!this.#typed.isEmpty) this.#take(this.#takeLines());
    if (this.editor.isTerminal && !this.isAsking) {
      this.#halfTyped = this.editor.line; // the draft is not an answer either
      this.#clearEditor();
    }
    return this.#ask(prompt);
  }

  /** Repeats the open prompt below output printed meanwhile. */
  promptAgain(): void {
    const { prompt } = this.editor;
    this.#clearEditor();
    this.editor.show(prompt);
  }

  /** Lets something be printed above the open prompt and what is typed there; without one, just prints it. */
  above(print: () => void): void {
    if (this.#closed || !this.isAsking || !this.editor.isTerminal) return print();
    const rows = this.editor.rowsAbove;
    const up = rows === 0 ? "" : `\u001B[${rows}A`;
    this.#terminal.print(this.editor.wipes ? `${up}\r\u001B[J` : "\n");
    print();
    this.#showAgain();
  }

  /** Cancels the open prompt, which then has no answer. */
  cancel(): void {
    if (!this.isAsking) return;
    if (this.editor.isTerminal) this.#clearEditor();
    this.#settle(undefined);
  }

  close(): void {
    this.#leaveTerminal();
    this.editor.close();
    this.#ended();
  }

  #ask(prompt: string): Promise<string | undefined> {
    if (this.#closed) return Promise.resolve(undefined);
    this.editor.show(prompt);
    return new Promise((resolve) => {
      this.#waiting = { resolve };
    });
  }

  /** A paste whose last line is still in the editor waits for its Enter. */
  #together(): void {
    if (!this.#closed && this.editor.isTerminal && this.editor.line !== "") return;
    const text = this.#takeLines();
    if (this.isAsking) this.#settle(text);
    else this.#take(text);
  }

  #takeLines(): string {
    return this.editor.expand(this.#typed.take());
  }

  /** Handles text typed while no prompt is open. */
  #take(text: string): void {
    const when = this.#when;
    this.#when = "steer";
    if (!this.#deliver) this.#typed.keep(text);
    else if (text.trim() !== "") void this.#deliver(text, when);
    this.#tellDraft();
  }

  /** The editor does not know Alt+Enter, which queues the line for after the turn. */
  #pressed(key: Keystroke | undefined): void {
    const isEnter = key?.name === "return" || key?.name === "enter";
    if (isEnter && key?.meta === true && !this.#closed) {
      this.#when = "next";
      this.editor.enter();
    }
    if (key?.name === "escape" && this.#deliver !== undefined && !this.editor.isLent) this.#handlers.stop?.();
    if (this.#isTelling) return;
    this.#isTelling = true; // a paste produces thousands of key events
    setImmediate(() => {
      this.#isTelling = false;
      this.#tellDraft();
    });
  }

  async #complete(line: string, done: CompletionCallback): Promise<void> {
    const found = await this.#handlers.complete?.(line).catch(() => undefined);
    if (this.#closed) return; // the prompt is gone
    done(null, found ?? [[], ""]);
    this.#tellDraft();
  }

  #tellDraft(): void {
    if (!this.#handlers.typing || this.#closed || !this.editor.isTerminal) return;
    const { line, cursor } = this.editor;
    const before = this.#typed.shown + line.slice(0, cursor);
    const after = line.slice(cursor);
    const isTyping = this.#deliver !== undefined && !this.isAsking && before + after !== "";
    this.#handlers.typing(isTyping ? { type: "draft", key: "draft", before, after } : undefined);
  }

  /** At the prompt, Ctrl-C first clears the typed text. */
  #interrupted(): void {
    if (this.editor.isLent) return; // the Ctrl-C belongs to the program that has the terminal
    const isTyped = !this.#typed.isEmpty || (this.editor.isTerminal && this.editor.line !== "");
    if (!this.isAsking || !isTyped) return this.#handlers.interrupt();
    this.#takeLines();
    this.#terminal.print("^C\n");
    this.promptAgain();
  }

  async #suspended(): Promise<void> {
    if (this.editor.isLent || this.#closed) return;
    const comeBack = this.#handlers.givesWay?.();
    this.editor.restore();
    await this.editor.lend(() => this.#terminal.stopped());
    if (this.#closed) return;
    this.editor.markPastes();
    if (this.isAsking) this.#showAgain();
    comeBack?.();
    this.#tellDraft();
  }

  /** Redraws the prompt and the typed text on a fresh row. */
  #showAgain(): void {
    const { line } = this.editor;
    this.promptAgain();
    this.editor.type(line);
  }

  #clearEditor(): void {
    if (!this.#closed) this.editor.clear();
  }

  #ended(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (!this.#typed.isEmpty) this.#together();
    if (!this.isAsking) this.#handlers.ended?.();
    this.#settle(undefined);
  }

  #settle(text: string | undefined): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.#when = "steer";
    this.editor.hide();
    if (this.#halfTyped !== "" && !this.#closed) {
      this.editor.type(this.#halfTyped);
      this.#halfTyped = "";
    }
    waiting?.resolve(text);
  }
}
