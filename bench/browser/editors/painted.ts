/** From a click to the picture of what it brings, by the clock of the page in which it happens. */

import type { FrameLocator, Locator } from "playwright-core";

/** Milliseconds from the click on `link` until `words` of the conversation are painted. */
export async function paintedAfterClick(chat: FrameLocator, link: Locator, words: string): Promise<number> {
  const body = chat.locator("body");
  await body.evaluate(watchForPainting, words);
  await link.click();
  return body.evaluate(() => globalThis.painted);
}

declare global {
  var painted: Promise<number>;
}

/** Runs in the page. The second frame after the words are there begins when the first one is painted. */
function watchForPainting(body: HTMLElement | SVGElement, words: string): void {
  let clicked = 0;
  body.addEventListener("click", () => (clicked = performance.now()), { capture: true, once: true });
  globalThis.painted = new Promise((resolve) => {
    const watch = new MutationObserver(() => {
      if (clicked === 0 || body.querySelector(".conversation")?.textContent?.includes(words) !== true) return;
      watch.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - clicked)));
    });
    watch.observe(body, { childList: true, subtree: true, characterData: true });
  });
}
