/** Prints a session's events as lines: streaming text, one line per call, everything sanitized for a terminal. */

import type { Entry, Signal } from "../protocol/facts.ts";
import { type Block, type CallBlock, goOnLine, withoutReason } from "../view/blocks.ts";
import {
  blockLines,
  callOutcome,
  callOutput,
  callTitle,
  reasonLines,
  type Style,
  styleFor,
} from "../view/plain.ts";
import { type ActivityStatus, statusOf } from "../view/status.ts";
import { emptyTranscript, forgetOldest, showEntry, type Transcript } from "../view/transcript.ts";
import { visibleText } from "../view/visible.ts";
import { mostHeldBlocks } from "./bounds.ts";
import { BrokenAnswer } from "./broken-answer.ts";
import { breaksBefore, printableEnd, resumeAt, type ProseBlock } from "./prose.ts";
import { type TickingClock, type InputDraft, StatusLine, systemClock } from "./status-line.ts";
import type { Terminal } from "./terminal.ts";
import { UnfinishedRow } from "./unfinished-row.ts";
import { WordWrap, wrapLine } from "./word-wrap.ts";

type PrinterSetup = {
  terminal: Pick<Terminal, "print" | "columns" | "outputIsTerminal" | "env">;
  style: Style;
  /** Also prints the reason of each decision. */
  verbose: boolean;
  clock?: TickingClock | undefined;
};

/** The kind of the last printed line; a different kind is separated by an empty line. */
type LineKind = "nothing" | "prose" | "reasoning" | "call" | "note" | "said" | "asked";

const plainStyle = styleFor({}, false);

/** What of a block is printed, up to `end`. */
type PrintedPart = { end: number; kind: LineKind; isRepeated?: boolean };

/** Reasoning without an opening mark is recognized only at its end, after it was printed as text. */
const wasReasoning = "(That was the model's reasoning.)";
const beganAnew = "(The answer above broke off. Again from its start:)";

