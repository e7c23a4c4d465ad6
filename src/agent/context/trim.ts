/** Which results the model is not told in full any more: the oldest first, many at once, so that it is done seldom. */

import type { FactOf } from "../../protocol/facts.ts";
import { shortened, type ResultMessage, wordsOf } from "../../protocol/fold-compaction.ts";
import type { Message, Part } from "../../protocol/messages.ts";
import { estimateMessages } from "./count.ts";

/** What a result comes to that is not worth leaving out. */
const leastFreed = 60;
/** Answers whose results are what the model works with; in a small window only the last one's. */
export const answersKept = [2, 1] as const;

export type Trimmed = FactOf<"results-trimmed">;

type Trimming = {
  messages: readonly Message[];
  /** Those whose results are left out already. */
  trimmed: ReadonlySet<string>;
  /** What people said is never left out, also where it was the answer to a question. */
  said: readonly (readonly Part[])[];
  rate: number;
};

/** Results of all but the last answers, oldest first, until so many tokens are freed or there are no more. */
export function trimOldest(
  { messages, rate, ...known }: Trimming,
  { wanted, keep }: { wanted: number; keep: number },
): Trimmed {
  const end = lastAnswersFrom(messages, keep);
  return take(results(messages.slice(0, end), known), { rate, wanted });
}

/** Also results of the last answers, the largest first: where nothing else makes room. */
export function trimLargest({ messages, rate, ...known }: Trimming, wanted: number): Trimmed {
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
): Trimmed {
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
  estimateMessages([message], rate) - estimateMessages([shortened(message)], rate);

/** Where the last so many answers begin. */
function lastAnswersFrom(messages: readonly Message[], count: number): number {
  let left = count;
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    if (messages[at]?.role === "assistant") left -= 1;
    if (left === 0) return at;
  }
  return 0;
}
