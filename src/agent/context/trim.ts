/** Chooses results to leave out of the prompt: the oldest first, many at once, so that it happens seldom. */

import type { FactOf } from "../../protocol/facts.ts";
import { resultPlaceholder, type ResultMessage, wordsOf } from "../../protocol/fold-compaction.ts";
import type { Message, ContentPart } from "../../protocol/messages.ts";
import { estimateMessages } from "./count.ts";

/** Results of fewer tokens are not worth leaving out. */
const leastFreed = 60;
/** How many recent answers keep their results, as the model works with them; in a small window only the last. */
export const answersKept = [2, 1] as const;

export type TrimFact = FactOf<"results-trimmed">;

type Trimming = {
  messages: readonly Message[];
  /** Results left out already. */
  trimmed: ReadonlySet<string>;
  /** People's words are never left out, not even as an answer to a question. */
  said: readonly (readonly ContentPart[])[];
  rate: number;
};

/** Trims results of all but the last answers, oldest first, until enough tokens are freed or none are left. */
export function trimOldest(
  { messages, rate, ...known }: Trimming,
  { wanted, keep }: { wanted: number; keep: number },
): TrimFact {
  const end = lastAnswersFrom(messages, keep);
  return take(results(messages.slice(0, end), known), { rate, wanted });
}

/** Trims results of the last answers, too, the largest first: used when nothing else makes room. */
export function trimLargest({ messages, rate, ...known }: Trimming, wanted: number): TrimFact {
  const all = results(messages, known).map((message) => ({ message, size: freedBy(message, rate) }));
  const largest = all.toSorted((a, b) => b.size - a.size).map(({ message }) => message);
  return take(largest, { rate, wanted });
}

function results(
  messages: readonly Message[],
  { trimmed, said }: Pick<Trimming, "trimmed" | "said">,
): ResultMessage[] {
  const isSaid = wordsOf(said);
  return messages.flatMap((message) =>
    message.role === "tool" && !trimmed.has(message.callId) && !isSaid(message) ? [message] : [],
  );
}

function take(
  candidates: readonly ResultMessage[],
  { rate, wanted }: { rate: number; wanted: number },
): TrimFact {
  const callIds: string[] = [];
  let tokens = 0;
  for (const message of candidates) {
    if (tokens >= wanted) break;
    const freed = freedBy(message, rate);
    if (freed < leastFreed) continue;
    callIds.push(message.callId);
    tokens += freed;
  }
  return { type: "results-trimmed", callIds, tokens };
}

const freedBy = (message: ResultMessage, rate: number): number =>
  estimateMessages([message], rate) - estimateMessages([resultPlaceholder(message)], rate);

/** The index at which the last `count` answers begin. */
function lastAnswersFrom(messages: readonly Message[], count: number): number {
  let left = count;
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    if (messages[at]?.role === "assistant") left -= 1;
    if (left === 0) return at;
  }
  return 0;
}
