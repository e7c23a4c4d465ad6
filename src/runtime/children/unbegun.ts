/** Removes sessions created for a subagent that never got its task: the program stopped, or time ran out. */

import type { SessionState } from "../../protocol/session-state.ts";
import { pagesOf } from "../../session/pages.ts";
import { SessionHeld, type Store } from "../../session/store.ts";

/** Removes those left by a crash. Call only while no call of the parent runs. */
export async function dropAllUnbegun(parent: SessionState, store: Store): Promise<void> {
  for (const { id } of await store.children(parent.session)) await dropUnbegun(id, parent, store);
}

/** Such a session has no messages and no call of the parent knows it, so it could never be resumed. */
export async function dropUnbegun(child: string, { calls }: SessionState, store: Store): Promise<void> {
  const isKnown = [...calls.values()].some(({ children = [] }) => children.includes(child));
  if (isKnown || (await wasGivenTask(child, store))) return;
  await store.delete(child).catch((error: unknown) => {
    if (!(error instanceof SessionHeld)) throw error; // another program is creating it right now
  });
}

async function wasGivenTask(session: string, store: Store): Promise<boolean> {
  for await (const page of pagesOf(store, session))
    if (page.some(({ type }) => type === "user-message")) return true;
  return false;
}
