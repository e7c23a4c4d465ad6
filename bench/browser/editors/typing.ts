/** Somebody who types in an editor, and how long each key takes to be seen. */

import { sleep } from "../../../src/base/async.ts";
import type { EditorWindow } from "../../../test/editors/window.ts";

/** Milliseconds from each key until the editor has it, and from there to the next picture. */
type TypingFigures = { keys: number[] };

const everyMs = 100;

/** Types into the editor in front until `until` is settled, or for so many milliseconds. */
export async function typedInEditor({ page }: EditorWindow, until: Promise<unknown>): Promise<TypingFigures> {
  await page.evaluate(watchKeys);
  const over = new AbortController();
  void until.finally(() => over.abort());
  for (let at = 0; !over.signal.aborted; at += 1) {
    await page.keyboard.press(at % 60 === 59 ? "Enter" : "abcdefghij".charAt(at % 10));
    await sleep(everyMs);
  }
  return { keys: await page.evaluate(() => globalThis.keyTimes) };
}

declare global {
  var keyTimes: number[];
}

/** Runs in the window. An event's own time is when the browser got it; the frame after the next one shows its effect. */
function watchKeys(): void {
  globalThis.keyTimes = [];
  addEventListener(
    "keydown",
    ({ timeStamp }) =>
      requestAnimationFrame(() =>
        requestAnimationFrame(() => globalThis.keyTimes.push(performance.now() - timeStamp)),
      ),
    { capture: true },
  );
}
