/**
 * Prints a session's events as lines: text as it streams, one line for each call, everything harmless for a terminal.
 */

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
  /** Also says why each decision was made. */
  verbose: boolean;
  clock?: Clock | undefined;
};

/** What the last line printed belongs to: another kind is set off by an empty line. */
type Kind = "nothing" | "prose" | "reasoning" | "call" | "note" | "said" | "asked";

/** Of a thought without an opening mark only its end tells what it was. */
export const wasReasoning = "(That was the model's reasoning.)";

export class Printer {
  #transcript: Transcript = emptyTranscript();
  readonly #style: Style;
  readonly #verbose: boolean;
  readonly #clock: Clock;
  /** Only a terminal that can wipe a line has one. */
  readonly #statusLine: StatusLine | undefined;
  readonly #write: (text: string) => void;
  /** A line as the terminal's rows, and the words of a text that streams; without a terminal they stay as they are. */
  readonly #rows: (line: string) => readonly string[];
  readonly #flow: (piece: string) => string;
  readonly #wrap = new WordWrap();
  #last: Kind = "nothing";
  /** The block or call whose line is not ended yet. */
  #openLine: string | undefined;
  /** Units of each streaming block that are on the screen, and as what. */
  readonly #shown = new Map<string, { end: number; kind: Kind }>();
  #hushed = false;
  /** The last text was our own. */
  #saidOurselves = false;
  /** What a person is typing while a turn runs. */
  #draft: Draft | undefined;

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

