/** Splits a stream of events (`text/event-stream`), and extracts their data. */

const [newline, carriageReturn] = [10, 13];

/** Yields raw events, each including the empty line that ends it. */
export class EventCutter {
  #pieces: Uint8Array[] = [];
  /** Bytes of the incomplete event. */
  size = 0;
  /** Bytes of its last line. */
  #line = 0;

  *cut(bytes: Uint8Array): Generator<Buffer<ArrayBuffer>> {
    let start = 0;
    let at = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, at)) {
      this.#line += lengthOf(bytes.subarray(at, end));
      at = end + 1;
      if (this.#line > 0) this.#line = 0;
      else {
        this.#pieces.push(bytes.subarray(start, at));
        yield Buffer.concat(this.#pieces);
        [this.#pieces, this.size, start] = [[], 0, at];
      }
    }
    this.#line += lengthOf(bytes.subarray(at));
    if (start === bytes.length) return;
    this.#pieces.push(bytes.subarray(start));
    this.size += bytes.length - start;
  }
}

const lengthOf = (line: Uint8Array): number =>
  line.at(-1) === carriageReturn ? line.length - 1 : line.length;

/** The data of a raw event: several texts if the stream uses line endings that `EventCutter` does not split at. */
export function textsIn(event: Buffer): { texts: string[]; hasId: boolean } {
  const texts: string[] = [];
  let data: string[] = [];
  let hasId = false;
  for (const line of event
    .toString("utf8")
    .replace(/^\uFEFF/u, "")
    .split(/\r\n|\n|\r/u)) {
    if (line === "") {
      if (data.length > 0) texts.push(data.join("\n"));
      data = [];
    } else if (line.startsWith("data:")) data.push(line.slice("data:".length).trimStart());
    else if (line.startsWith("id:")) hasId = true;
  }
  if (data.length > 0) texts.push(data.join("\n"));
  return { texts, hasId };
}

/** Encodes a message as an event. */
export const eventOf = (message: object): Uint8Array<ArrayBuffer> =>
  Buffer.from(`data: ${JSON.stringify(message)}\n\n`);
