/** Formats found lines for the model: `path:line: text`, with context around them. */

import { cutLine } from "../../base/cut-text.ts";
import type { Tree } from "../../base/safe-fs/tree.ts";
import { byteLength, hasNul, splitLines } from "../../base/text.ts";
import { toolBounds } from "../bounds.ts";
import { largestFile } from "../files/place.ts";
import type { FileHits } from "./search-engine.ts";

export const mostHits = toolBounds.searchHits.most;
const mostBytes = toolBounds.searchBytes.most;
const longestLine = 300;

/** Collects lines to show until the result is full. */
export class SearchResults {
  readonly lines: string[] = [];
  hits = 0;
  files = 0;
  /** True if more was found than is shown. */
  full = false;
  #bytes = 0;
  readonly #tree: Tree;
  readonly #context: number;

  constructor(tree: Tree, context: number) {
    this.#tree = tree;
    this.#context = context;
  }

  /** Drops binary files, which the engines do not recognise. */
  async add({ path, lines: hits }: FileHits): Promise<void> {
    const file = await this.#tree.read(path, { maxBytes: largestFile });
    if (!file.ok || hasNul(file.value)) return;
    const lines = splitLines(new TextDecoder().decode(file.value));
    const before = this.hits;
    let shown = 0;
    for (const [at, hit] of hits.entries()) {
      if (this.hits === mostHits || this.#bytes > mostBytes) {
        this.full = true;
        break;
      }
      const from = Math.max(shown + 1, hit - this.#context);
      const to = Math.min(lines.length, hit + this.#context, (hits[at + 1] ?? Number.POSITIVE_INFINITY) - 1);
      const apart = shown === 0 || from > shown + 1;
      if (this.#context > 0 && apart && this.lines.length > 0) this.#show("--");
      for (let line = from; line <= to; line++) {
        this.#show(
          `${path}:${line}${line === hit ? ":" : "-"} ${cutLine(lines[line - 1] ?? "", longestLine)}`,
        );
      }
      shown = to;
      this.hits++;
    }
    if (this.hits > before) this.files++;
  }

  #show(line: string): void {
    this.lines.push(line);
    this.#bytes += byteLength(line) + 1;
  }
}
