/** The wrapper for parallel calls that some models were trained on: it is no tool itself, and the calls in it count. */

import type { ReadCall, OfferedTools } from "../reading/reader.ts";
import { isParallel } from "./call-words.ts";
import { readJsonCalls } from "./json-calls.ts";

/** Whether a call of this name is the wrapper, and not a tool on offer. */
export const isWrapper = (name: string, offered: OfferedTools): boolean =>
  isParallel(name) && offered.find(name) === undefined;

/** The calls in a wrapper, each with what was repaired around it; undefined if it is none, or holds none. */
export function callsInWrapper(
  { name, input, problem, repairs = [], rawArguments }: Omit<ReadCall, "id" | "fault">,
  offered: OfferedTools,
): readonly ReadCall[] | undefined {
  const uses = input["tool_uses"];
  if (problem !== undefined || uses === undefined || !isWrapper(name, offered)) return undefined;
  const { calls } = readJsonCalls(typeof uses === "string" ? uses : JSON.stringify(uses), { closed: true });
  if (calls.length === 0) return undefined;
  if (repairs.length === 0) return calls;
  const raw = rawArguments === undefined ? {} : { rawArguments };
  return calls.map((one) => ({ ...one, ...raw, repairs: [...repairs, ...(one.repairs ?? [])] }));
}
