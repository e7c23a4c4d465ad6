/** While many answers stream at once, each is read at intervals: what has come meanwhile is read and told together. */

import { sleep } from "../base/async.ts";

/** Up to so many are read as they come. */
const freeStreams = 32;
/** Milliseconds from one read of an answer to the next one, for each further stream, and at most. */
const msForEach = 0.25;
const mostMs = 48;

/** How many answers this process is reading. */
let streams = 0;

/** The reads of one answer. A word that comes later than the pause behind the last one is not held up. */
export async function* readsAtPace<Read>(reads: AsyncIterable<Read>): AsyncGenerator<Read> {
  streams += 1;
  try {
    for await (const read of reads) {
      yield read;
      const pause = Math.min(mostMs, (streams - freeStreams) * msForEach);
      if (pause >= 1) await sleep(pause);
    }
  } finally {
    streams -= 1;
  }
}
