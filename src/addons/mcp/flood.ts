/** Limits the rate of messages read from a server: above it, only answers are read, because calls wait for them. */

import { mib } from "../../base/bound.ts";
import { toolServerBounds } from "./bounds.ts";

const mostRead = toolServerBounds.messages.most;
/** Data of a tool server discarded in one second, in bytes. */
const mostPassed = 16 * mib;
/** Bytes inspected at either end of a message, where its id and method are. */
const looked = 300;

type RequestIds = Pick<ReadonlySet<number>, "has">;

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

  /** Whether to read this message. `asked`: the ids of our pending requests. */
  lets(message: Buffer, asked: RequestIds): boolean {
    this.#heard += 1;
    if (!this.isFlood) return true;
    const isRead = mayBeAnswer(message, asked);
    if (isRead) this.#answers += 1;
    else this.#passed += message.length;
    return isRead;
  }
}

/** A message with a method is no answer, unless it contains a pending id; in doubt it is read. */
function mayBeAnswer(message: Buffer, asked: RequestIds): boolean {
  const head = message.toString("latin1", 0, looked);
  const tail = message.toString("latin1", Math.max(0, message.length - looked));
  if (!head.includes('"method"') && !tail.includes('"method"')) return true;
  return [...head.matchAll(ids), ...tail.matchAll(ids)].some(([, id]) => asked.has(Number(id)));
}

const ids = /"id"\s*:\s*(\d{1,15})/gu;
