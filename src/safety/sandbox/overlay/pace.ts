/** Splits long work into slices, so that other work in this process gets a turn. */

import { setImmediate } from "node:timers/promises";

export type Pace = () => Promise<void>;

const mostMs = 12;

export function pacer(): Pace {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < mostMs) return;
    await setImmediate();
    since = performance.now();
  };
}
