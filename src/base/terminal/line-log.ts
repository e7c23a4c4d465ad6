/** The lines that scrolled off a screen: numbered from 0, the newest of them retained, in bounded memory. */

type LogBlock = { count: number; text: string };

const blockSize = 64 * 1024;

export class LineLog {
  #blocks: LogBlock[] = [];
  #recent: string[] = [];
  #recentSize = 0;
  #size = 0;
  #first = 0;
  #total = 0;
  readonly #context: number;

  /** `room`: how many characters are retained. */
  constructor(space: number) {
    this.#context = space;
  }

  /** The number of lines ever added, which is the number of the next one. */
  get total(): number {
    return this.#total;
  }

  /** The number of the oldest retained line. */
  get first(): number {
    return this.#first;
  }

  add(line: string): void {
    this.#recent.push(line);
    this.#recentSize += line.length + 1;
    this.#total += 1;
    if (this.#recentSize > blockSize) this.#close();
  }

  /** The lines from the given number on. */
  since(number: number): string[] {
    let start = this.#total - this.#recent.length;
    const parts = [this.#recent.slice(Math.max(0, number - start))];
    for (const block of this.#blocks.toReversed()) {
      if (start <= number) break;
      start -= block.count;
      parts.unshift(block.text.split("\n").slice(Math.max(0, number - start)));
    }
    return parts.flat();
  }

  /** Joining copies the text: a substring would keep the whole string that it was cut from in memory. */
  #close(): void {
    this.#blocks.push({ count: this.#recent.length, text: this.#recent.join("\n") });
    this.#size += this.#recentSize;
    this.#recent = [];
    this.#recentSize = 0;
    while (this.#size > this.#context) {
      const oldest = this.#blocks.shift();
      if (!oldest) return;
      this.#size -= oldest.text.length + 1;
      this.#first += oldest.count;
    }
  }
}
