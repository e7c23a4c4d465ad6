/** Ends the connection to a language server that floods us with messages. */

import { mib } from "../../base/bound.ts";

/** Messages of a language server within ten seconds. */
export const mostFlood = 20_000;
/** Data from a language server within ten seconds, in bytes. */
export const mostPoured = 128 * mib;

const floodMs = 10_000;

/** Throws if more than the allowed messages or bytes arrive within ten seconds. */
export function floodGate(): (came: { messages: number; bytes: number }) => void {
  let since = Date.now();
  let heard = { messages: 0, bytes: 0 };
  return (came) => {
    const now = Date.now();
    if (now - since > floodMs) [since, heard] = [now, { messages: 0, bytes: 0 }];
    heard = { messages: heard.messages + came.messages, bytes: heard.bytes + came.bytes };
    if (heard.messages > mostFlood) throw new Error("it sent far too many messages");
    if (heard.bytes > mostPoured) throw new Error("it sent far too much");
  };
}
