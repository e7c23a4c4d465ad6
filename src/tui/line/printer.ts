/** Prints a session's events as rows: streaming text, one line per call, everything sanitized for a terminal. */

import type { Entry, Signal } from "../../protocol/facts.ts";
import { type Block, type CallBlock, goOnLine, withoutReason } from "../../view/blocks.ts";
import {
  blockLines,
  callOutcome,
  callOutput,
  callTitle,
  reasonLines,
  type Style,
  styleFor,
} from "../../view/plain.ts";
import { statusOf } from "../../view/status.ts";
import { emptyTranscript, forgetOldest, showEntry, type Transcript } from "../../view/transcript.ts";
import { mostHeldBlocks } from "../bounds.ts";
import { ProsePrinter } from "./prose-printer.ts";
import { systemClock, type TickingClock } from "./status-line.ts";
import { type OutputTerminal, TerminalRows } from "./terminal-rows.ts";

type PrinterSetup = {
  terminal: OutputTerminal;
  style: Style;
  /** Also prints the reason of each decision. */
  verbose: boolean;
  clock?: TickingClock | undefined;
};

const plainStyle = styleFor({}, false);

export class Printer {
  readonly rows: TerminalRows;
  /** Also prints the reason of each decision. */
  verbose: boolean;
  readonly #style: Style;
  readonly #clock: TickingClock;
  readonly #prose: ProsePrinter;
  #transcript: Transcript = emptyTranscript();
  /** What a person answered to calls that have not ended: shown below their line. */
  readonly #answers = new Map<string, string>();
  /** The lines of the to-do list when it was last told. */
  #todos: readonly string[] = [];

  constructor({ terminal, style, verbose, clock = systemClock }: PrinterSetup) {
    this.#style = style;
    this.verbose = verbose;
    this.#clock = clock;
    this.rows = new TerminalRows({
      terminal,
      style,
      clock,
      activity: () => (this.#prose.isHushed ? undefined : statusOf(this.#transcript, clock.now())),
    });
    this.#prose = new ProsePrinter(this.rows, style);
  }

  get transcript(): Transcript {
    return this.#transcript;
  }

  /** Resets for a session of which these entries are known: they are not printed. */
  startOver(entries: readonly Entry[]): void {
    this.#transcript = emptyTranscript();
    this.#prose.forget();
    this.#todos = [];
    for (const entry of entries) showEntry(this.#transcript, entry);
  }

  show(event: Entry | Signal): void {
    const blocks = showEntry(this.#transcript, event, this.#clock.now());
    const reasons = this.verbose ? reasonLines(event, this.#style) : [];
    if (reasons.length > 0) this.rows.note(reasons);
    for (const block of blocks) this.#block(block, event.type);
    if (event.type === "answer-end") forgetOldest(this.#transcript, mostHeldBlocks);
    this.rows.refresh();
  }

  /** Shows the status line; the waiting time starts now. */
  watch(): void {
    this.#transcript.heardAt = this.#clock.now();
    this.rows.watch();
  }

  /** Marks the start of a turn: no empty line is needed before its output. */
  begin(): void {
    this.rows.startOver();
    this.#prose.begin();
  }

  /** The turn is being interrupted: suppresses the model's remaining text until it starts anew. */
  hush(): void {
    this.#prose.hush();
  }

  #block(block: Block, cause: (Entry | Signal)["type"]): void {
    const { rows } = this;
    switch (block.type) {
      case "text":
      case "reasoning":
        this.#prose.show(block);
        break;
      case "call":
        // Reads are quick and overlap, so their line is printed with the result. So is every call's line if a status
        // line shows what runs.
        if (cause === "call-start" && block.does !== "read" && !rows.hasStatus)
          rows.openLine("call", block.key, `${callTitle(block, this.#style)} …`);
        if (cause === "result" && (block.name !== "todos" || block.state !== "ok")) this.#callEnds(block);
        break;
      case "question": // asked by the conversation itself
        if (block.answer?.command !== undefined) this.#answers.set(block.callId, "  (as you edited it)");
        break;
      case "asked":
        if (block.reply) this.#answers.set(block.callId, this.#lines(block).at(-1) ?? "");
        break;
      case "failure": // told by what comes of it: a retry, or the end of the turn
        this.#prose.brokeOff(block.said, this.#transcript);
        break;
      case "user": // what was typed at the prompt stands there already
        if (block.how !== undefined) rows.print("said", this.#lines(block));
        break;
      case "queued":
        this.#queued(block);
        break;
      case "limit":
        if (block.answer?.by === "toolwright") rows.note(this.#lines(block));
        break;
      case "event":
        // A status line already shows this, with the time.
        if (cause !== "compacting" || !rows.hasStatus) this.#afterParagraph(block);
        break;
      case "todos":
        this.#todoList(this.#lines(block));
        break;
      case "retry":
        // A status line counts down; elsewhere the first of many is told.
        if (!rows.hasStatus && block.attempt === 1) rows.note(this.#lines(block));
        break;
      case "warning":
      case "undone":
      case "kept":
        rows.note(this.#lines(block));
        break;
      case "ending": // once: that its changes were taken back is told in a line of its own
        if (cause === "turn-end") this.#ending(block);
        break;
      default:
        block satisfies never;
    }
  }

  #lines(block: Block): readonly string[] {
    return blockLines(block, this.#style);
  }

  /** Printed after the paragraph that streams, and until then shown as a draft is. */
  #queued(block: Extract<Block, { type: "queued" }>): void {
    if (block.state !== "taken") this.#afterParagraph(block);
    else if (this.rows.open === undefined) this.rows.tellHeld();
  }

  /** What happens while a paragraph streams does not split it. */
  #afterParagraph(block: Block): void {
    const preview = (): string => (blockLines(block, plainStyle)[0] ?? "").replace(/^[»·] /u, "");
    this.rows.hold({ lines: () => this.#lines(block), preview });
    if (this.rows.open === undefined) this.rows.tellHeld();
  }

  /** Completes the call's own line if nothing was printed in between. */
  #callEnds(call: CallBlock): void {
    const { rows } = this;
    const style = this.#style;
    const outcome = callOutcome(call, style);
    if (rows.open === call.key) rows.closeLine(outcome.replace(/^ …/u, ""));
    else rows.print("call", [`${callTitle(call, style)}${outcome}`]);
    const answer = this.#answers.get(call.callId);
    this.#answers.delete(call.callId);
    rows.print("call", [...(answer === undefined ? [] : [style.dim(answer)]), ...callOutput(call, style)]);
  }

  /** Whole the first time, then only what has changed. */
  #todoList([head = "", ...items]: readonly string[]): void {
    const changed = items.filter((line) => !this.#todos.includes(line));
    if (changed.length > 0) this.rows.note([head, ...changed]);
    this.#todos = items;
  }

  #ending(block: Extract<Block, { type: "ending" }>): void {
    const told = this.#prose.saidOurselves ? withoutReason(block) : block;
    const goOn = block.stopped === "limit" ? [goOnLine] : [];
    this.rows.endTurn([...this.#lines(told), ...goOn]);
  }
}
