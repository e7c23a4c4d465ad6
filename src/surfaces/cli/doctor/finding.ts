/** One line of `toolwright doctor`, and how a check is kept from hanging or failing the others. */

import { bounds } from "../../../base/bounds.ts";
import { errorMessage } from "../../../base/expected.ts";
import type { BoundRow } from "./bounds.ts";

export type Finding = {
  check: string;
  /** `fail`: something cannot work; `warn`: it works in part, or not as well as it could. */
  state: "ok" | "warn" | "fail";
  words: string;
  /** What to do about it. */
  fix?: string;
  /** For programs: the table that the words are about. */
  rows?: readonly BoundRow[];
};

/** What takes too long or throws is a finding as well. */
export async function checked(
  check: string,
  work: () => Finding[] | Promise<Finding[]>,
  most: number = bounds.screen.check.most,
): Promise<Finding[]> {
  const late = Promise.withResolvers<Finding[]>();
  const words = `could not be checked within ${most / 1000} s`;
  const fix = "try again when this machine is less busy";
  const timer = setTimeout(() => late.resolve([{ check, state: "warn", words, fix }]), most);
  try {
    return await Promise.race([Promise.resolve().then(work), late.promise]);
  } catch (error) {
    return [{ check, state: "warn", words: `could not be checked (${wordsOf(error)})` }];
  } finally {
    clearTimeout(timer);
  }
}

export const wordsOf = (error: unknown): string => errorMessage(error);

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count === 1 ? "1" : count.toLocaleString("en")} ${count === 1 ? one : many}`;
