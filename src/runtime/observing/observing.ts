/** Attaches observers to a session. Failures of an observer do not affect the session. */

import type { EventReceiver, Observer } from "../../addons/observer.ts";
import type { SessionLog } from "../../session/log.ts";

/** Call before anything is written; returns a function that detaches. Without observers nothing is read. */
export async function attachObservers(
  id: string,
  log: SessionLog,
  observers: readonly Observer[] = [],
): Promise<() => void> {
  if (observers.length === 0) return () => undefined;
  const { parent } = log.state;
  const earlier = await log.openTurn();
  const about = { id, earlier, parent };
  const heard = observers.flatMap((observer) => quietly(() => observer.session(about)) ?? []);
  const leave = log.listen((event) => heard.forEach((one) => quietly(() => one.receive(event))));
  return () => {
    leave();
    heard.forEach((one: EventReceiver) => quietly(() => one.closed?.()));
  };
}

function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
