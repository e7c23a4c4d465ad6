/** Lets what runs come to its end before a host stops. */

import type { HostedSessions } from "./hosted-sessions.ts";

/** Resolves when nothing runs any more, at the latest after so many milliseconds. New work is refused from now on. */
export async function drained(sessions: HostedSessions, mostMs: number): Promise<void> {
  sessions.stop();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, mostMs);
  });
  const idle = Promise.allSettled(sessions.all().map((live) => live.idle()));
  await Promise.race([idle, late]).finally(() => clearTimeout(timer));
}
