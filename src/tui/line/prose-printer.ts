/** Prints streaming text and reasoning: each part once, whatever was lost, repeated or broken off. */

import { visibleText, showable } from "../../base/visible-text.ts";
import type { Block } from "../../view/blocks.ts";
import type { Style } from "../../view/plain.ts";
import type { Transcript } from "../../view/transcript.ts";
import type { RowKind, TerminalRows } from "./terminal-rows.ts";

/** What of a block is printed, up to `end`. */
type PrintedPart = { end: number; kind: RowKind; isRepeated?: boolean };

/** Reasoning without an opening mark is recognized only at its end, after it was printed as text. */
const wasReasoning = "(That was the model's reasoning.)";
const beganAnew = "(The answer above broke off. Again from its start:)";

export class ProsePrinter {
  readonly #rows: TerminalRows;
  readonly #style: Style;
  readonly #broken = new BrokenAnswer();
  /** For each streaming block, how far and as which kind it has been printed. */
  readonly #shown = new Map<string, PrintedPart>();
  #hushed = false;
  #saidOurselves = false;

  constructor(rows: TerminalRows, style: Style) {
    this.#rows = rows;
    this.#style = style;
  }

  /** A turn begins. */
  begin(): void {
    this.#hushed = false;
    this.#saidOurselves = false;
    this.#broken.forget();
  }

  /** Another session begins. */
  forget(): void {
    this.#shown.clear();
  }

  /** Suppresses the model's remaining text of this turn. */
  hush(): void {
    this.#hushed = true;
  }

  get isHushed(): boolean {
    return this.#hushed;
  }

  /** Whether the last text came from Toolwright and not from the model. */
  get saidOurselves(): boolean {
    return this.#saidOurselves;
  }

  brokeOff(said: readonly string[], transcript: Transcript): void {
    this.#broken.brokeOff(said, transcript);
  }

  show(block: ProseBlock): void {
    const isOurs = block.type === "text" && block.by === "toolwright";
    if (this.#hushed && !isOurs) return;
    this.#saidOurselves = isOurs;
    const kind = block.type === "text" ? "prose" : "reasoning";
    const repeated = isOurs ? 0 : this.#broken.repeated(block);
    if (repeated === "anew") this.#rows.note([this.#style.dim(beganAnew)]);
    const start = Math.max(breaksBefore(block.text), repeated === "anew" ? 0 : repeated);
    const isRepeated = repeated !== 0;
    const shown = this.#shown.get(block.key) ?? { end: start, kind, isRepeated };
    const end = printableEnd(block);
    const boundary = this.#rows.isHolding ? block.text.slice(0, end).indexOf("\n\n", shown.end) : -1;
    if (boundary >= 0) {
      this.#streams(block, shown, boundary, kind);
      this.#rows.tellHeld();
      shown.end = boundary + breaksBefore(block.text.slice(boundary));
    }
    this.#streams(block, shown, end, kind);
    if (!block.open) this.#close(block.key);
    if (shown.kind !== kind) this.#rows.print("reasoning", [this.#style.dim(wasReasoning)], kind);
  }

  /** Prints a text's next part, up to `end`. */
  #streams(block: ProseBlock, shown: PrintedPart, end: number, kind: RowKind): void {
    if (end <= shown.end) return;
    const { key } = block;
    const isCut = this.#rows.open !== key && (this.#shown.has(key) || shown.isRepeated === true);
    const from = isCut ? resumeAt(block.text, shown.end) : shown.end;
    this.#shown.set(key, { end, kind: shown.kind });
    const text = visibleText(block.text.slice(from, end));
    this.#rows.stream({ key, kind, text, paint: this.#paint(block) });
  }

  #paint(block: ProseBlock): (text: string) => string {
    if (block.type === "reasoning") return this.#style.dim;
    return block.by === "toolwright" ? this.#style.yellow : (text) => text;
  }

  #close(key: string): void {
    this.#shown.delete(key);
    this.#rows.endStream(key);
  }
}

class BrokenAnswer {
  /** Blocks that the next answer may repeat, in order. */
  #said: ProseBlock[] = [];
  /** The block that repeats `of`, by its key. */
  readonly #repeats = new Map<string, ProseBlock>();

  /** The answer that said this, by the blocks' keys, broke off, and is asked for again. */
  brokeOff(said: readonly string[], { blocks, places }: Transcript): void {
    const found = said.map((key) => blocks[places.get(key) ?? -1]);
    this.forget();
    this.#said = found.filter((block) => block?.type === "text" || block?.type === "reasoning");
  }

  forget(): void {
    this.#said = [];
    this.#repeats.clear();
  }

  /** How many characters of the block stand on the screen; "anew" if it has just turned out to be no repetition. */
  repeated(block: ProseBlock): number | "anew" {
    const of = this.#repeats.get(block.key) ?? this.#said.shift();
    if (!of) return 0;
    this.#repeats.set(block.key, of);
    const { text } = block;
    if (of.type === block.type && text.startsWith(of.text)) return of.text.length;
    if (of.type === block.type && of.text.startsWith(text)) return text.length;
    this.forget();
    return "anew";
  }
}

/** What a model writes for people. */
type ProseBlock = Extract<Block, { type: "text" | "reasoning" }>;

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
