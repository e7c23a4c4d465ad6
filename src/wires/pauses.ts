/** Tells a stream's reader that nothing has come for a moment: what is complete by then need not wait for the end. */

import { withDeadline } from "../base/async.ts";

type PauseOptions = {
  /** Milliseconds. */
  after: number;
  /** Whether the reader wants to be told, asked behind every item. */
  isDue: () => boolean;
};

/** The items, and `undefined` once for each pause. */
export async function* withPauses<Item>(
  items: AsyncIterable<Item>,
  { after, isDue }: PauseOptions,
): AsyncGenerator<Item | undefined> {
  const iterator = items[Symbol.asyncIterator]();
  let next: Promise<IteratorResult<Item, unknown>> | undefined;
  try {
    for (;;) {
      next = iterator.next();
      // Whoever awaits the item hears of its failure.
      if (isDue() && !(await withDeadline(next.then(ignore, ignore), after))) yield undefined;
      const { done, value } = await next;
      next = undefined;
      if (done === true) return;
      yield value;
    }
  } finally {
    // While an item is awaited the source ends only behind it: whoever stopped reading does not wait for that.
    const ended = iterator.return?.();
    if (next === undefined) await ended;
    else ended?.catch(ignore);
  }
}

const ignore = (): void => undefined;
