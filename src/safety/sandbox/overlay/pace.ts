/** Splits long work into slices, so that other work in this process gets a turn. */

import { setImmediate } from "node:timers/promises";

const mostMs = 12;
let since = performance.now();

/** To be awaited between the steps of long work, however many go on. */
export async function pace(): Promise<void> {
  if (performance.now() - since < mostMs) return;
  await setImmediate();
  since = performance.now();
}
