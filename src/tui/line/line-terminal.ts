/** The terminal of a conversation, as one thing: finished rows, and below them status, draft or prompt. */

import type { Expected } from "../../base/expected.ts";
import { visibleText } from "../../base/visible-text.ts";
import type { Entry, Signal } from "../../protocol/facts.ts";
import type { Block } from "../../view/blocks.ts";
import { type Style, styleFor } from "../../view/plain.ts";
import { type Card, type CardContent, cardLines } from "../card.ts";
import { type ChoiceAnswer, type ChoiceMenu, choiceInLine } from "../choice.ts";
import type { OwnCommandEnd, OwnCommandLine } from "../own-command.ts";
import { editInEditor, editorOf } from "../own-editor.ts";
import type { ProcessTerminal } from "../process-terminal.ts";
import type { MessageReceiver, Terminal, TerminalHandlers } from "../terminal.ts";
import { LineInput } from "./line-input.ts";
import { Printer } from "./printer.ts";
import type { TickingClock } from "./status-line.ts";

type LineTerminalSetup = {
  terminal: ProcessTerminal;
  verbose: boolean;
  clock?: TickingClock | undefined;
};

/** A terminal that is written line by line. */
export class LineTerminal implements Terminal {
  readonly hasStatus = false;
  readonly editsLines = false;
  readonly hasMenus = false;
  readonly style: Style;
  readonly isAttended: boolean;
  readonly #terminal: ProcessTerminal;
  readonly #printer: Printer;
  readonly #input: LineInput;
  /** What was asked last: it is on the screen. */
  #asked: CardContent | undefined;

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

  get columns(): number {
    return this.#terminal.outputIsTerminal ? this.#terminal.columns() : Infinity;
  }

  get blocks(): readonly Block[] {
    return this.#printer.transcript.blocks;
  }

  show(event: Entry | Signal): void {
    this.#printer.show(event);
  }

  note(...lines: string[]): void {
    this.#printer.rows.note(lines);
  }

  quote(...lines: string[]): void {
    this.#printer.rows.print("note", lines);
  }

  ask({ content, prompt }: Card): Promise<string | undefined> {
    if (content !== this.#asked) this.#printer.rows.question(cardLines(content, this.style, this.columns));
    this.#asked = content;
    return this.answer(prompt);
  }

  async choose(menu: ChoiceMenu): Promise<ChoiceAnswer | undefined> {
    this.note(...menu.lines);
    return choiceInLine((await this.answer(menu.prompt)) ?? "", menu);
  }

  announce(...lines: string[]): void {
    if (!this.#input.isClosed) this.#input.above(() => this.note(...lines));
  }

  remind(...lines: string[]): void {
    this.note(...lines);
    this.#input.promptAgain();
  }

  echo(prompt: string, message: string): void {
    this.#terminal.print(`${prompt}${visibleText(message)}\n`);
  }

  startOver(entries: readonly Entry[]): void {
    this.#printer.startOver(entries);
  }

  replay(): boolean {
    return false;
  }

  begin(): void {
    this.#printer.begin();
  }

  watch(): void {
    this.#printer.watch();
  }

  rest(): void {
    this.#printer.rows.rest();
  }

  /** What takes long says so itself, in lines. */
  during<T>(_what: string, work: () => Promise<T>): Promise<T> {
    return work();
  }

  hush(): void {
    this.#printer.hush();
  }

  endLine(): void {
    this.#printer.rows.endLine();
    if (this.isAsking) this.#terminal.print("\n");
  }

  async message(prompt: string): Promise<string | undefined> {
    const message = await this.#input.message(prompt);
    if (message === undefined) this.#terminal.print("\n");
    return message;
  }

  answer(prompt: string): Promise<string | undefined> {
    return this.#input.answer(prompt);
  }

  get isAsking(): boolean {
    return this.#input.isAsking;
  }

  cancel(): void {
    this.#input.cancel();
  }

  deliverTo(deliver: MessageReceiver | undefined): void {
    this.#input.deliverTo(deliver);
  }

  prefill(text: string): void {
    this.#input.editor.paste(text);
  }

  async edit(text: string, file: string): Promise<Expected<string> | undefined> {
    const editor = editorOf(this.#terminal.env);
    return editor === undefined ? undefined : this.#input.editor.lend(() => editInEditor(editor, text, file));
  }

  async follow(): Promise<void> {
    this.note("A page needs a screen: this conversation is printed line by line.");
  }

  toggleVi(): undefined {
    return undefined;
  }

  async run(command: OwnCommandLine): Promise<Expected<OwnCommandEnd>> {
    const { runOwnCommand } = await import("../own-command.ts"); // rarely needed
    return this.lend(() => runOwnCommand(command, this.#terminal));
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

  exit(code: number): void {
    this.#input.editor.restore();
    this.#terminal.exit(code);
  }
}
