/** The text output of a headless run: the answer on standard output, everything else on standard error. */

import { visibleText } from "../../base/visible-text.ts";
import type { Entry, FactOf, Signal } from "../../protocol/facts.ts";
import { mostHeldBlocks } from "../../tui/bounds.ts";
import type { ProcessTerminal } from "../../tui/process-terminal.ts";
import { type Block, type EndingBlock, withoutReason } from "../../view/blocks.ts";
import { blockLines, reasonLines, type Style, styleFor } from "../../view/plain.ts";
import { emptyTranscript, forgetOldest, showEntry } from "../../view/transcript.ts";

/** Whether to print the reason of each decision, too. */
type Detail = "usual" | "reasons";
type TextBlock = Extract<Block, { type: "text" }>;

export class HeadlessPrinter {
  readonly #terminal: ProcessTerminal;
  readonly #style: Style;
  readonly #detail: Detail;
  readonly #transcript = emptyTranscript();
  /** The newest message: the answer if nothing follows it, progress otherwise. */
  #held: TextBlock | undefined;
  /** Our own closing text: the answer if the turn was done, else the reason why there is none. */
  #closing: TextBlock | undefined;
  #ending: EndingBlock | undefined;
  /** What is printed once the run is over, unless another request follows. */
  #answer = "";

  constructor(terminal: ProcessTerminal, detail: Detail) {
    this.#terminal = terminal;
    this.#style = styleFor(terminal.env, terminal.errorIsTerminal);
    this.#detail = detail;
  }

  /** How the turn ended, for the last line: what stopped it, changed and was verified. Empty before its end. */
  ending(reason: "with its reason" | "without its reason"): readonly string[] {
    const ending = this.#ending;
    if (!ending) return [];
    const isTold = reason === "without its reason" || this.#closing !== undefined;
    return blockLines(isTold ? withoutReason(ending) : ending, this.#style);
  }

  show(event: Entry | Signal): void {
    if (event.type === "turn-start") this.#begin();
    const blocks = showEntry(this.#transcript, event);
    if (this.#detail === "reasons") this.#aside(reasonLines(event, this.#style));
    for (const block of blocks) this.#block(block, event.type);
    if (event.type === "turn-end") this.#end(event);
    if (event.type === "answer-end") forgetOldest(this.#transcript, mostHeldBlocks);
  }

  #block(block: Block, cause: (Entry | Signal)["type"]): void {
    switch (block.type) {
      case "text":
        if (block.by === "toolwright") this.#closing = block;
        else if (!block.open) this.#hold(block);
        break;
      case "ending":
        this.#ending = block;
        break;
      case "call":
        this.#hold(undefined);
        if (cause === "result") this.#aside(blockLines(block, this.#style));
        break;
      case "asked":
        if (block.reply) this.#aside(blockLines(block, this.#style));
        break;
      case "limit":
        if (block.answer) this.#aside(blockLines(block, this.#style));
        break;
      case "retry": // a long outage is one line, not one for each attempt
        if (block.attempt === 1) this.#aside(blockLines(block, this.#style));
        break;
      case "event":
      case "warning":
      case "undone":
      case "kept":
        this.#aside(blockLines(block, this.#style));
        break;
      default:
        break;
    }
  }

  /** What was held until now was not the last message. */
  #hold(text: TextBlock | undefined): void {
    const earlier = this.#held;
    if (earlier && earlier.key !== text?.key) this.#aside([visibleText(earlier.text.trimEnd())]);
    this.#held = text;
  }

  /** Prints the answer. `checked`: what was found in it, which is printed alone; `null`: it does not count. */
  close(checked?: { text: string } | null): void {
    if (checked === null) this.#begin();
    const answer = checked ? this.#shown(checked.text) : this.#answer;
    if (answer !== "") this.#terminal.print(answer.endsWith("\n") ? answer : `${answer}\n`);
  }

  /** Another request: what the last one answered was not the end. */
  #begin(): void {
    if (this.#answer !== "") this.#aside([visibleText(this.#answer.trimEnd())]);
    this.#answer = "";
    this.#held = undefined;
    this.#closing = undefined;
    this.#ending = undefined;
  }

  #end({ stopped, text }: FactOf<"turn-end">): void {
    const ours = this.#closing;
    if (ours && stopped !== "done") return this.#aside([visibleText(ours.text)]);
    const answer = (stopped === "done" ? text : this.#held?.text) ?? "";
    this.#answer = ours ? visibleText(answer) : this.#shown(answer); // ours may quote a server
  }

  /** Verbatim for a file or a program. */
  #shown(answer: string): string {
    return this.#terminal.outputIsTerminal ? visibleText(answer) : answer;
  }

  #aside(lines: readonly string[]): void {
    for (const line of lines) this.#terminal.report(`${line}\n`);
  }
}
