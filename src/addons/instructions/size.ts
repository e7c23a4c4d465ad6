/** Checks that instruction files, which are sent with every request, leave the model room to work. */

import type { AddonContext } from "../part.ts";
import type { InstructionFile } from "./read-instructions.ts";

/** The part of a context window that they may fill before people are warned. */
const share = 0.25;

/** A line for people. Undefined: there is enough room, or the window's size is unknown. */
export function sizeWarning(
  files: readonly InstructionFile[],
  window: ReturnType<NonNullable<AddonContext["window"]>>,
): string | undefined {
  if (!window || !(window.tokens > 0)) return undefined;
  const sizes = files.map(({ path, text }) => ({ path, tokens: window.sizeOf(text) }));
  const all = sizes.reduce((sum, { tokens }) => sum + tokens, 0);
  if (all <= window.tokens * share) return undefined;
  const [largest] = sizes.toSorted((one, other) => other.tokens - one.tokens);
  const which =
    sizes.length === 1
      ? `It is ${largest?.path}.`
      : `The largest of ${sizes.length} is ${largest?.path} (${tokenCount(largest?.tokens ?? 0)}).`;
  const percent = Math.round((all / window.tokens) * 100);
  return `The instruction files come to about ${tokenCount(all)} tokens, ${percent} % of this model's context window (${tokenCount(window.tokens)}), and go along with every request. ${which} Shorten it, move what holds for one part of the project into a file in its directory, or choose a model with a larger window.`;
}

const tokenCount = (tokens: number): string => tokens.toLocaleString("en");
