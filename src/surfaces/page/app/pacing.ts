/** When the page looks at what has come: once for each picture that the screen shows, and seldom while nobody looks. */

const unseenMs = 250;

/** Calls `run` soon, once for any number of calls. */
export function paced(run: () => void): () => void {
  let isDue = false;
  const now = (): void => {
    isDue = false;
    run();
  };
  return () => {
    if (isDue) return;
    isDue = true;
    // A hidden page is shown no pictures.
    if (document.hidden) setTimeout(now, unseenMs);
    else requestAnimationFrame(now);
  };
}
