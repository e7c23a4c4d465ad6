/** Text that comes piece by piece as the body of a reply: taken only as fast as the client reads. */

import { bounds } from "../../base/bounds.ts";

/** Smaller pieces show sooner that a client still reads. */
const mostCharacters = bounds.gateway.aheadBytes.most / 4;

/** Waits for the first piece, so that what goes wrong before it can still be a status. */
export async function streamOf(pieces: AsyncIterable<string>): Promise<ReadableStream<Uint8Array>> {
  const iterator = cut(pieces);
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

async function* cut(pieces: AsyncIterable<string>): AsyncGenerator<string, void> {
  for await (const piece of pieces) {
    if (piece.length <= mostCharacters) yield piece;
    else yield* slices(piece);
  }
}

/** Two halves of one character stay together: apart they would be none. */
export function* slices(text: string): Generator<string, void> {
  for (let start = 0; start < text.length;) {
    const end = start + mostCharacters;
    const isTorn = end < text.length && /[\uD800-\uDBFF]/u.test(text.charAt(end - 1));
    yield text.slice(start, isTorn ? end - 1 : end);
    start = isTorn ? end - 1 : end;
  }
}
