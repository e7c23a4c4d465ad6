/** The terminal of a conversation, as one thing: finished rows, and below them status, draft or prompt. */

import type { Expected } from "../../base/expected.ts";
import type { Entry, Signal } from "../../protocol/facts.ts";
import type { Block } from "../../view/blocks.ts";
import { type Style, styleFor } from "../../view/plain.ts";
import { visibleText } from "../../view/visible.ts";
import { editInEditor, editorOf } from "../own-editor.ts";
import type { ProcessTerminal, SignalName } from "../process-terminal.ts";
import { type LineHandlers, LineInput, type MessageReceiver } from "./line-input.ts";
import { Printer } from "./printer.ts";
import type { TickingClock } from "./status-line.ts";

type LineTerminalSetup = {
  terminal: ProcessTerminal;
  /** Also prints the reason of each decision. */
  verbose: boolean;
  clock?: TickingClock | undefined;
};

/** What the person does that is neither a message nor an answer. */
type TerminalHandlers = Pick<LineHandlers, "interrupt" | "stop" | "ended" | "complete"> & {
  /** A signal terminates the program, or nobody reads its output any more. */
  terminate(signal?: SignalName): void;
};

/**
 * What a conversation needs of a terminal; another kind of terminal implements this. Rows given to `show`, `note`,
 * `quote` and `showQuestion` are finished: they are printed once. What is unfinished (a text that streams, the status,
 * what is typed) is the terminal's own business.
 */
export type Terminal = Pick<LineTerminal, keyof LineTerminal>;

/** Owns the process's terminal until it is closed. */
export class LineTerminal {
  readonly style: Style;
  /** Whether a person types, so that a question can stay open for them. */
  readonly isAttended: boolean;
  readonly #terminal: ProcessTerminal;
  readonly #printer: Printer;
  readonly #input: LineInput;

  constructor({ terminal, verbose, clock }: LineTerminalSetup, handlers: TerminalHandlers) {
    this.#terminal = terminal;
    this.isAttended = terminal.inputIsTerminal;
    this.style = styleFor(terminal.env, terminal.outputIsTerminal);
    this.#printer = new Printer({ terminal, style: this.style, verbose, clock });
    const { rows } = this.#printer;
    this.#input = new LineInput(terminal, {
      ...handlers,
      typing: (draft) => rows.typing(draft),
      givesWay: () => rows.givesWay(),
    });
    terminal.outputGone.addEventListener("abort", () => handlers.terminate(), { once: true });
  }

  /** Columns for a text that is laid out for it; infinite if it is no terminal. */
  get columns(): number {
    return this.#terminal.outputIsTerminal ? this.#terminal.columns() : Infinity;
  }

  /** What is known of the session, newest last. */
  get blocks(): readonly Block[] {
    return this.#printer.transcript.blocks;
  }

  /** Shows an event of the session. */
  show(event: Entry | Signal): void {
    this.#printer.show(event);
  }

  /** Prints sentences of our own. */
  note(...lines: string[]): void {
    this.#printer.rows.note(lines);
  }

  /** The same for lines of files, which are not wrapped. */
  quote(...lines: string[]): void {
    this.#printer.rows.print("note", lines);
  }

  /** Prints a question, set off from the output before it. */
  showQuestion(...lines: string[]): void {
    this.#printer.rows.question(lines);
  }

  /** Prints sentences above the open prompt and what is typed there; not once the input is over. */
  announce(...lines: string[]): void {
    if (!this.#input.isClosed) this.#input.above(() => this.note(...lines));
  }

  /** Prints sentences below the open prompt, which is then repeated. */
  remind(...lines: string[]): void {
    this.note(...lines);
    this.#input.promptAgain();
  }

  /** Prints a message as if it had been typed at the prompt. */
  echo(prompt: string, message: string): void {
    this.#terminal.print(`${prompt}${visibleText(message)}\n`);
  }

  /** Goes over to a session of which these entries are known. */
  startOver(entries: readonly Entry[]): void {
    this.#printer.startOver(entries);
  }

  /** A turn begins. */
  begin(): void {
    this.#printer.begin();
  }

  /** Shows the status; the waiting time starts now. */
  watch(): void {
    this.#printer.watch();
  }

  /** Hides it. */
  rest(): void {
    this.#printer.rows.rest();
  }

  /** Suppresses the model's remaining text of this turn. */
  hush(): void {
    this.#printer.hush();
  }

  /** Ends an unfinished row: of a text that goes on no more, or of the open prompt. */
  endLine(): void {
    this.#printer.rows.endLine();
    if (this.isAsking) this.#terminal.print("\n");
  }

  /** The next message; undefined at the end of the input. */
  async message(prompt: string): Promise<string | undefined> {
    const message = await this.#input.message(prompt);
    if (message === undefined) this.#terminal.print("\n");
    return message;
  }

  /** The answer to the question now on the screen; undefined at the end of the input or when interrupted. */
  answer(prompt: string): Promise<string | undefined> {
    return this.#input.answer(prompt);
  }

  /** Whether a message or an answer is awaited at an open prompt. */
  get isAsking(): boolean {
    return this.#input.isAsking;
  }

  /** Cancels the open prompt, which then has no answer. */
  cancel(): void {
    this.#input.cancel();
  }

  /** Sets the receiver of messages typed while nothing is asked, until the next call. */
  deliverTo(deliver: MessageReceiver | undefined): void {
    this.#input.deliverTo(deliver);
  }

  /** Types a text at the prompt, for the person to edit. */
  prefill(text: string): void {
    this.#input.editor.paste(text);
  }

  /** Lets the person edit a text in their own editor; undefined if none is configured. */
  async edit(text: string, file: string): Promise<Expected<string> | undefined> {
    const editor = editorOf(this.#terminal.env);
    return editor === undefined ? undefined : this.#input.editor.lend(() => editInEditor(editor, text, file));
  }

  /** Lends the terminal to another program while `work` runs; pastes are that program's, too. */
  async lend<T>(work: () => Promise<T>): Promise<T> {
    const { editor } = this.#input;
    editor.restore();
    try {
      return await editor.lend(work);
    } finally {
      if (!this.#input.isClosed) editor.markPastes();
    }
  }

  /** Whether the reason of each decision is printed, too. */
  setVerbose(verbose: boolean): void {
    this.#printer.verbose = verbose;
  }

  /** Gives the terminal back. */
  close(): void {
    this.#input.close();
  }

  /** Gives it back and ends the process at once. */
  exit(code: number): void {
    this.#input.editor.restore();
    this.#terminal.exit(code);
  }
}
