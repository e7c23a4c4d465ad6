/** A session's work as a patch, for git to apply. */

import { isUtf8 } from "node:buffer";
import { type Expected, refuse } from "../../base/expected.ts";
import { checkoutBounds } from "./bounds.ts";
import type { CheckoutGit } from "./checkout-git.ts";

/** From one commit of the repository to another. */
export async function patchOf(
  git: CheckoutGit,
  { repository, base, commit }: { repository: string; base: string; commit: string },
): Promise<Expected<string>> {
  const pieces: Buffer[] = [];
  const stop = new AbortController();
  let space = checkoutBounds.keptWork.most;
  const words = ["diff", "--binary", "--full-index", "--no-ext-diff", "--no-textconv", base, commit, "--"];
  const made = await git.here(repository, words, {
    signal: stop.signal,
    onBytes(bytes) {
      space -= bytes.length;
      if (space < 0) stop.abort();
      else pieces.push(bytes);
    },
  });
  if (space < 0) return refuse("The session's work is too large for a patch. Take a branch, or push it.");
  const bytes = Buffer.concat(pieces);
  if (made.ok && !isUtf8(bytes))
    return refuse(
      "The session's work changes texts that are not UTF-8, which a patch cannot carry here. Take a branch, or push it.",
    );
  return made.ok ? { ok: true, value: bytes.toString() } : made;
}
