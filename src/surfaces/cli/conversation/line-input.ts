/** What a person types: whole messages, answers to questions, Ctrl-C and the end of the input. */

import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import { bounds } from "../../../base/bounds.ts";
import type { Delivery } from "../../../protocol/facts.ts";
import type { Draft } from "../status-line.ts";
import type { SignalName, Terminal } from "../terminal.ts";
import type { Completion } from "./completion.ts";
import { markPastes, PasteFilter } from "./paste-filter.ts";

/** Lines that come closer together than this were pasted, and are one message. */
const pasteMs = 25;

type LineHandlers = {
  /** Ctrl-C while no line was being typed. */
  interrupt(): void;
  /** A signal that ends programs. */
  terminate(signal: SignalName): void;
  /** Ctrl-D while nothing was asked for: no more will be typed. */
  ended?(): void;
  /** What is being typed while nothing is asked for has changed; undefined where there is nothing. */
  typing?(draft: Draft | undefined): void;
  /** What Tab may make of a line up to the cursor. */
  complete?(line: string): Promise<Completion>;
  /** The shell gets the terminal (Ctrl-Z): what comes and goes is wiped until the returned function is called. */
  givesWay?(): () => void;
};

/** Takes a message that was typed while nothing was asked for. */
type Deliver = (text: string, when: Delivery) => void;

type Completed = (error: Error | null, completion: Completion) => void;
type Key = { name?: string; meta?: boolean };
type Waiting = { resolve: (text: string | undefined) => void };

/**
 * Reads lines as long as it is open. What is typed while nothing is asked for is delivered, or kept as the next message
 * where nobody takes it; it is never taken for the answer to a question that was not on the screen yet.
 */
export class LineInput {
  readonly #readline: Interface;
  readonly #echo: Gate;
  readonly #terminal: Terminal;
  readonly #handlers: LineHandlers;
  readonly #leaveTerminal: () => void;
  readonly #filter: PasteFilter | undefined;
  /** Takes messages while nothing is asked for. */
  #deliver: Deliver | undefined;
  /** Half a line that was being typed when a question came. */
  #halfTyped = "";
  #when: Delivery = "steer";
  #isTelling = false;
  #isLent = false;
  #typedAhead: string[] = [];
  #lines: string[] = [];
  /** Characters of all that was typed and not asked for yet. */
  #length = 0;
  /** Something was typed that there was no room for. */
  #isLost = false;
  #flush: NodeJS.Timeout | undefined;
  #waiting: Waiting | undefined;
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
      historySize: bounds.screen.typedLines.most,
      completer: (line: string, done: Completed) => void this.#complete(line, done),
    });
    if (this.#marksPastes()) terminal.print(markPastes.on);
    this.#readline.on("line", (line) => this.#heard(line));
    this.#filter?.on("keypress", (_text: unknown, key: Key | undefined) => this.#pressed(key));
    this.#readline.on("SIGINT", () => this.#interrupted());
    this.#readline.on("close", () => this.#ended());
    this.#readline.on("error", () => this.#ended()); // the terminal is gone, and cannot even be set back
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

  /** Before the program ends at once. */
  restoreTerminal(): void {
    if (this.#marksPastes()) this.#terminal.print(markPastes.off);
  }

  #marksPastes(): boolean {
    return this.#filter !== undefined && (this.#terminal.env["TERM"] ?? "dumb") !== "dumb";
  }

  /** Until it is called again, who takes messages that are typed while nothing is asked for. */
  deliverTo(deliver: Deliver | undefined): void {
    if (this.#readline.terminal) this.#deliver = deliver;
    this.#tellDraft();
  }

  /** Another program has the terminal while this is done. */
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

  /** The next message begins with this, to be changed before it is sent. */
  prefill(text: string): void {
    if (this.#readline.terminal) this.#filter?.write(`\u001B[200~${text}\u001B[201~`);
  }

  /** A message or an answer is being waited for: its line is not ended. */
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

  /** The answer to a question that is on the screen now; undefined at the end of the input, or when interrupted. */
  answer(prompt: string): Promise<string | undefined> {
    this.#keepTyped();
    if (this.#readline.terminal && this.#waiting === undefined) {
      this.#halfTyped = this.#readline.line; // no answer either
      this.#clearEditor();
    }
    return this.#ask(prompt);
  }

  /** What is asked for is asked for again, behind what was printed meanwhile. */
  promptAgain(): void {
    const prompt = this.#readline.getPrompt();
    this.#clearEditor();
    this.#show(prompt);
  }

  /** Gives up waiting: the question asked has no answer. */
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
    if (this.#length + line.length > bounds.screen.typedAhead.most) this.#isLost = true;
    else {
      this.#lines.push(line);
      this.#length += line.length + 1;
    }
    clearTimeout(this.#flush);
    this.#flush = setTimeout(() => this.#together(), pasteMs);
  }

  /** A paste whose last line still stands in the editor waits for its Enter. */
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

  /** Typed while nothing was asked for. */
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

  /** The editor has dealt with the key already; Alt+Enter, which it does not know, sends the line for afterwards. */
  #pressed(key: Key | undefined): void {
    const isEnter = key?.name === "return" || key?.name === "enter";
    if (isEnter && key?.meta === true && !this.#closed) {
      this.#when = "next";
      this.#readline.write(null, { name: "return" });
    }
    if (this.#isTelling) return;
    this.#isTelling = true; // a paste is thousands of keys
    setImmediate(() => {
      this.#isTelling = false;
      this.#tellDraft();
    });
  }

  /** The editor does nothing else meanwhile. */
  async #complete(line: string, done: Completed): Promise<void> {
    const found = await this.#handlers.complete?.(line).catch(() => undefined);
    if (this.#closed) return; // nobody is left to tell
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

  /** At the prompt Ctrl-C first clears what was typed. */
  #interrupted(): void {
    if (this.#isLent) return; // the other program's
    const typed =
      this.#waiting !== undefined &&
      (this.#lines.length > 0 || (this.#readline.terminal && this.#readline.line !== ""));
    if (!typed) return this.#handlers.interrupt();
    this.#takeLines();
    this.#terminal.print("^C\n");
    this.promptAgain();
  }

  /** Ctrl-Z, which the editor hands over because it would not listen again afterwards. */
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

  /** The prompt and what was typed, on a row of its own. */
  #showAgain(): void {
    const { line } = this.#readline;
    this.promptAgain();
    this.#readline.write(line);
  }

  /** The terminal has wrapped the line anew; the editor only counts its rows, and need not write them again. */
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

  /** Unseen, and without a prompt: the editor must not go back up to rows on which something else stands by now. */
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

/** The line editor's way to the screen, open only while somebody is asked: an answer that streams is not typed into. */
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
