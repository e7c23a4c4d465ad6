/** What a person types: whole messages, answers to questions, Ctrl-C and the end of the input. */
import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import type { SignalName, Terminal } from "./terminal.ts";

/** Lines that come closer together than this were pasted, and are one message. */
const pasteMs = 25;

export type LineHandlers = {
  /** Ctrl-C while no line was being typed. */
  interrupt(): void;
  /** A signal that ends programs. */
  terminate(signal: SignalName): void;
};

type Waiting = { resolve: (text: string | undefined) => void };

/**
 * Reads lines as long as it is open. What is typed while nothing is asked for is kept as the next message, but never
 * taken for the answer to a question that was not on the screen yet.
 */
export class LineInput {
  readonly #readline: Interface;
  readonly #echo: Gate;
  readonly #terminal: Terminal;
  readonly #handlers: LineHandlers;
  readonly #leaveSignals: () => void;
  #typedAhead: string[] = [];
  #lines: string[] = [];
  #flush: NodeJS.Timeout | undefined;
  #waiting: Waiting | undefined;
  #closed = false;

  constructor(terminal: Terminal, handlers: LineHandlers) {
    this.#terminal = terminal;
    this.#handlers = handlers;
    this.#echo = new Gate(terminal);
    const isTerminal = terminal.inputIsTerminal && terminal.outputIsTerminal;
    this.#readline = createInterface({
      input: terminal.input,
      output: this.#echo,
      terminal: isTerminal,
      historySize: 200,
    });
    this.#readline.on("line", (line) => this.#heard(line));
    this.#readline.on("SIGINT", () => this.#interrupted());
    this.#readline.on("close", () => this.#ended());
    this.#readline.on("error", () => this.#ended()); // the terminal is gone, and cannot even be set back
    this.#leaveSignals = terminal.onSignal((signal) =>
      signal === "SIGINT" ? this.#interrupted() : handlers.terminate(signal),
    );
  }

  /** A message or an answer is being waited for: its line is not ended. */
  get isAsking(): boolean {
    return this.#waiting !== undefined;
  }

  /** The next message; undefined at the end of the input. */
  message(prompt: string): Promise<string | undefined> {
    const ahead = this.#typedAhead.shift();
    if (ahead !== undefined) {
      this.#terminal.print(`${prompt}${ahead}\n`);
      return Promise.resolve(ahead);
    }
    return this.#ask(prompt);
  }

  /** The answer to a question that is on the screen now; undefined at the end of the input, or when interrupted. */
  answer(prompt: string): Promise<string | undefined> {
    this.#keepTyped();
    if (this.#readline.terminal) this.#clearEditor(); // half a line typed before is no answer either
    return this.#ask(prompt);
  }

  /** Gives up waiting: the question asked has no answer. */
  cancel(): void {
    if (this.#readline.terminal) this.#clearEditor();
    this.#settle(undefined);
  }

  close(): void {
    this.#leaveSignals();
    this.#readline.close();
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
    this.#lines.push(line);
    clearTimeout(this.#flush);
    this.#flush = setTimeout(() => this.#together(), pasteMs);
  }

  /** A paste whose last line still stands in the editor waits for its Enter. */
  #together(): void {
    if (!this.#closed && this.#readline.terminal && this.#readline.line !== "") return;
    const text = this.#takeLines();
    if (this.#waiting) this.#settle(text);
    else this.#typedAhead.push(text);
  }

  #takeLines(): string {
    clearTimeout(this.#flush);
    const text = this.#lines.join("\n");
    this.#lines = [];
    return text;
  }

  #keepTyped(): void {
    if (this.#lines.length > 0) this.#typedAhead.push(this.#takeLines());
  }

  /** At the prompt Ctrl-C first clears what was typed. */
  #interrupted(): void {
    const typed =
      this.#waiting !== undefined &&
      (this.#lines.length > 0 || (this.#readline.terminal && this.#readline.line !== ""));
    if (!typed) return this.#handlers.interrupt();
    this.#takeLines();
    this.#terminal.print("^C\n");
    const prompt = this.#readline.getPrompt();
    this.#clearEditor();
    this.#show(prompt);
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
    this.#settle(undefined);
  }

  #settle(text: string | undefined): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.#echo.open = false;
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
