/** What a person is asked about a call, as any surface shows it. */

import type { FactOf } from "../../protocol/facts.ts";
import type { QuestionBlock } from "./blocks.ts";

/** Without what is known beside the question: the layers' words, and the answer. */
export function questionIn({
  callId,
  title,
  because,
  risk,
  preview,
  changes = [],
  command,
  place,
  grant,
  scopes,
  sandbox,
  repairs,
}: FactOf<"approval-asked">): Omit<QuestionBlock, "type" | "key"> {
  return {
    callId,
    title,
    because,
    risk,
    preview,
    ...(changes.length > 0 ? { isDiff: true } : {}),
    ...(command === undefined ? {} : { command }),
    ...(place === undefined ? {} : { place }),
    grant,
    ...(scopes === undefined ? {} : { scopes }),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(repairs === undefined ? {} : { repairs }),
  };
}
