/** Names of what lies beside a file or directory for a moment, while it is being changed. */

import { randomHex } from "../crypto.ts";

/** A name may have 255 bytes; a character has at most 3 per UTF-16 unit. */
const longestPart = 60;

/** `tmp`: a content that is to take the name; `shut`: a note about a directory (`shut-notes.ts`). */
type NameEnding = "tmp" | "shut";

export const temporaryName = (name: string, ending: NameEnding = "tmp"): string =>
  `.${partOf(name)}.${randomHex(6)}.${ending}`;

/** Whether `candidate` is one of our temporary names for what is called `name`. */
export function isTemporaryOf(name: string, candidate: string, ending: NameEnding = "tmp"): boolean {
  const lead = `.${partOf(name)}.`;
  const end = `.${ending}`;
  const middle = candidate.slice(lead.length, -end.length);
  return candidate.startsWith(lead) && candidate.endsWith(end) && /^[0-9a-f]{12}$/.test(middle);
}

/** Never cut inside a surrogate pair: a lone half would be stored as a different character. */
const partOf = (name: string): string => name.slice(0, longestPart).replace(/[\uD800-\uDBFF]$/, "");
