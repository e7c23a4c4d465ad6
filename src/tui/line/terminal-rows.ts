/** The rows of a line terminal: finished ones, which are never printed again, and below them what is unfinished. */

import type { Style } from "../../view/plain.ts";
import type { ActivityStatus } from "../../view/status.ts";
import type { TextColour } from "../../view/style.ts";
import type { ProcessTerminal } from "../process-terminal.ts";
import { type InputDraft, StatusLine, type TickingClock } from "./status-line.ts";
import { UnfinishedRow } from "./unfinished-row.ts";
import { WordWrap, wrapLine } from "./word-wrap.ts";

/** What a row is part of; a different kind is separated by an empty line. */
export type RowKind = "nothing" | "prose" | "reasoning" | "call" | "note" | "said" | "asked";

export type OutputTerminal = Pick<ProcessTerminal, "print" | "columns" | "outputIsTerminal" | "env">;

type RowsSetup = {
  terminal: OutputTerminal;
  style: Style;
  clock: TickingClock;
  /** What goes on, for the status line. */
  activity: () => ActivityStatus | undefined;
};

/** A part of a text that streams under `key`. */
type StreamedText = { key: string; kind: RowKind; text: string; paint: TextColour };

/** Notes that wait for the end of a paragraph, and what stands for them below it until then. */
type HeldNotes = { lines: () => readonly string[]; preview: () => string };

export class TerminalRows {
  readonly #setup: RowsSetup;
  /** Undefined on a terminal that cannot wipe a line. */
  readonly #statusLine: StatusLine | undefined;
  readonly #row: UnfinishedRow;
  readonly #wrap = new WordWrap();
  #last: RowKind = "nothing";
  #open: string | undefined;
  /** The person's unsent text during a turn. */
  #draft: InputDraft | undefined;
  #held: HeldNotes[] = [];

  constructor(setup: RowsSetup) {
    this.#setup = setup;
    const { terminal } = setup;
    if (terminal.outputIsTerminal && terminal.env["TERM"] !== "dumb")
      this.#statusLine = new StatusLine({ ...setup, status: () => this.#tail() });
    this.#row = new UnfinishedRow({
      write: (text) => this.#write(text),
      erase: (text) => this.#statusLine?.erase(text),
    });
  }

  /** Whether a status line shows what goes on. */
  get hasStatus(): boolean {
    return this.#statusLine !== undefined;
  }

  /** Prints sentences, wrapped. */
  note(lines: readonly string[]): void {
    this.print("note", this.#wrapped(lines));
  }

  /** Prints a question, set off from what stands before it. */
  question(lines: readonly string[]): void {
    this.print("asked", lines);
    this.#last = "note";
  }

  /** Prints lines as they are. `after`: set off as if this were the last. */
  print(kind: RowKind, lines: readonly string[], after = this.#last): void {
    this.#last = after;
    this.#begin(kind);
    for (const line of lines) this.#write(`${line}\n`);
  }

  /** The next output needs no empty line before it. */
  startOver(): void {
    this.endLine();
    this.#last = "nothing";
  }

  /** Prints the end of a turn, set off on both sides. */
  endTurn(lines: readonly string[]): void {
    const rows = this.#wrapped(lines);
    this.endLine();
    this.#write(rows.length > 0 ? `\n${rows.join("\n")}\n\n` : "\n");
    this.#last = "nothing";
  }

  /** The text or call whose line is unfinished. */
  get open(): string | undefined {
    return this.#open;
  }

  /** Begins a line that `closeLine` completes, unless other output comes before. */
  openLine(kind: RowKind, key: string, text: string): void {
    this.#begin(kind);
    this.#write(text);
    this.#open = key;
  }

  closeLine(text: string): void {
    this.#write(`${text}\n`);
    this.#open = undefined;
  }

  /** Prints the next part of a text. */
  stream({ key, kind, text, paint }: StreamedText): void {
    if (this.#open !== key) this.#begin(kind);
    this.#open = key;
    const fresh = this.hasStatus ? this.#wrap.next(text, this.#setup.terminal.columns()) : text;
    if (this.#isTyping()) this.#lift();
    this.#row.append(fresh, paint);
  }

  endStream(key: string): void {
    if (this.#open === key) this.endLine();
    this.#wrap.end();
    this.tellHeld();
  }

  /** Ends an unfinished line before other output. */
  endLine(): void {
    this.#row.end();
    if (this.#open !== undefined) this.#write("\n");
    this.#open = undefined;
    this.#wrap.endLine();
  }

  /** Keeps these notes until `tellHeld`. */
  hold(notes: HeldNotes): void {
    this.#held.push(notes);
  }

  get isHolding(): boolean {
    return this.#held.length > 0;
  }

  tellHeld(): void {
    for (const { lines } of this.#held.splice(0)) this.note(lines());
  }

  /** Keeps the person's unsent text below all output. */
  typing(draft: InputDraft | undefined): void {
    this.#draft = draft;
    if (!this.#isTyping()) this.#row.lower();
    this.#statusLine?.redraw();
  }

  /** Shows the status line. */
  watch(): void {
    this.#statusLine?.start();
  }

  /** Shows what has changed in the status. */
  refresh(): void {
    if (this.#isTyping()) this.#statusLine?.redraw();
    else this.#statusLine?.update();
  }

  /** Hides the status line, so that it does not flicker below what a person reads and types. */
  rest(): void {
    this.#row.lower();
    this.#statusLine?.stop();
  }

  /** Hides the status line until the returned function is called. */
  givesWay(): () => void {
    const wasOn = this.#statusLine?.isOn === true;
    this.rest();
    return () => {
      if (wasOn) this.watch();
    };
  }

  #write(text: string): void {
    (this.#statusLine ?? this.#setup.terminal).print(text);
  }

  #wrapped(lines: readonly string[]): readonly string[] {
    const { terminal } = this.#setup;
    return terminal.outputIsTerminal ? lines.flatMap((line) => wrapLine(line, terminal.columns())) : lines;
  }

  #begin(kind: RowKind): void {
    this.endLine();
    const between = [kind, this.#last];
    const isApart = between.some((each) => each !== "call" && each !== "note");
    if (this.#last !== "nothing" && this.#last !== kind && isApart) this.#write("\n");
    this.#last = kind;
  }

  /** Makes room for what is being typed: the unfinished row goes on above it, or ends. */
  #lift(): void {
    if (!this.#row.lift()) this.endLine();
  }

  #isTyping(): boolean {
    return this.#statusLine?.isOn === true && this.#below() !== undefined;
  }

  /** What stays below the output: the text being typed, or the newest message that is held back. */
  #below(): InputDraft | undefined {
    const held = this.#held.at(-1);
    if (this.#draft || !held || this.#open === undefined) return this.#draft;
    return { type: "draft", key: "draft", before: held.preview(), after: "" };
  }

  /** No status below a text that may continue; once the model writes a call, it will not. */
  #tail(): ActivityStatus | InputDraft | undefined {
    const status = this.#setup.activity();
    const below = this.#below();
    if (below) {
      if (this.#open !== undefined) this.#lift();
      const doing = status?.type === "person" ? undefined : status?.text;
      const above = this.#row.lifted ?? { text: doing ?? "", paint: this.#setup.style.dim };
      return { ...below, above };
    }
    if (status?.type === "person") return undefined; // the question itself is on the screen
    if (this.#open === undefined) return status;
    if (status?.type !== "writing") return undefined;
    this.endLine();
    return status;
  }
}
