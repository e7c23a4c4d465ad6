/** Locks among all file changes of this user, in this and other processes; a lock ends with its process. */

import { AsyncLocalStorage } from "node:async_hooks";
import { chmodSync, lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sleep, withDeadline } from "../async.ts";
import { fileBounds } from "../bounds.ts";
import { sha256 } from "../crypto.ts";
import { isObject } from "../json.ts";
import { codeOf, FileError } from "./problems.ts";

/** Keys share this many locks: a fixed set of files that never have to be removed. */
const lockCount = 512;
const patienceMs = fileBounds.lockWait.most;

/** The locks that the current async context already holds. */
const holding = new AsyncLocalStorage<ReadonlySet<number>>();
const queues = new Map<number, Promise<void>>();

/**
 * Runs `work` while no other work on these keys runs. Nested calls may reuse the keys they hold. Throws FileError EBUSY
 * if a key stays locked for half a minute: by a stopped process, or by nested work.
 */
export async function withLocks<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
  const held = holding.getStore() ?? new Set();
  const wanted = [...new Set(keys.map(lockOf))].filter((lock) => !held.has(lock)).toSorted((a, b) => a - b);
  const releases: (() => void)[] = [];
  try {
    for (const lock of wanted) releases.push(await acquire(lock));
    return await holding.run(new Set([...held, ...wanted]), work);
  } finally {
    for (const release of releases.toReversed()) release();
  }
}

const lockOf = (key: string): number =>
  Number.parseInt(sha256(new TextEncoder().encode(key)).slice(0, 8), 16) % lockCount;

/** Queues within this process first, then acquires the lock against other processes. */
async function acquire(lock: number): Promise<() => void> {
  const before = queues.get(lock);
  const { promise, resolve } = Promise.withResolvers<void>();
  const last = (before ?? Promise.resolve()).then(() => promise);
  queues.set(lock, last);
  const leave = (): void => {
    resolve();
    if (queues.get(lock) === last) queues.delete(lock);
  };
  try {
    if (before) await notForEver(before);
    const release = await acquireAgainstOthers(lock);
    return () => {
      release();
      leave();
    };
  } catch (error) {
    leave();
    throw error;
  }
}

/** Limits the wait, because nested works may deadlock. */
async function notForEver(turn: Promise<void>): Promise<void> {
  if (!(await withDeadline(turn, patienceMs))) throw busy();
}

const busy = (): FileError =>
  new FileError("EBUSY", "Something else is changing files here and does not finish; try again");

/**
 * A transaction on an empty SQLite database: a file lock that the system releases when its process ends. Nothing is
 * ever written. If there is no private directory for it, or it cannot be opened, only this process is serialised.
 */
async function acquireAgainstOthers(lock: number): Promise<() => void> {
  const directory = lockDirectory();
  if (directory === undefined) return () => undefined;
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const until = performance.now() + patienceMs;
  for (let waitMs = 0.5; ; waitMs = Math.min(8, waitMs * 2)) {
    let database: InstanceType<typeof DatabaseSync> | undefined;
    try {
      database = new DatabaseSync(join(directory, `lock-${lock}`), { timeout: 0 });
      database.exec("PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE");
      return () => database?.close();
    } catch (error) {
      database?.close();
      if (!isBusy(error)) return () => undefined;
      if (performance.now() > until) throw busy();
    }
    await sleep(waitMs * (0.5 + Math.random()));
  }
}

/** SQLITE_BUSY, including its extended codes (https://www.sqlite.org/rescode.html#busy). */
export const isBusy = (error: unknown): boolean =>
  isObject(error) && typeof error["errcode"] === "number" && (error["errcode"] & 0xff) === 5;

/** Our private directory for the lock files; undefined if it cannot be created or the name is taken by someone else. */
function lockDirectory(): string | undefined {
  const user = process.getuid?.();
  const path = join(tmpdir(), `toolwright-locks-${user ?? "own"}`);
  try {
    if (!lstatSync(path, { throwIfNoEntry: false })) mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") return undefined;
  }
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory() || (user !== undefined && stats.uid !== user)) return undefined;
  if (user !== undefined && (stats.mode & 0o077) !== 0) chmodSync(path, 0o700);
  return path;
}
