/**
 * Work on a database that other programs lock: tried at once, then again and again, while this program goes on with
 * other things.
 */

import { sleep } from "../../base/async.ts";
import { isObject } from "../../base/json.ts";

/** A try of `work` that finds the database locked has changed nothing. */
export class Patience {
  readonly #mostMs: number;
  /** Settled when the last write that waits is over. */
  #waiting: Promise<void> | undefined;

  constructor(mostMs: number) {
    this.#mostMs = mostMs;
  }

  /** Rejects with SQLite's own error when it is locked for too long. */
  async read<T>(work: () => T): Promise<T> {
    const until = performance.now() + this.#mostMs;
    return (tried(work) ?? (await triedAgain(work, until))).value;
  }

  /** As `read`, in the order of the calls: who does not wait for an earlier one relies on that. */
  async write<T>(work: () => T): Promise<T> {
    const until = performance.now() + this.#mostMs;
    const before = this.#waiting;
    const first = before ? undefined : tried(work);
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

  /** Until `work` says that it is done, or for as long as a write would wait. */
  async until(work: () => boolean): Promise<void> {
    const until = performance.now() + this.#mostMs;
    for (let wait = 1; !work() && performance.now() < until; wait = longer(wait)) await sleep(wait);
  }

  /** Resolves when no write waits. */
  async settled(): Promise<void> {
    while (this.#waiting) await this.#waiting;
  }
}

const nothing = (): void => undefined;

type Done<T> = { value: T };

/** Undefined where the database was locked. */
function tried<T>(work: () => T): Done<T> | undefined {
  try {
    return { value: work() };
  } catch (error) {
    if (isBusy(error)) return undefined;
    throw error;
  }
}

async function triedAgain<T>(work: () => T, until: number): Promise<Done<T>> {
  for (let wait = 1; performance.now() < until; wait = longer(wait)) {
    const done = tried(work);
    if (done) return done;
    await sleep(Math.min(wait, Math.max(0, until - performance.now())));
  }
  return { value: work() };
}

/** Milliseconds between two tries: soon at first, since most writes of others take one or two. */
const longer = (wait: number): number => Math.min(2 * wait, 50);

/** SQLITE_BUSY, with whatever it says besides (https://www.sqlite.org/rescode.html#busy). */
const isBusy = (error: unknown): boolean =>
  isObject(error) && typeof error["errcode"] === "number" && (error["errcode"] & 0xff) === 5;
