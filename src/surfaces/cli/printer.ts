/** Prints a session's events as lines: text as it streams, one line for each call, everything harmless for a terminal. */
import type { Entry, Signal } from "../../protocol/facts.ts";
import { type Block, type CallBlock, withoutReason } from "../view/blocks.ts";
import { blockLines, callOutcome, callOutput, callTitle, type Style } from "../view/plain.ts";
import { emptyTranscript, showEntry, type Transcript } from "../view/transcript.ts";
import { showable, visibleText } from "../view/visible.ts";

export type PrinterSetup = {
  write: (text: string) => void;
  style: Style;
  /** Also says why each decision was made. */
  verbose: boolean;
};

/** What the last line printed belongs to: another kind is set off by an empty line. */
type Kind = "nothing" | "prose" | "reasoning" | "call" | "note";

export class Printer {
  readonly transcript: Transcript = emptyTranscript();
  readonly #setup: PrinterSetup;
  #last: Kind = "nothing";
  /** The block or call whose line is not ended yet. */
  #openLine: string | undefined;
  /** Units of each streaming block that are on the screen. */
  readonly #shown = new Map<string, number>();
  #hushed = false;
  /** The last text was our own. */
  #saidOurselves = false;

  constructor(setup: PrinterSetup) {
    this.#setup = setup;
  }

  /** Takes entries that are known already into the transcript without printing them. */
  skip(entries: readonly Entry[]): void {
    for (const entry of entries) showEntry(this.transcript, entry);
  }

  show(event: Entry | Signal): void {
    const blocks = showEntry(this.transcript, event);
    if (event.type === "decision" && this.#setup.verbose)
      this.#lines("note", [this.#setup.style.dim(`  ${event.verdict}: ${visibleText(event.because)}`)]);
    for (const block of blocks) this.#block(block, event.type);
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
    if (this.#openLine !== undefined) this.#setup.write("\n");
    this.#openLine = undefined;
  }

  /** Whole lines that belong to nothing. */
  note(...lines: string[]): void {
    this.#lines("note", lines);
  }

  #block(block: Block, cause: (Entry | Signal)["type"]): void {
    switch (block.type) {
      case "text":
      case "reasoning":
        this.#prose(block);
        break;
      case "call":
        // Reads overlap, and are quick: their line comes with what they came to.
        if (cause === "call-start" && block.does !== "read") this.#callStarts(block);
        if (cause === "result") this.#callEnds(block);
        break;
      case "question": // asked by the conversation itself; the answer shows in what follows
      case "failure": // told by what comes of it: a retry, or the end of the turn
      case "user":
        break;
      case "retry":
      case "warning":
      case "undone":
        this.#lines("note", blockLines(block, this.#setup.style));
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
    const shown = this.#shown.get(block.key) ?? breaksBefore(block.text);
    const end = printableEnd(block);
    if (end > shown) {
      if (this.#openLine !== block.key) this.#begin(block.type === "text" ? "prose" : "reasoning");
      this.#setup.write(this.#paint(block, isOurs)(visibleText(block.text.slice(shown, end))));
      this.#openLine = block.key;
      this.#shown.set(block.key, end);
    }
    if (!block.open) this.#closeProse(block.key);
  }

  #paint(block: { type: "text" | "reasoning" }, isOurs: boolean): (text: string) => string {
    const { style } = this.#setup;
    if (isOurs) return style.yellow;
    return block.type === "text" ? (text) => text : style.dim;
  }

  #closeProse(key: string): void {
    this.#shown.delete(key);
    if (this.#openLine === key) this.endLine();
  }

  #callStarts(call: CallBlock): void {
    this.#begin("call");
    this.#setup.write(`${callTitle(call, this.#setup.style)} …`);
    this.#openLine = call.key;
  }

  /** Goes on with the call's own line where nothing has come between. */
  #callEnds(call: CallBlock): void {
    const { style, write } = this.#setup;
    const outcome = callOutcome(call, style);
    if (this.#openLine === call.key) write(`${outcome.replace(/^ …/u, "")}\n`);
    else {
      this.#begin("call");
      write(`${callTitle(call, style)}${outcome}\n`);
    }
    this.#openLine = undefined;
    for (const line of callOutput(call, style)) write(`${line}\n`);
  }

  #ending(block: Extract<Block, { type: "ending" }>): void {
    const told = this.#saidOurselves ? withoutReason(block) : block;
    const lines = blockLines(told, this.#setup.style);
    this.endLine();
    this.#setup.write(lines.length > 0 ? `\n${lines.join("\n")}\n\n` : "\n");
    this.#last = "nothing";
  }

  #lines(kind: Kind, lines: readonly string[]): void {
    this.#begin(kind);
    for (const line of lines) this.#setup.write(`${line}\n`);
  }

  #begin(kind: Kind): void {
    this.endLine();
    const between = [kind, this.#last];
    const isProse = between.includes("prose") || between.includes("reasoning");
    if (this.#last !== "nothing" && this.#last !== kind && isProse) this.#setup.write("\n");
    this.#last = kind;
  }
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
