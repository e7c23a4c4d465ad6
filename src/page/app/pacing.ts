/** Batches updates: several times a second on a visible page, less often on a hidden one. */

/** A hidden page gets no animation frames, but must still notice questions. */
const unseenMs = 250;
/** Smooth enough for reading; each update costs a layout. */
const seenMs = 100;

/** Calls `run` soon, once for any number of calls. */
export function paceUpdates(run: () => void): () => void {
  let isDue = false;
  let ranAt = 0;
  let unseen: ReturnType<typeof setTimeout> | undefined;
  const now = (): void => {
    if (!isDue) return;
    isDue = false;
    clearTimeout(unseen);
    ranAt = performance.now();
    run();
  };
  const withNextPicture = (): void => {
    requestAnimationFrame(now);
    unseen = setTimeout(now, unseenMs);
  };
  return () => {
    if (isDue) return;
    isDue = true;
    setTimeout(withNextPicture, Math.max(0, ranAt + seenMs - performance.now()));
  };
}
