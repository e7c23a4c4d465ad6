/** What an answer had said on the screen when it broke off, so that its repetition is not printed a second time. */

import type { Transcript } from "../../view/transcript.ts";
import type { ProseBlock } from "./prose.ts";

export class BrokenAnswer {
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
