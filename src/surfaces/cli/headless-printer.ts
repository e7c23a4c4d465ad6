/** The text output of a headless run: the model's text on standard output, everything else on standard error. */

import { bounds } from "../../base/bounds.ts";
import type { Entry, Signal } from "../../protocol/facts.ts";
import { type Block, type EndingBlock, withoutReason } from "../view/blocks.ts";
import { blockLines, reasonLines, type Style, styleFor } from "../view/plain.ts";
import { emptyTranscript, forgetOldest, showEntry } from "../view/transcript.ts";
import { showable, visibleText } from "../view/visible.ts";
import { wasReasoning } from "./printer.ts";
import type { Terminal } from "./terminal.ts";

/** Whether to print the reason of each decision, too. */
type Detail = "usual" | "reasons";
type TextBlock = Extract<Block, { type: "text" }>;

export class HeadlessPrinter {
  readonly #terminal: Terminal;
  readonly #style: Style;
  readonly #detail: Detail;
  readonly #transcript = emptyTranscript();
  /** The text block being printed, and how much of it has been. */
  #open: { key: string; shown: number } | undefined;
  #anyText = false;
  /** Our own closing text: the answer if the turn was done, else the reason why there is none. */
  #closing: TextBlock | undefined;
  /** Lines for standard error, held back until the text line is complete: both may go to the same screen. */
  #waiting: string[] = [];

  constructor(terminal: Terminal, detail: Detail) {
    this.#terminal = terminal;
    this.#style = styleFor(terminal.env, terminal.errorIsTerminal);
    this.#detail = detail;
  }

  show(event: Entry | Signal): void {
    const blocks = showEntry(this.#transcript, event);
    if (this.#detail === "reasons") this.#aside(reasonLines(event, this.#style));
    for (const block of blocks) this.#block(block, event.type);
    if (!this.#open || event.type === "turn-end") this.#tellWaiting();
    if (event.type === "answer-end") forgetOldest(this.#transcript, bounds.screen.blocks.most);
  }

  #block(block: Block, cause: (Entry | Signal)["type"]): void {
    if (block.type === "text" && block.by === "toolwright") this.#closing = block;
    else if (block.type === "text") return this.#text(block);
    if (block.type === "reasoning" && this.#open?.key === block.key) return this.#wasReasoning(block);
    // Do not report this interruption: it came from the reader closing our output.
    if (block.type === "ending" && block.stopped === "interrupted" && this.#terminal.outputGone.aborted)
      return;
    const called = block.type === "call" && cause === "result";
    const answered = (block.type === "asked" && block.reply) || (block.type === "limit" && block.answer);
    const told =
      called || answered || ["event", "warning", "retry", "ending", "undone", "kept"].includes(block.type);
    if (block.type === "ending" && this.#closing) this.#close(this.#closing, block);
    else if (told) this.#aside(blockLines(block, this.#style));
  }

  #close(closing: TextBlock, ending: EndingBlock): void {
    this.#closing = undefined;
    if (ending.stopped === "done") this.#text(closing);
    else this.#aside([visibleText(closing.text)]);
    this.#aside(blockLines(withoutReason(ending), this.#style));
  }

  /** Verbatim for a file or a program; sanitized for a terminal, as is text that we quote from a server. */
  #text({ key, text, open, by }: TextBlock): void {
    const { print, outputIsTerminal } = this.#terminal;
    if (this.#open?.key !== key) {
      if (this.#anyText) print("\n");
      this.#open = { key, shown: 0 };
    }
    const end = open ? showable(text) : text.length;
    const fresh = text.slice(this.#open.shown, end);
    if (fresh !== "") print(outputIsTerminal || by === "toolwright" ? visibleText(fresh) : fresh);
    this.#open.shown = end;
    this.#anyText = true;
    if (open) return;
    if (!text.endsWith("\n")) print("\n");
    this.#open = undefined;
  }

  /** The reasoning has been printed already; only set the following text off from it. */
  #wasReasoning({ text }: Extract<Block, { type: "reasoning" }>): void {
    if (!text.slice(0, this.#open?.shown).endsWith("\n")) this.#terminal.print("\n");
    this.#open = undefined;
    this.#aside([this.#style.dim(wasReasoning)]);
  }

  #aside(lines: readonly string[]): void {
    this.#waiting.push(...lines);
  }

  #tellWaiting(): void {
    for (const line of this.#waiting) this.#terminal.report(`${line}\n`);
    this.#waiting = [];
  }
}
