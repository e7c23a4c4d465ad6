/** Small helpers for asynchronous code. */

/** Collects all items of a stream, in order. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Runs `work` on the first call; later calls return the same promise. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= work());
}

/** Waits; rejects with the signal's reason when aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/**
 * The result of the work, or undefined once the time is over or the signal is aborted. The work goes on: whoever calls
 * this no longer waits.
 */
export async function inTime<T>(
  work: Promise<T>,
  { ms, signal }: { ms?: number; signal?: AbortSignal | undefined },
): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const giveUp = (): void => late.resolve(undefined);
  const timer = ms === undefined ? undefined : setTimeout(giveUp, ms);
  signal?.addEventListener("abort", giveUp, { once: true });
  if (signal?.aborted) giveUp();
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
  }
}

/** Waits for a promise, but no longer than this. Resolves to whether it was in time. */
export async function withDeadline(waiting: Promise<unknown>, ms: number): Promise<boolean> {
  return (
    (await inTime(
      waiting.then(() => true),
      { ms },
    )) === true
  );
}

/** Waits for work that cannot be cancelled, only abandoned; rejects with the signal's reason when it is aborted. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([aborted.promise, work]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