  /** What a person types while the model speaks stands below everything, as long as it is not sent. */
  typing(draft: Draft | undefined): void {
    const wasTyping = this.#isTyping();
    this.#draft = draft;
    if (wasTyping && !this.#isTyping()) {
      this.#statusLine?.redraw();
      for (const block of this.transcript.live.values())
        if (block.type === "text" || block.type === "reasoning") this.#prose(block);
    }
    if (!wasTyping && this.#isTyping() && this.#statusLine?.isOn) this.endLine();
    this.#statusLine?.redraw();
  }

  /** Forgets what it has shown, for another session. */
  startOver(entries: readonly Entry[]): void {
    this.#transcript = emptyTranscript();
    this.#shown.clear();
    this.skip(entries);
  }

  /** Takes entries that are known already into the transcript without printing them. */
  skip(entries: readonly Entry[]): void {
    for (const entry of entries) showEntry(this.transcript, entry);
  }

  show(event: Entry | Signal): void {
    const blocks = showEntry(this.transcript, event, this.#clock.now());
    const reasons = this.#verbose ? reasonLines(event, this.#style) : [];
    if (reasons.length > 0) this.#notes(reasons);
    for (const block of blocks) this.#block(block, event.type);
    if (event.type === "answer-end") forgetOldest(this.transcript, bounds.screen.blocks.most);
    this.#statusLine?.update();
  }

  /** From now on it shows what is being waited for; the waiting begins now. */
  watch(): void {
    this.transcript.heardAt = this.#clock.now();
    this.#statusLine?.start();
  }

  /** Nothing is waited for, or a person is: no line comes and goes under what they read and type. */
  rest(): void {
    this.#statusLine?.stop();
  }

  /** What comes and goes is wiped, and comes no more until the returned function is called. */
  givesWay(): () => void {
    const wasOn = this.#statusLine?.isOn === true;
    this.rest();
    return () => {
      if (wasOn) this.#statusLine?.start();
    };
  }

  /** A turn begins: what was printed before needs no setting off. */
  begin(): void {
    this.endLine();
    this.#last = "nothing";
    this.#hushed = false;
    this.#saidOurselves = false;
  }

  /** The turn is being interrupted: what the model still says until it begins anew is not printed. */
  hush(): void {
    this.#hushed = true;
  }

  /** Ends an unfinished line, so that something else can be printed. */
  endLine(): void {
    if (this.#openLine !== undefined) this.#write("\n");
    this.#openLine = undefined;
    this.#wrap.endLine();
  }

  /** Sentences that belong to nothing. */
  note(...lines: string[]): void {
    this.#notes(lines);
  }

  /** The same with lines of files, which must stay as they are. */
  quote(...lines: string[]): void {
    this.#lines("note", lines);
  }

  /** What a person is asked stands apart from what led to it. */
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
        // Reads overlap, and are quick: their line comes with what they came to.
        // So it does where a status line tells what runs.
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
        if (block.state !== "taken") this.#notes(blockLines(block, this.#style));
        break;
      case "limit":
        if (block.answer?.by === "toolwright") this.#notes(blockLines(block, this.#style));
        break;
      case "event":
        // Where a status line says so, and for how long, it needs no other.
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

  #prose(block: Extract<Block, { type: "text" | "reasoning" }>): void {
    const isOurs = block.type === "text" && block.by === "toolwright";
    if (this.#hushed && !isOurs) return;
    this.#saidOurselves = isOurs;
    const kind = block.type === "text" ? "prose" : "reasoning";
    const shown = this.#shown.get(block.key) ?? { end: breaksBefore(block.text), kind };
    const end = this.#endOf(block, shown.end);
    if (end > shown.end) {
      const isCut = this.#openLine !== block.key && this.#shown.has(block.key);
      const from = isCut ? resumeAt(block.text, shown.end) : shown.end;
      if (this.#openLine !== block.key) this.#begin(kind);
      this.#write(this.#paint(block)(this.#flow(visibleText(block.text.slice(from, end)))));
      this.#openLine = block.key;
      this.#shown.set(block.key, { end, kind: shown.kind });
      if (block.open && this.#isTyping()) this.#endProseLine(block, { end, kind: shown.kind });
    }
    if (!block.open) this.#closeProse(block.key);
    if (shown.kind !== kind) {
      this.#last = kind;
      this.#begin("reasoning");
      this.#write(`${this.#style.dim(wasReasoning)}\n`);
    }
  }

  /** While a person types below it, a text comes by whole lines. */
  #endOf(block: Extract<Block, { type: "text" | "reasoning" }>, shown: number): number {
    const end = printableEnd(block);
    if (!block.open || !this.#isTyping()) return end;
    return Math.max(shown, block.text.lastIndexOf("\n", end - 1));
  }

  /** The line break behind it is printed now, and must not come again. */
  #endProseLine({ key, text }: { key: string; text: string }, shown: { end: number; kind: Kind }): void {
    this.endLine();
    if (text[shown.end] === "\n") this.#shown.set(key, { ...shown, end: shown.end + 1 });
  }

  #isTyping(): boolean {
    return this.#statusLine !== undefined && this.#draft !== undefined;
  }

  #paint(block: Extract<Block, { type: "text" | "reasoning" }>): (text: string) => string {
    if (block.type === "reasoning") return this.#style.dim;
    return block.by === "toolwright" ? this.#style.yellow : (text) => text;
  }

  #closeProse(key: string): void {
    this.#shown.delete(key);
    if (this.#openLine === key) this.endLine();
    this.#wrap.end();
  }

  #callStarts(call: CallBlock): void {
    this.#begin("call");
    this.#write(`${callTitle(call, this.#style)} …`);
    this.#openLine = call.key;
  }

  /** Goes on with the call's own line where nothing has come between. */
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

  /** Nothing stands under a text that may go on; when the model has begun to write a call, it does not. */
  #status(): Status | Draft | undefined {
    if (this.#draft) {
      if (this.#openLine !== undefined) this.endLine();
      return this.#draft;
    }
    if (this.#hushed) return undefined;
    const status = statusOf(this.transcript, this.#clock.now());
    if (status?.type === "person") return undefined; // who is asked in so many words
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

/** Longer words than this are not told again. */
const longestWord = 40;

/** Where a line goes on that something else was printed into: a word that was cut in two is told whole. */
function resumeAt(text: string, end: number): number {
  const isBlank = (at: number): boolean => /^\s?$/u.test(text[at] ?? "");
  if (isBreak(text[end - 1])) return end;
  if (isBreak(text[end])) return end + (text.startsWith("\r\n", end) ? 2 : 1); // the line was ended already
  let at = end;
  if (isBlank(end)) while (text[at] === " ") at += 1;
  else if (!isBlank(end - 1)) while (at > 0 && !isBlank(at - 1)) at -= 1;
  return end - at > longestWord ? end : at;
}

/** Line ends at the start of a text are not printed, */
function breaksBefore(text: string): number {
  let start = 0;
  while (isBreak(text[start])) start += 1;
  return start;
}

/** nor those at its end unless more follows: what sets blocks off is ours. Half a character waits too. */
function printableEnd({ text, open }: { text: string; open: boolean }): number {
  let end = open ? showable(text) : text.length;
  while (isBreak(text[end - 1])) end -= 1;
  return end;
}

const isBreak = (character: string | undefined): boolean => character === "\n" || character === "\r";
