/** Retries work on a database that other programs lock, without blocking this process in between. */

import { sleep } from "../../base/async.ts";
import { isBusy } from "../../base/safe-fs/locks.ts";

/** An attempt of `work` that finds the database locked must not have changed anything. */
export class WriteQueue {
  readonly #mostMs: number;
  /** Settles when the last queued write is over. */
  #waiting: Promise<void> | undefined;

  constructor(mostMs: number) {
    this.#mostMs = mostMs;
  }

  /** Rejects with SQLite's own error if the database stays locked too long. */
  async read<T>(work: () => T): Promise<T> {
    const until = performance.now() + this.#mostMs;
    return (attemptWork(work) ?? (await triedAgain(work, until))).value;
  }

  /** Like `read`, but in call order: callers that do not await an earlier write rely on that. */
  async write<T>(work: () => T): Promise<T> {
    const until = performance.now() + this.#mostMs;
    const before = this.#waiting;
    const first = before ? undefined : attemptWork(work);
    if (first) return first.value;
    const later = (before ?? Promise.resolve()).then(() => triedAgain(work, until));
    const over = later.then(nothing, nothing);
    this.#waiting = over;
    try {
      return (await later).value;
    } finally {
      if (this.#waiting === over) this.#waiting = undefined;
    }
  }

  /** Retries until `work` returns true, at most as long as a write would wait. */
  async until(work: () => boolean): Promise<void> {
    const until = performance.now() + this.#mostMs;
    for (let wait = 1; !work() && performance.now() < until; wait = longer(wait)) await sleep(wait);
  }

  /** Resolves when no write is queued. */
  async settled(): Promise<void> {
    while (this.#waiting) await this.#waiting;
  }
}

const nothing = (): void => undefined;

type AttemptValue<T> = { value: T };

/** Undefined if the database was locked. */
function attemptWork<T>(work: () => T): AttemptValue<T> | undefined {
  try {
    return { value: work() };
  } catch (error) {
    if (isBusy(error)) return undefined;
    throw error;
  }
}

async function triedAgain<T>(work: () => T, until: number): Promise<AttemptValue<T>> {
  for (let wait = 1; performance.now() < until; wait = longer(wait)) {
    const done = attemptWork(work);
    if (done) return done;
    await sleep(Math.min(wait, Math.max(0, until - performance.now())));
  }
  return { value: work() };
}

/** Milliseconds until the next attempt: short at first, since most other writes take one or two. */
const longer = (wait: number): number => Math.min(2 * wait, 50);
