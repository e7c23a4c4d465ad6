/** Whether instruction files leave a model room to work: they are sent with every request. */

import type { AddonRoom } from "../part.ts";
import type { InstructionFile } from "./read.ts";

/** Of a window that instruction files may fill before people are told. */
const share = 0.25;

/** The line for people; undefined: there is room enough, or nobody knows how large the window is. */
export function sizeWarning(
  files: readonly InstructionFile[],
  window: ReturnType<NonNullable<AddonRoom["window"]>>,
): string | undefined {
  if (!window || !(window.tokens > 0)) return undefined;
  const sizes = files.map(({ path, text }) => ({ path, tokens: window.sizeOf(text) }));
  const all = sizes.reduce((sum, { tokens }) => sum + tokens, 0);
  if (all <= window.tokens * share) return undefined;
  const [largest] = sizes.toSorted((one, other) => other.tokens - one.tokens);
  const which =
    sizes.length === 1
      ? `It is ${largest?.path}.`
      : `The largest of ${sizes.length} is ${largest?.path} (${counted(largest?.tokens ?? 0)}).`;
  const percent = Math.round((all / window.tokens) * 100);
  return `The instruction files come to about ${counted(all)} tokens, ${percent} % of this model's context window (${counted(window.tokens)}), and go along with every request. ${which} Shorten it, move what holds for one part of the project into a file in its directory, or choose a model with a larger window.`;
}

const counted = (tokens: number): string => tokens.toLocaleString("en");
