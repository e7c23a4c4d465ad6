/** One finding of `toolwright doctor`, and a wrapper that keeps one check from hanging or failing the others. */

import { inTime } from "../../base/async.ts";
import type { BoundSection } from "../../base/bound.ts";
import { errorMessage } from "../../base/expected.ts";

/** One check of `doctor`, in milliseconds. */
const checkMs = 10_000;

export type DoctorFinding = {
  check: string;
  /** `fail`: something cannot work; `warn`: it works partly, or worse than it could. */
  state: "ok" | "warn" | "fail";
  words: string;
  /** How to fix it. */
  fix?: string;
  /** For JSON output: the table that `words` summarizes. */
  rows?: BoundSection["rows"];
};

/** Runs a check; a timeout or an exception becomes a finding as well. */
export async function runCheck(
  check: string,
  work: () => DoctorFinding[] | Promise<DoctorFinding[]>,
  most: number = checkMs,
): Promise<DoctorFinding[]> {
  const words = `could not be checked within ${most / 1000} s`;
  const fix = "try again when this machine is less busy";
  try {
    const found = await inTime(Promise.resolve().then(work), { ms: most });
    return found ?? [{ check, state: "warn", words, fix }];
  } catch (error) {
    return [{ check, state: "warn", words: `could not be checked (${errorMessage(error)})` }];
  }
}

export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${count === 1 ? "1" : count.toLocaleString("en")} ${count === 1 ? one : many}`;
