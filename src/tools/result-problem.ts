/** Checks what a tool returned: a program's own may have been written without types. */

import * as z from "zod/mini";
import { checkedValue } from "../base/checked-value.ts";
import { errorMessage } from "../base/expected.ts";
import { isObject } from "../base/json.ts";
import { resultPart } from "../protocol/fact-parts.ts";

const shape = z.object({ outcome: z.enum(["ok", "failed", "timeout"]), content: z.array(resultPart) });

/** Why it is not a result, which could not be stored. */
export function resultProblem(produced: unknown): string | undefined {
  const { outcome, content, metadata } = isObject(produced) ? produced : {};
  const given = isObject(produced) ? { outcome, content } : produced;
  const read = checkedValue(shape, given, "what it returned");
  const problem = read.ok ? metadataProblem(metadata) : read.problem;
  return problem === undefined ? undefined : `${problem} A tool returns ok(text) or failedResult(text).`;
}

function metadataProblem(metadata: unknown): string | undefined {
  if (metadata === undefined) return undefined;
  if (!isObject(metadata)) return '"metadata" must be an object.';
  try {
    JSON.stringify(metadata);
    return undefined;
  } catch (error) {
    return `"metadata" is not JSON (${errorMessage(error).split("\n", 1).join("")}).`;
  }
}
