/** Names of the temporary files beside a file that is being replaced. */

import { randomHex } from "../crypto.ts";

/** A name may have 255 bytes; a character has at most 3 per UTF-16 unit. */
const longestPart = 60;

export const temporaryName = (name: string): string => `.${partOf(name)}.${randomHex(6)}.tmp`;

/** Whether `candidate` is one of our temporary names for a file called `name`. */
export function isTemporaryOf(name: string, candidate: string): boolean {
  const lead = `.${partOf(name)}.`;
  return candidate.startsWith(lead) && /^[0-9a-f]{12}\.tmp$/.test(candidate.slice(lead.length));
}

/** Never cut inside a surrogate pair: a lone half would be stored as a different character. */
const partOf = (name: string): string => name.slice(0, longestPart).replace(/[\uD800-\uDBFF]$/, "");
