/** Opens the next of a list of models, for whoever asks them in order. */

import type { Model } from "./provider.ts";

/**
 * Takes names off the list until one of them can be opened; undefined if none is left. `failed` hears of each that could
 * not be opened, and may throw to end the search.
 */
export async function openNextOf(
  left: string[],
  open: (name: string) => Promise<Model>,
  failed: (name: string, error: unknown) => void,
): Promise<Model | undefined> {
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    try {
      return await open(name);
    } catch (error) {
      failed(name, error);
    }
  }
  return undefined;
}
