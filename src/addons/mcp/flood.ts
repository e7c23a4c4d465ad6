/**
 * How much of what a server says is read: enough for anybody; then only its answers, as they are what others wait for.
 */

import { bounds } from "../../base/bounds.ts";

const mostRead = bounds.servers.messages.most;
const mostPassed = bounds.servers.passedOver.most;
/** What is looked at of either end of a message: its id and method stand there. */
const looked = 300;

type Asked = Pick<ReadonlySet<number>, "has">;

/** Counts the messages of one second. */
export class FloodGate {
  #heard = 0;
  #answers = 0;
  #passed = 0;

  /** A new second. */
  reset(): void {
    [this.#heard, this.#answers, this.#passed] = [0, 0, 0];
  }

  /** Whether some of it is passed over. */
  get isFlood(): boolean {
    return this.#heard > mostRead;
  }

  /** Whether it is even too much to be looked at: the rest has to wait for the next second. */
  get isTooMuch(): boolean {
    return this.#answers > mostRead || this.#passed > mostPassed;
  }

  /** Whether this one is read. `asked`: the ids of what the server was asked and has not answered. */
  lets(message: Buffer, asked: Asked): boolean {
    this.#heard += 1;
    if (!this.isFlood) return true;
    const isRead = mayBeAnswer(message, asked);
    if (isRead) this.#answers += 1;
    else this.#passed += message.length;
    return isRead;
  }
}

/** What names a method is none, unless it has the id of something that was asked; what cannot be told is read. */
function mayBeAnswer(message: Buffer, asked: Asked): boolean {
  const head = message.toString("latin1", 0, looked);
  const tail = message.toString("latin1", Math.max(0, message.length - looked));
  if (!head.includes('"method"') && !tail.includes('"method"')) return true;
  return [...head.matchAll(ids), ...tail.matchAll(ids)].some(([, id]) => asked.has(Number(id)));
}

const ids = /"id"\s*:\s*(\d{1,15})/gu;
