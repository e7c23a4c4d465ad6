/** When the page looks at what has come: some times a second while somebody looks, seldom while nobody does. */

const unseenMs = 250;
/** As smooth as reading needs; each time costs a layout. */
const seenMs = 100;

/** Calls `run` soon, once for any number of calls. */
export function paced(run: () => void): () => void {
  let isDue = false;
  let ranAt = 0;
  const now = (): void => {
    isDue = false;
    ranAt = performance.now();
    run();
  };
  return () => {
    if (isDue) return;
    isDue = true;
    // A hidden page is shown no pictures.
    if (document.hidden) setTimeout(now, unseenMs);
    else setTimeout(() => requestAnimationFrame(now), Math.max(0, ranAt + seenMs - performance.now()));
  };
}
