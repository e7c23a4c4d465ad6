/** Usage and cost of an answer for its fact: implausible numbers from a provider must not spoil totals or limits. */

import type { FactOf } from "../../protocol/facts.ts";
import type { Usage } from "../../protocol/model-events.ts";
import type { TurnContext } from "../turn-context.ts";

type Paid = Pick<FactOf<"answer-end">, "usage" | "cost">;

/** `by`: the provider's name for the model. A price that is not a valid amount counts as unknown. */
export function paidFor(by: string, told: Usage | undefined, { costOf }: Pick<TurnContext, "costOf">): Paid {
  const usage = told && plainUsage(told);
  const cost = costOf(by, usage);
  return {
    ...(usage === undefined ? {} : { usage }),
    ...(cost === undefined || !isAmount(cost) ? {} : { cost }),
  };
}

/** The bound keeps sums of such amounts finite. */
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
