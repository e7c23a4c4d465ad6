/** What an answer took and cost, as its fact tells it: a provider's odd figures spoil no sum and no limit. */

import type { FactOf } from "../protocol/facts.ts";
import type { Usage } from "../protocol/model-events.ts";
import type { TurnRoom } from "./room.ts";

type Paid = Pick<FactOf<"answer-end">, "usage" | "cost">;

/** `by`: the model as its provider names it. A price that is no amount of money is not known. */
export function paidFor(by: string, told: Usage | undefined, { costOf }: Pick<TurnRoom, "costOf">): Paid {
  const usage = told && plainUsage(told);
  const cost = costOf(by, usage);
  return {
    ...(usage === undefined ? {} : { usage }),
    ...(cost === undefined || !isAmount(cost) ? {} : { cost }),
  };
}

/** Sums of such amounts stay figures. */
const isAmount = (figure: number): boolean => figure >= 0 && figure <= Number.MAX_SAFE_INTEGER;
const amountOf = (figure: number): number => (isAmount(figure) ? figure : 0);

function plainUsage({ inputTokens, outputTokens, ...parts }: Usage): Usage {
  const known = Object.entries(parts).filter(([, tokens]) => isAmount(tokens));
  return {
    inputTokens: amountOf(inputTokens),
    outputTokens: amountOf(outputTokens),
    ...Object.fromEntries(known),
  };
}