export class Printer {
  #transcript: Transcript = emptyTranscript();
  readonly #style: Style;
  readonly #verbose: boolean;
  readonly #clock: TickingClock;
  /** Undefined on a terminal that cannot wipe a line. */
  readonly #statusLine: StatusLine | undefined;
  readonly #write: (text: string) => void;
  /** Wraps a line for the terminal; without one, lines and streamed text stay unwrapped. */
  readonly #rows: (line: string) => readonly string[];
  readonly #flow: (piece: string) => string;
  readonly #wrap = new WordWrap();
  readonly #broken = new BrokenAnswer();
  #last: LineKind = "nothing";
  /** The block or call whose line is unfinished. */
  #openLine: string | undefined;
  /** For each streaming block, how far and as which kind it has been printed. */
  readonly #shown = new Map<string, PrintedPart>();
  #hushed = false;
  /** The last text came from Toolwright and not from the model. */
  #saidOurselves = false;
  /** The person's unsent text during a turn. */
  #draft: InputDraft | undefined;
  readonly #row: UnfinishedRow;
  /** Messages sent while a paragraph was streaming: printed after it, and until then shown as the draft is. */
  #held: Extract<Block, { type: "queued" }>[] = [];
  /** What a person answered to calls that have not ended: shown below their line. */
  readonly #answers = new Map<string, string>();
  /** The lines of the to-do list when it was last told. */
  #todos: readonly string[] = [];

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
    this.#row = new UnfinishedRow({ write: this.#write, erase: (text) => statusLine?.erase(text) });
    this.#rows = terminal.outputIsTerminal ? (line) => wrapLine(line, terminal.columns()) : (line) => [line];
    this.#flow = canWipe ? (piece) => this.#wrap.next(piece, terminal.columns()) : (piece) => piece;
  }

  get transcript(): Transcript {
    return this.#transcript;
  }

  /** Keeps the person's unsent text below all output. */
  typing(draft: InputDraft | undefined): void {
    this.#draft = draft;
    if (!this.#isTyping()) this.#row.lower();
    this.#statusLine?.redraw();
  }

  /** Resets for another session. */
  startOver(entries: readonly Entry[]): void {
    this.#transcript = emptyTranscript();
    this.#shown.clear();
    this.#todos = [];
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
    if (event.type === "answer-end") forgetOldest(this.transcript, mostHeldBlocks);
    if (this.#isTyping()) this.#statusLine?.redraw();
    else this.#statusLine?.update();
  }

  /** Shows the status line; the waiting time starts now. */
  watch(): void {
    this.transcript.heardAt = this.#clock.now();
    this.#statusLine?.start();
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
      if (wasOn) this.#statusLine?.start();
    };
  }

  /** Marks the start of a turn: no empty line is needed before its output. */
  begin(): void {
    this.endLine();
    this.#last = "nothing";
    this.#hushed = false;
    this.#saidOurselves = false;
    this.#broken.forget();
  }

  /** The turn is being interrupted: suppresses the model's remaining text until it starts anew. */
  hush(): void {
    this.#hushed = true;
  }

  /** Ends an unfinished line before other output. */
  endLine(): void {
    this.#row.end();
    if (this.#openLine !== undefined) this.#write("\n");
    this.#openLine = undefined;
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
        if (cause === "result" && (block.name !== "todos" || block.state !== "ok")) this.#callEnds(block);
        break;
      case "question": // asked by the conversation itself
        if (block.answer?.command !== undefined) this.#answers.set(block.callId, "  (as you edited it)");
        break;
      case "asked":
        if (block.reply) this.#answers.set(block.callId, blockLines(block, this.#style).at(-1) ?? "");
        break;
      case "failure": // told by what comes of it: a retry, or the end of the turn
        this.#broken.brokeOff(block.said, this.transcript);
        break;
      case "user": // what was typed at the prompt stands there already
        if (block.how !== undefined) this.#lines("said", blockLines(block, this.#style));
        break;
      case "queued":
        if (block.state !== "taken") this.#held.push(block);
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
        this.#todoList(blockLines(block, this.#style));
        break;
      case "retry":
        // A status line counts down; elsewhere the first of many is told.
        if (!this.#statusLine && block.attempt === 1) this.#notes(blockLines(block, this.#style));
        break;
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
    const repeated = isOurs ? 0 : this.#broken.repeated(block);
    if (repeated === "anew") this.#notes([this.#style.dim(beganAnew)]);
    const start = Math.max(breaksBefore(block.text), repeated === "anew" ? 0 : repeated);
    const isRepeated = repeated !== 0;
    const shown = this.#shown.get(block.key) ?? { end: start, kind, isRepeated };
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
  #streams(block: ProseBlock, shown: PrintedPart, end: number, kind: LineKind): void {
    if (end <= shown.end) return;
    const isCut = this.#openLine !== block.key && (this.#shown.has(block.key) || shown.isRepeated === true);
    const from = isCut ? resumeAt(block.text, shown.end) : shown.end;
    if (this.#openLine !== block.key) this.#begin(kind);
    this.#openLine = block.key;
    this.#shown.set(block.key, { end, kind: shown.kind });
    const fresh = this.#flow(visibleText(block.text.slice(from, end)));
    if (this.#isTyping()) this.#lift();
    this.#row.append(fresh, this.#paint(block));
  }

  /** Makes room for what is being typed: the unfinished row goes on above it, or ends. */
  #lift(): void {
    if (!this.#row.lift()) this.endLine();
  }

  #tellHeld(): void {
    for (const block of this.#held.splice(0)) this.#notes(blockLines(block, this.#style));
  }

  #isTyping(): boolean {
    return this.#statusLine?.isOn === true && this.#below() !== undefined;
  }

  /** What stays below the output: the text being typed, or the newest message that is held back. */
  #below(): InputDraft | undefined {
    const held = this.#held.at(-1);
    if (this.#draft || !held || this.#openLine === undefined) return this.#draft;
    const [line = ""] = blockLines(held, plainStyle);
    return { type: "draft", key: "draft", before: line.replace(/^» /u, ""), after: "" };
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
    const answer = this.#answers.get(call.callId);
    this.#answers.delete(call.callId);
    const lines = [...(answer === undefined ? [] : [style.dim(answer)]), ...callOutput(call, style)];
    for (const line of lines) this.#write(`${line}\n`);
  }

  /** Whole the first time, then only what has changed. */
  #todoList([head = "", ...items]: readonly string[]): void {
    const changed = items.filter((line) => !this.#todos.includes(line));
    if (changed.length > 0) this.#notes([head, ...changed]);
    this.#todos = items;
  }

  #ending(block: Extract<Block, { type: "ending" }>): void {
    const told = this.#saidOurselves ? withoutReason(block) : block;
    const goOn = block.stopped === "limit" ? [goOnLine] : [];
    const lines = [...blockLines(told, this.#style), ...goOn].flatMap(this.#rows);
    this.endLine();
    this.#write(lines.length > 0 ? `\n${lines.join("\n")}\n\n` : "\n");
    this.#last = "nothing";
  }

  #notes(lines: readonly string[]): void {
    this.#lines("note", lines.flatMap(this.#rows));
  }

  #lines(kind: LineKind, lines: readonly string[]): void {
    this.#begin(kind);
    for (const line of lines) this.#write(`${line}\n`);
  }

  /** No status below a text that may continue; once the model writes a call, it will not. */
  #status(): ActivityStatus | InputDraft | undefined {
    const status = this.#hushed ? undefined : statusOf(this.transcript, this.#clock.now());
    const below = this.#below();
    if (below) {
      if (this.#openLine !== undefined) this.#lift();
      const doing = status?.type === "person" ? undefined : status?.text;
      const above = this.#row.lifted ?? { text: doing ?? "", paint: this.#style.dim };
      return { ...below, above };
    }
    if (status?.type === "person") return undefined; // the question itself is on the screen
    if (this.#openLine === undefined) return status;
    if (status?.type !== "writing") return undefined;
    this.endLine();
    return status;
  }

  #begin(kind: LineKind): void {
    this.endLine();
    const between = [kind, this.#last];
    const isApart = between.some((each) => each !== "call" && each !== "note");
    if (this.#last !== "nothing" && this.#last !== kind && isApart) this.#write("\n");
    this.#last = kind;
  }
}
