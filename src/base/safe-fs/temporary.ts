/** Names of the files that stand beside a file while it is being replaced. */

import { randomHex } from "../crypto.ts";

/** A name may have 255 bytes; a character has at most 3 per UTF-16 unit. */
const longestPart = 60;

export const temporaryName = (name: string): string => `.${partOf(name)}.${randomHex(6)}.tmp`;

/** Whether it is a temporary name of ours for a file of this name. */
export function isTemporaryOf(name: string, candidate: string): boolean {
  const lead = `.${partOf(name)}.`;
  return candidate.startsWith(lead) && /^[0-9a-f]{12}\.tmp$/.test(candidate.slice(lead.length));
}

/** Not cut within a character: half of one would stand on the disk as another. */
const partOf = (name: string): string => name.slice(0, longestPart).replace(/[\uD800-\uDBFF]$/, "");
