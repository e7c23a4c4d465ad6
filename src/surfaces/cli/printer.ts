/** Prints a session's events as lines: streaming text, one line per call, everything sanitized for a terminal. */

import { bounds } from "../../base/bounds.ts";
import type { Entry, Signal } from "../../protocol/facts.ts";
import { type Block, type CallBlock, withoutReason } from "../view/blocks.ts";
import { blockLines, callOutcome, callOutput, callTitle, reasonLines, type Style } from "../view/plain.ts";
import { type Status, statusOf } from "../view/status.ts";
import { emptyTranscript, forgetOldest, showEntry, type Transcript } from "../view/transcript.ts";
import { showable, visibleText } from "../view/visible.ts";
import { type Clock, type Draft, StatusLine, systemClock } from "./status-line.ts";
import type { Terminal } from "./terminal.ts";
import { WordWrap, wrapLine } from "./word-wrap.ts";

type PrinterSetup = {
  terminal: Pick<Terminal, "print" | "columns" | "outputIsTerminal" | "env">;
  style: Style;
  /** Also prints the reason of each decision. */
  verbose: boolean;
  clock?: Clock | undefined;
};

/** The kind of the last printed line; a different kind is separated by an empty line. */
type Kind = "nothing" | "prose" | "reasoning" | "call" | "note" | "said" | "asked";

type ProseBlock = Extract<Block, { type: "text" | "reasoning" }>;

/** `text` is as on the screen, but for its colour. */
type Row = { text: string; paint: (text: string) => string; lifted: boolean };
const emptyRow: Row = { text: "", paint: (text) => text, lifted: false };
/** A longer one (of code without line ends) stays where it is. */
const longestRow = 10_000;

/** Reasoning without an opening mark is recognized only at its end, after it was printed as text. */
const wasReasoning = "(That was the model's reasoning.)";

export class Printer {
  #transcript: Transcript = emptyTranscript();
  readonly #style: Style;
  readonly #verbose: boolean;
  readonly #clock: Clock;
  /** Undefined on a terminal that cannot wipe a line. */
  readonly #statusLine: StatusLine | undefined;
  readonly #write: (text: string) => void;
  /** Wraps a line for the terminal; without one, lines and streamed text stay unwrapped. */
  readonly #rows: (line: string) => readonly string[];
  readonly #flow: (piece: string) => string;
  readonly #wrap = new WordWrap();
  #last: Kind = "nothing";
  /** The block or call whose line is unfinished. */
  #openLine: string | undefined;
  /** For each streaming block, how far and as which kind it has been printed. */
  readonly #shown = new Map<string, { end: number; kind: Kind }>();
  #hushed = false;
  /** The last text came from Toolwright and not from the model. */
  #saidOurselves = false;
  /** The person's unsent text during a turn. */
  #draft: Draft | undefined;
  /** The unfinished row of streaming text. While a person types below it, it is `lifted` into the status line. */
  #row: Row = emptyRow;
  /** What a person said while a paragraph was streaming: printed after it. */
  #held: (readonly string[])[] = [];

