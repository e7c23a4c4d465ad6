/** All that a call has returned, also what its result holds only in part. */

import type { FactOf } from "../protocol/facts.ts";
import { textOf } from "../protocol/messages.ts";
import type { Store } from "../session/store.ts";

/** Throws StoreError. */
export async function wholeOutput(
  store: Pick<Store, "getBlob">,
  { content, full }: FactOf<"result">,
): Promise<string> {
  const bytes = full && (await store.getBlob(full.blob));
  if (bytes) return new TextDecoder().decode(bytes);
  return textOf(content);
}
