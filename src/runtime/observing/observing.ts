/** Lets observers hear a session. What goes wrong in one is its own affair. */

import type { Heard, Observer } from "../../addons/observer.ts";
import type { SessionLog } from "../../session/log.ts";

/** To be called before anything is written; gives what ends it. Without observers nothing is read. */
export async function observed(
  id: string,
  log: SessionLog,
  observers: readonly Observer[] = [],
): Promise<() => void> {
  if (observers.length === 0) return () => undefined;
  const { parent } = log.state;
  const earlier = await log.openTurn();
  const about = { id, earlier, ...(parent ? { parent } : {}) };
  const heard = observers.flatMap((observer) => quietly(() => observer.session(about)) ?? []);
  const leave = log.listen((event) => heard.forEach((one) => quietly(() => one.told(event))));
  return () => {
    leave();
    heard.forEach((one: Heard) => quietly(() => one.closed?.()));
  };
}

function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
