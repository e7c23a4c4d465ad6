/**
 * Runs work for a limited time if untrusted data could keep it busy for ever, such as a regular expression from
 * outside.
 */

import { type Context, createContext, Script } from "node:vm";
import { durationInWords } from "./amounts.ts";
import { isShortOfDescriptors } from "./descriptors.ts";
import { refuse } from "./expected.ts";
import { isObject } from "./json.ts";

/** `isLate`: the work may be valid but was aborted. */
type TimeLimitResult<Result> = { ok: true; value: Result } | { ok: false; problem: string; isLate?: true };

/**
 * Errors thrown by the work become problems. Pass only work without side effects: it can be aborted anywhere, and is
 * tried again with more patience if the machine was too busy to give it half of the time.
 */
export function withinTime<Result>(milliseconds: number, work: () => Result): TimeLimitResult<Result> {
  for (const patience of [1, 5]) {
    const before = process.threadCpuUsage();
    const done = tryWithin(milliseconds, milliseconds * patience, work);
    const { user, system } = process.threadCpuUsage(before);
    if (done.ok || !done.isLate || (user + system) / 1000 >= milliseconds / 2) return done;
  }
  return tryWithin(milliseconds, milliseconds * 30, work);
}

function tryWithin<Result>(
  milliseconds: number,
  timeout: number,
  work: () => Result,
): TimeLimitResult<Result> {
  let done: TimeLimitResult<Result> = {
    ok: false,
    problem: `it took longer than ${durationInWords(milliseconds)}`,
    isLate: true,
  };
  if (isShortOfDescriptors()) return refuse("too many files are open; try again");
  try {
    stage ??= { context: createContext({ work: undefined }), script: new Script("work()") };
    stage.context["work"] = () => {
      done = { ok: true, value: work() };
    };
    stage.script.runInContext(stage.context, { timeout });
  } catch (error) {
    // The error may come from the script's own realm, whose `Error` is a different class.
    const { code, message } = isObject(error) ? error : {};
    if (code !== "ERR_SCRIPT_EXECUTION_TIMEOUT")
      return refuse(typeof message === "string" ? message : String(error));
  } finally {
    if (stage) stage.context["work"] = undefined;
  }
  return done;
}

/** V8 can only interrupt code that runs as a script. */
let stage: { context: Context; script: Script } | undefined;
