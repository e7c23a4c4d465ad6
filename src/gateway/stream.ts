/** Streams text as the body of a reply, only as fast as the client reads. */

import { mostAheadBytes } from "./bounds.ts";

/** Small chunks show sooner that a client is still reading. */
const mostCharacters = mostAheadBytes / 4;

/** Waits for the first chunk, so that an early failure can still become an HTTP status. */
export async function streamOf(pieces: AsyncIterable<string>): Promise<ReadableStream<Uint8Array>> {
  const iterator = boundedPieces(pieces);
  const encoder = new TextEncoder();
  let first: IteratorResult<string, void> | undefined = await iterator.next();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = first ?? (await iterator.next());
        first = undefined;
        if (next.done) controller.close();
        else controller.enqueue(encoder.encode(next.value));
      },
      async cancel() {
        await iterator.return();
      },
    },
    { highWaterMark: 0 },
  );
}

async function* boundedPieces(pieces: AsyncIterable<string>): AsyncGenerator<string, void> {
  for await (const piece of pieces) {
    if (piece.length <= mostCharacters) yield piece;
    else yield* slices(piece);
  }
}

/** Never splits a surrogate pair: the halves alone would be invalid. */
export function* slices(text: string): Generator<string, void> {
  for (let start = 0; start < text.length;) {
    const end = start + mostCharacters;
    const isTorn = end < text.length && /[\uD800-\uDBFF]/u.test(text.charAt(end - 1));
    yield text.slice(start, isTorn ? end - 1 : end);
    start = isTorn ? end - 1 : end;
  }
}
