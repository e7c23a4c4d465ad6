/** Limits the rate of messages read from a server: above it, only answers are read, because calls wait for them. */

import { mib } from "../../base/bound.ts";
import { toolServerBounds } from "./bounds.ts";
import { looked } from "./unread.ts";

const mostRead = toolServerBounds.messages.most;
/** Data of a tool server discarded in one second, in bytes. */
const mostPassed = 16 * mib;
/** Counts the messages of one second. */
export class FloodGate {
  #heard = 0;
  #answers = 0;
  #passed = 0;

  /** To be called each second. */
  reset(): void {
    [this.#heard, this.#answers, this.#passed] = [0, 0, 0];
  }

  /** Whether messages are being skipped. */
  get isFlood(): boolean {
    return this.#heard > mostRead;
  }

  /** Whether there is too much even to inspect: reading must pause until the next second. */
  get isTooMuch(): boolean {
    return this.#answers > mostRead || this.#passed > mostPassed;
  }

  /** Whether to read this message. */
  lets(message: Buffer): boolean {
    this.#heard += 1;
    if (!this.isFlood) return true;
    const isRead = mayBeAnswer(message);
    if (isRead) this.#answers += 1;
    else this.#passed += message.length;
    return isRead;
  }
}

/** A message with a method and no id is no answer; in doubt it is read. */
function mayBeAnswer(message: Buffer): boolean {
  const ends = [
    message.toString("latin1", 0, looked),
    message.toString("latin1", Math.max(0, message.length - looked)),
  ];
  return !ends.some((end) => end.includes('"method"')) || ends.some((end) => /"id"\s*:\s*\d/u.test(end));
}
