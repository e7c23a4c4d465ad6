/** Folds facts that shorten the model's prompt. The facts themselves stay in the log. */

import type { FactOf } from "./facts.ts";
import { pay } from "./fold-answer.ts";
import { countCompacted, countTrimmed } from "./fold-context.ts";
import { slimCompacted, slimTrimmed } from "./fold-slim.ts";
import type { Message, ContentPart } from "./messages.ts";
import { currentTurn, type SessionState } from "./session-state.ts";

/** Replaces these calls' results in the prompt by a line that says how to read them again, except people's answers. */
export function trimResults(state: SessionState, { callIds, tokens }: FactOf<"results-trimmed">): void {
  const trimming = new Set(callIds);
  const isTheirs = wordsOf(state.said);
  for (const id of callIds) state.trimmed.add(id);
  slimTrimmed(state, callIds);
  const end = state.context.counted?.messages ?? 0;
  const gone = { counted: 0, since: 0 };
  state.messages = state.messages.map((message, at) => {
    if (message.role !== "tool" || !trimming.has(message.callId) || isTheirs(message)) return message;
    gone[at < end ? "counted" : "since"] += lengthOf(message);
    return resultPlaceholder(message);
  });
  // Messages added since the provider's last count are not part of that count.
  countTrimmed(state.context, (tokens * gone.counted) / Math.max(1, gone.counted + gone.since));
}

/** The tool that shows results again. */
export const readAgain = "read_result";

/** Tells the model how to see all of a result. */
const howToReadAgain = (callId: string): string => `${readAgain} with call ${JSON.stringify(callId)}`;

/** Appended for the model to a truncated output; people are shown another way. */
export const wayToAll = (callId: string): string => `[${howToReadAgain(callId)} shows all of it.]`;

export type ResultMessage = Message & { role: "tool" };

const lengthOf = ({ content }: ResultMessage): number =>
  content.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : 0), 0);

/** The placeholder that replaces a result left out of the prompt. */
export function resultPlaceholder(message: ResultMessage): ResultMessage {
  const images = message.content.filter(({ type }) => type === "image").length;
  const characters = lengthOf(message);
  const pictures = images === 1 ? "1 picture" : `${images} pictures`;
  const what = images > 0 ? `${characters} characters and ${pictures}` : `${characters} characters`;
  const words = `[Left out to save room: ${what}. ${howToReadAgain(message.callId)} shows them again.]`;
  return { ...message, content: [{ type: "text", text: words }] };
}

/** Replaces all but the last messages by people's messages, word for word, and a summary of the rest. */
export function compactMessages(state: SessionState, entry: FactOf<"compaction">): void {
  pay(state, state.status === "running" ? currentTurn(state) : undefined, entry);
  state.messages = inShort(state, entry);
  const [brief] = state.messages;
  if (brief) state.brief = brief;
  delete state.toldMode;
  state.added.clear();
  slimCompacted(state);
  state.compactions += 1;
  countCompacted(state.context, entry, state.messages.length);
}

/** The conversation after a compaction: one message for everything earlier, and the last ones unchanged. */
export function inShort(
  { messages, said, brief }: Pick<SessionState, "messages" | "said" | "brief">,
  { keep, summary }: Pick<FactOf<"compaction">, "keep" | "summary">,
): Message[] {
  const last = keep > 0 ? messages.slice(-keep) : [];
  const kept = last.filter((message) => message !== brief); // the old brief is superseded by the new one
  const standing = new Set(kept.flatMap(({ content }): readonly unknown[] => content));
  const told = said.filter((content) => !content.some((part) => standing.has(part)));
  return [{ role: "user", content: briefOf(told, summary) }, ...kept];
}

/** Whether a message contains something a person said. */
export function wordsOf(said: readonly (readonly ContentPart[])[]): (message: Message) => boolean {
  const parts = new Set<unknown>(said.flat());
  return ({ content }) => content.some((part) => parts.has(part));
}

/** People's messages stay in parts of their own, word for word, between fence lines that occur in none of them. */
function briefOf(said: readonly (readonly ContentPart[])[], summary: string): ContentPart[] {
  const fence = fenceFor([
    summary,
    ...said.flat().flatMap((part) => (part.type === "text" ? [part.text] : [])),
  ]);
  const line = (words: string): ContentPart => ({ type: "text", text: `${fence} ${words} ${fence}` });
  const words = said.flatMap((content, at): ContentPart[] => [
    line(said.length === 1 ? "The user's message" : `The user's message ${at + 1} of ${said.length}`),
    ...content,
  ]);
  const opening =
    said.length === 0
      ? "This conversation became long, so what was before is told in short."
      : "This conversation became long, so what was before is told in short: first all that the user said, word for word and oldest first, then a summary of the work since.";
  return [
    { type: "text", text: opening },
    ...words,
    line("Summary of what was done and found out"),
    { type: "text", text: summary },
    line("End of the summary. Go on from here; do not repeat what is done"),
  ];
}

/** The summary at the beginning of a shortened conversation. */
export function summaryIn(brief: Message): string | undefined {
  const part = brief.content.at(-2);
  return part?.type === "text" ? part.text : undefined;
}

/** As in Markdown: longer than any run of the same character in the texts, up to a fixed limit. */
function fenceFor(texts: readonly string[]): string {
  let longest = 3;
  for (const text of texts)
    for (const [run] of text.matchAll(/={4,}/gu)) longest = Math.max(longest, run.length);
  return "=".repeat(Math.min(longest + 1, longestFence));
}

const longestFence = 80;
