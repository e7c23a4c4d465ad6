/** When the page looks at what has come: some times a second while somebody looks, seldom while nobody does. */

/** A hidden page is shown no pictures, and must hear of questions all the same. */
const unseenMs = 250;
/** As smooth as reading needs; each time costs a layout. */
const seenMs = 100;

/** Calls `run` soon, once for any number of calls. */
export function paced(run: () => void): () => void {
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
