/** Lets running work finish before a host stops. */

import type { HostedSessions } from "./hosted-sessions.ts";

/** Refuses new work from now on; resolves when nothing runs any more, or after `mostMs` milliseconds. */
export async function drainSessions(sessions: HostedSessions, mostMs: number): Promise<void> {
  sessions.stop();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, mostMs);
  });
  const idle = Promise.allSettled(sessions.all().map((live) => live.idle()));
  await Promise.race([idle, late]).finally(() => clearTimeout(timer));
}
