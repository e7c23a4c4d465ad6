/** Collects the warnings logged while a session was opened, before any follower was attached. */

import { trustedCode } from "../configuration/trusted-mode.ts";
import type { Entry } from "../protocol/facts.ts";
import { isUntrustedNotice } from "../trust/words.ts";

/** The warnings at the end of the log, without duplicates; the mode and pending trust have lines of their own. */
export function openingWarnings(entries: readonly Entry[]): string[] {
  const last = entries.findLastIndex(({ type }) => type !== "warning");
  const texts = entries
    .slice(last + 1)
    .flatMap((entry) => (entry.type === "warning" && !hasOwnLine(entry.code) ? [entry.text] : []));
  return [...new Set(texts)];
}

const hasOwnLine = (code: string): boolean => code === trustedCode || isUntrustedNotice(code);
