/** Reads everything stored of a call's output; the session need not be open. */

import { entriesOf } from "../archive/sessions.ts";
import type { Expected } from "../base/expected.ts";
import type { FactOf } from "../protocol/facts.ts";
import type { Store } from "../session/store.ts";

export async function keptResult(store: Store, id: string, callId: string): Promise<Expected<string>> {
  for await (const entry of entriesOf(store, id))
    if (entry.type === "result" && entry.callId === callId)
      return { ok: true, value: await wholeText(store, entry) };
  return { ok: false, problem: `Session ${id} has no result of a call ${callId}.` };
}

async function wholeText(store: Store, { content, full }: FactOf<"result">): Promise<string> {
  const bytes = full && (await store.getBlob(full.blob));
  if (bytes) return new TextDecoder().decode(bytes);
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
