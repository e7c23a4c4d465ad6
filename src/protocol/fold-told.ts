/** Folding what shortens the conversation as the model is told it. The facts themselves stay. */
import type { FactOf } from "./facts.ts";
import { addUsage } from "./fold-answer.ts";
import type { Message, Part } from "./messages.ts";
import type { SessionState } from "./session-state.ts";

/** The results of these calls are told by a line that says how to read them again. */
export function trimmed(state: SessionState, { callIds }: FactOf<"results-trimmed">): void {
  const trimming = new Set(callIds);
  for (const id of callIds) state.trimmed.add(id);
  state.messages = state.messages.map((message) =>
    message.role === "tool" && trimming.has(message.callId) ? shortened(message) : message,
  );
}

type Result = Message & { role: "tool" };

function shortened(message: Result): Result {
  const images = message.content.filter(({ type }) => type === "image").length;
  const characters = message.content.reduce(
    (sum, part) => sum + (part.type === "text" ? part.text.length : 0),
    0,
  );
  const what = images > 0 ? `${characters} characters and ${images} pictures` : `${characters} characters`;
  const words = `[Left out to save room: ${what}. read_result with call "${message.callId}" shows them again.]`;
  return { ...message, content: [{ type: "text", text: words }] };
}

/** All but the last messages gives way to what people said, word for word, and a summary of the rest. */
export function compacted(
  state: SessionState,
  { keep, summary, usage, cost = 0 }: FactOf<"compaction">,
): void {
  addUsage(state.usage, usage);
  state.cost += cost;
  const kept = keep === 0 ? [] : state.messages.slice(-keep);
  const standing = new Set(kept.flatMap(({ role, content }) => (role === "user" ? [content] : [])));
  const told = state.said.filter((content) => !standing.has(content));
  state.messages = [{ role: "user", content: inShort(told, summary) }, ...kept];
  state.compactions += 1;
}

/** The one message that a shortened conversation begins with. */
export function inShort(said: readonly (readonly Part[])[], summary: string): Part[] {
  const words: Part[] = said.flatMap((content, at): Part[] => [
    { type: "text", text: `Message ${at + 1}:` },
    ...content,
  ]);
  return [
    { type: "text", text: "The conversation so far was shortened. What the user said, word for word:" },
    ...words,
    { type: "text", text: `What was done and found out since, in short:\n${summary}` },
  ];
}