  constructor({ terminal, style, verbose, clock = systemClock }: PrinterSetup) {
    this.#style = style;
    this.#verbose = verbose;
    this.#clock = clock;
    const canWipe = terminal.outputIsTerminal && terminal.env["TERM"] !== "dumb";
    const statusLine = canWipe
      ? new StatusLine({ terminal, clock, style, status: () => this.#status() })
      : undefined;
    this.#statusLine = statusLine;
    this.#write = statusLine ? (text) => statusLine.print(text) : (text) => terminal.print(text);
    this.#rows = terminal.outputIsTerminal ? (line) => wrapLine(line, terminal.columns()) : (line) => [line];
    this.#flow = canWipe ? (piece) => this.#wrap.next(piece, terminal.columns()) : (piece) => piece;
  }

  get transcript(): Transcript {
    return this.#transcript;
  }

  /** Keeps the person's unsent text below all output. */
  typing(draft: Draft | undefined): void {
    this.#draft = draft;
    if (!this.#isTyping()) this.#lower();
    this.#statusLine?.redraw();
  }

  /** Resets for another session. */
  startOver(entries: readonly Entry[]): void {
    this.#transcript = emptyTranscript();
    this.#shown.clear();
    this.skip(entries);
  }

  /** Adds known entries to the transcript without printing them. */
  skip(entries: readonly Entry[]): void {
    for (const entry of entries) showEntry(this.transcript, entry);
  }

  show(event: Entry | Signal): void {
    const blocks = showEntry(this.transcript, event, this.#clock.now());
    const reasons = this.#verbose ? reasonLines(event, this.#style) : [];
    if (reasons.length > 0) this.#notes(reasons);
    for (const block of blocks) this.#block(block, event.type);
    if (event.type === "answer-end") forgetOldest(this.transcript, bounds.screen.blocks.most);
    if (this.#row.lifted) this.#statusLine?.redraw();
    else this.#statusLine?.update();
  }

  /** Shows the status line; the waiting time starts now. */
  watch(): void {
    this.transcript.heardAt = this.#clock.now();
    this.#statusLine?.start();
  }

  /** Hides the status line, so that it does not flicker below what a person reads and types. */
  rest(): void {
    this.#lower();
    this.#statusLine?.stop();
  }

  /** Hides the status line until the returned function is called. */
  givesWay(): () => void {
    const wasOn = this.#statusLine?.isOn === true;
    this.rest();
    return () => {
      if (wasOn) this.#statusLine?.start();
    };
  }

  /** Marks the start of a turn: no empty line is needed before its output. */
  begin(): void {
    this.endLine();
    this.#last = "nothing";
    this.#hushed = false;
    this.#saidOurselves = false;
  }

  /** The turn is being interrupted: suppresses the model's remaining text until it starts anew. */
  hush(): void {
    this.#hushed = true;
  }

  /** Ends an unfinished line before other output. */
  endLine(): void {
    this.#lower();
    if (this.#openLine !== undefined) this.#write("\n");
    this.#openLine = undefined;
    this.#row = emptyRow;
    this.#wrap.endLine();
  }

  /** Prints sentences outside any block. */
  note(...lines: string[]): void {
    this.#notes(lines);
  }

  /** The same for lines of files, which are not wrapped. */
  quote(...lines: string[]): void {
    this.#lines("note", lines);
  }

  /** Prints a question, set off from the output before it. */
  ask(...lines: string[]): void {
    this.#lines("asked", lines);
    this.#last = "note";
  }

  #block(block: Block, cause: (Entry | Signal)["type"]): void {
    switch (block.type) {
      case "text":
      case "reasoning":
        this.#prose(block);
        break;
      case "call":
        // Reads are quick and overlap, so their line is printed with the result. So is every call's line if a status
        // line shows what runs.
        if (cause === "call-start" && block.does !== "read" && !this.#statusLine) this.#callStarts(block);
        if (cause === "result") this.#callEnds(block);
        break;
      case "question": // asked by the conversation itself; the answer shows in what follows
      case "asked":
      case "failure": // told by what comes of it: a retry, or the end of the turn
        break;
      case "user": // what was typed at the prompt stands there already
        if (block.how !== undefined) this.#lines("said", blockLines(block, this.#style));
        break;
      case "queued":
        if (block.state !== "taken") this.#held.push(blockLines(block, this.#style));
        if (this.#openLine === undefined) this.#tellHeld();
        break;
      case "limit":
        if (block.answer?.by === "toolwright") this.#notes(blockLines(block, this.#style));
        break;
      case "event":
        // A status line already shows this, with the time.
        if (cause !== "compacting" || !this.#statusLine) this.#notes(blockLines(block, this.#style));
        break;
      case "todos":
      case "retry":
      case "warning":
      case "undone":
      case "kept":
        this.#notes(blockLines(block, this.#style));
        break;
      case "ending": // once: that its changes were taken back is told in a line of its own
        if (cause === "turn-end") this.#ending(block);
        break;
      default:
        block satisfies never;
    }
  }

  #prose(block: ProseBlock): void {
    const isOurs = block.type === "text" && block.by === "toolwright";
    if (this.#hushed && !isOurs) return;
    this.#saidOurselves = isOurs;
    const kind = block.type === "text" ? "prose" : "reasoning";
    const shown = this.#shown.get(block.key) ?? { end: breaksBefore(block.text), kind };
    const end = printableEnd(block);
    const boundary = this.#held.length > 0 ? block.text.slice(0, end).indexOf("\n\n", shown.end) : -1;
    if (boundary >= 0) {
      this.#streams(block, shown, boundary, kind);
      this.#tellHeld();
      shown.end = boundary + breaksBefore(block.text.slice(boundary));
    }
    this.#streams(block, shown, end, kind);
    if (!block.open) this.#closeProse(block.key);
    if (shown.kind !== kind) {
      this.#last = kind;
      this.#begin("reasoning");
      this.#write(`${this.#style.dim(wasReasoning)}\n`);
    }
  }

  /** Prints a text's next part, up to `end`. */
  #streams(block: ProseBlock, shown: { end: number; kind: Kind }, end: number, kind: Kind): void {
    if (end <= shown.end) return;
    const isCut = this.#openLine !== block.key && this.#shown.has(block.key);
    const from = isCut ? resumeAt(block.text, shown.end) : shown.end;
    if (this.#openLine !== block.key) this.#begin(kind);
    this.#openLine = block.key;
    this.#shown.set(block.key, { end, kind: shown.kind });
    const paint = this.#paint(block);
    const fresh = this.#flow(visibleText(block.text.slice(from, end)));
    if (this.#isTyping()) this.#lift();
    const all = withoutWiped(this.#row.text + fresh);
    const start = all.lastIndexOf("\n") + 1;
    if (!this.#row.lifted) this.#write(paint(fresh));
    else if (start > 0) this.#write(paint(all.slice(0, start)));
    this.#row = { text: all.slice(start), paint, lifted: this.#row.lifted };
  }

  /** Takes the unfinished row off the screen: from now on the status line shows it, above what is being typed. */
  #lift(): void {
    if (this.#row.lifted) return;
    if (this.#row.text.length > longestRow) this.endLine();
    else this.#statusLine?.erase(this.#row.text);
    this.#row = { ...this.#row, lifted: true };
  }

  /** Puts it back where the text goes on. */
  #lower(): void {
    if (!this.#row.lifted) return;
    this.#row = { ...this.#row, lifted: false };
    this.#write(this.#row.paint(this.#row.text));
  }

  #tellHeld(): void {
    for (const lines of this.#held.splice(0)) this.#notes(lines);
  }

  #isTyping(): boolean {
    return this.#statusLine?.isOn === true && this.#draft !== undefined;
  }

  #paint(block: ProseBlock): (text: string) => string {
    if (block.type === "reasoning") return this.#style.dim;
    return block.by === "toolwright" ? this.#style.yellow : (text) => text;
  }

  #closeProse(key: string): void {
    this.#shown.delete(key);
    if (this.#openLine === key) this.endLine();
    this.#wrap.end();
    this.#tellHeld();
  }

  #callStarts(call: CallBlock): void {
    this.#begin("call");
    this.#write(`${callTitle(call, this.#style)} …`);
    this.#openLine = call.key;
  }

  /** Completes the call's own line if nothing was printed in between. */
  #callEnds(call: CallBlock): void {
    const style = this.#style;
    const outcome = callOutcome(call, style);
    if (this.#openLine === call.key) this.#write(`${outcome.replace(/^ …/u, "")}\n`);
    else {
      this.#begin("call");
      this.#write(`${callTitle(call, style)}${outcome}\n`);
    }
    this.#openLine = undefined;
    for (const line of callOutput(call, style)) this.#write(`${line}\n`);
  }

  #ending(block: Extract<Block, { type: "ending" }>): void {
    const told = this.#saidOurselves ? withoutReason(block) : block;
    const lines = blockLines(told, this.#style).flatMap(this.#rows);
    this.endLine();
    this.#write(lines.length > 0 ? `\n${lines.join("\n")}\n\n` : "\n");
    this.#last = "nothing";
  }

  #notes(lines: readonly string[]): void {
    this.#lines("note", lines.flatMap(this.#rows));
  }

  #lines(kind: Kind, lines: readonly string[]): void {
    this.#begin(kind);
    for (const line of lines) this.#write(`${line}\n`);
  }

  /** No status below a text that may continue; once the model writes a call, it will not. */
  #status(): Status | Draft | undefined {
    const status = this.#hushed ? undefined : statusOf(this.transcript, this.#clock.now());
    if (this.#draft) {
      if (this.#openLine !== undefined) this.#lift();
      const doing = status?.type === "person" ? undefined : status?.text;
      const above = this.#row.lifted ? this.#row : { text: doing ?? "", paint: this.#style.dim };
      return { ...this.#draft, above };
    }
    if (status?.type === "person") return undefined; // the question itself is on the screen
    if (this.#openLine === undefined) return status;
    if (status?.type !== "writing") return undefined;
    this.endLine();
    return status;
  }

  #begin(kind: Kind): void {
    this.endLine();
    const between = [kind, this.#last];
    const isApart = between.some((each) => each !== "call" && each !== "note");
    if (this.#last !== "nothing" && this.#last !== kind && isApart) this.#write("\n");
    this.#last = kind;
  }
}

/** Carries out what `WordWrap` asks of the terminal: to wipe the last columns. */
function withoutWiped(text: string): string {
  const at = text.indexOf("\u001B["); // the text is sanitized: nothing else begins like this
  if (at === -1) return text;
  const columns = Number.parseInt(text.slice(at + 2), 10);
  return withoutWiped(text.slice(0, at - columns) + text.slice(text.indexOf("K", at) + 1));
}

/** A longer interrupted word is not repeated. */
const longestWord = 40;

/** Where to resume a line after other output: a word that was cut in two is repeated from its start. */
function resumeAt(text: string, end: number): number {
  const isBlank = (at: number): boolean => /^\s?$/u.test(text[at] ?? "");
  if (isBreak(text[end - 1])) return end;
  if (isBreak(text[end])) return end + (text.startsWith("\r\n", end) ? 2 : 1); // the line was ended already
  let at = end;
  if (isBlank(end)) while (text[at] === " ") at += 1;
  else if (!isBlank(end - 1)) while (at > 0 && !isBlank(at - 1)) at -= 1;
  return end - at > longestWord ? end : at;
}

/** Skips line ends at the start of a text: the printer itself separates blocks. */
function breaksBefore(text: string): number {
  let start = 0;
  while (isBreak(text[start])) start += 1;
  return start;
}

/** Holds back line ends at the end of a text, and half a character, until more follows. */
function printableEnd({ text, open }: { text: string; open: boolean }): number {
  let end = open ? showable(text) : text.length;
  while (isBreak(text[end - 1])) end -= 1;
  return end;
}

const isBreak = (character: string | undefined): boolean => character === "\n" || character === "\r";
