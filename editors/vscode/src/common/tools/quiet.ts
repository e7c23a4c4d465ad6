/** Waits for something that reports its work in bursts and never says that it is done: until it has become quiet. */

/** In milliseconds. `first`: how long the first sign of work may take; `quiet`: how long it is silent when done. */
export type QuietWaits = { first: number; quiet: number; most: number };

/** `listen` reports each sign of work until the returned function is called. False: it was still at work at the end. */
export function untilQuiet(
  listen: (sign: () => void) => () => void,
  { first, quiet, most }: QuietWaits,
  signal: AbortSignal,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let silence = setTimeout(() => resolve(true), first);
  const end = setTimeout(() => resolve(false), most);
  const stop = listen(() => {
    clearTimeout(silence);
    silence = setTimeout(() => resolve(true), quiet);
  });
  const abort = (): void => resolve(false);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  return promise.finally(() => {
    stop();
    clearTimeout(silence);
    clearTimeout(end);
    signal.removeEventListener("abort", abort);
  });
}
