/** Keeps the start and the end of an output of any length, in bounded memory. */

/** `bytes` is the whole output, or its start, a note of how much was left out, and its end. */
export type KeptOutput = { bytes: Uint8Array; total: number; dropped: number };

/** Uses a quarter of its room for the start and the rest for the end. */
export class HeadAndTailBuffer {
  readonly #head: Uint8Array[] = [];
  #tail: Uint8Array[] = [];
  #headSpace: number;
  #tailBytes = 0;
  #total = 0;
  readonly #tailSpace: number;

  constructor(space: number) {
    this.#headSpace = Math.floor(space / 4);
    this.#tailSpace = space - this.#headSpace;
  }

  add(bytes: Uint8Array): void {
    this.#total += bytes.length;
    const first = bytes.subarray(0, this.#headSpace);
    if (first.length > 0) this.#head.push(first);
    this.#headSpace -= first.length;
    const rest = bytes.subarray(first.length);
    if (rest.length === 0) return;
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    // Trimmed occasionally rather than at each piece, so that the cost stays linear.
    if (this.#tailBytes > this.#tailSpace * 2) this.#trim();
  }

  kept(): KeptOutput {
    this.#trim();
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail);
    const dropped = this.#total - head.length - tail.length;
    if (dropped === 0) return { bytes: Buffer.concat([head, tail]), total: this.#total, dropped };
    const note = Buffer.from(`\n[${dropped} bytes of output left out]\n`);
    return { bytes: Buffer.concat([head, note, tail]), total: this.#total, dropped };
  }

  #trim(): void {
    if (this.#tailBytes <= this.#tailSpace) return;
    const tail = Buffer.concat(this.#tail);
    this.#tail = [Buffer.from(tail.subarray(tail.length - this.#tailSpace))];
    this.#tailBytes = this.#tailSpace;
  }
}
