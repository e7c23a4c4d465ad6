/**
 * Runs work that somebody else's data could keep busy for ever, like a regular expression of theirs, for a limited
 * time.
 */

import { type Context, createContext, Script } from "node:vm";
import { durationInWords } from "./amounts.ts";
import { isShortOfDescriptors } from "./descriptors.ts";
import { isObject } from "./json.ts";

/** `isLate`: it may be sound, and was broken off. */
type Limited<Result> = { ok: true; value: Result } | { ok: false; problem: string; isLate?: true };

/** What the work throws is a problem too. Only work without side effects can be broken off anywhere. */
export function withinTime<Result>(milliseconds: number, work: () => Result): Limited<Result> {
  let done: Limited<Result> = {
    ok: false,
    problem: `it took longer than ${durationInWords(milliseconds)}`,
    isLate: true,
  };
  if (isShortOfDescriptors()) return { ok: false, problem: "too many files are open; try again" };
  try {
    stage ??= { context: createContext({ work: undefined }), script: new Script("work()") };
    stage.context["work"] = () => {
      done = { ok: true, value: work() };
    };
    stage.script.runInContext(stage.context, { timeout: milliseconds });
  } catch (error) {
    // It may come from the script's own realm, where `Error` is another one.
    const { code, message } = isObject(error) ? error : {};
    if (code !== "ERR_SCRIPT_EXECUTION_TIMEOUT")
      return { ok: false, problem: typeof message === "string" ? message : String(error) };
  } finally {
    if (stage) stage.context["work"] = undefined;
  }
  return done;
}

/** V8 can only break off code that it was given as a script. */
let stage: { context: Context; script: Script } | undefined;
