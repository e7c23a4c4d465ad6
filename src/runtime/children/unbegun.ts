/** Sessions that were made for a subagent and never given its task: the program stopped, or the time was over. */

import type { SessionState } from "../../protocol/session-state.ts";
import { pagesOf } from "../../session/pages.ts";
import { SessionHeld, type Store } from "../../session/store.ts";

/** Those that a crash has left. To be called while no call of the parent runs. */
export async function dropAllUnbegun(parent: SessionState, store: Store): Promise<void> {
  for (const { id } of await store.children(parent.session)) await dropUnbegun(id, parent, store);
}

/** Nothing was said in it, and no call of its parent knows it: nobody would ever go on with it. */
export async function dropUnbegun(child: string, { calls }: SessionState, store: Store): Promise<void> {
  const isKnown = [...calls.values()].some(({ children = [] }) => children.includes(child));
  if (isKnown || (await wasGivenTask(child, store))) return;
  await store.delete(child).catch((error: unknown) => {
    if (!(error instanceof SessionHeld)) throw error; // another program makes it just now
  });
}

async function wasGivenTask(session: string, store: Store): Promise<boolean> {
  for await (const page of pagesOf(store, session))
    if (page.some(({ type }) => type === "user-message")) return true;
  return false;
}
