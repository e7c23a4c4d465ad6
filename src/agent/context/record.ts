/** Renders a conversation as text for a model to summarise: in no call format, and within a given length. */

import { cutLine } from "../../base/cut-text.ts";
import { summaryIn } from "../../protocol/fold-compaction.ts";
import type { AssistantPart, Message, ContentPart } from "../../protocol/messages.ts";

/** Most characters of each result and text, from generous to bare: the first step at which everything fits is used. */
const steps = [4_000, 1_200, 400, 120];

/**
 * `most` is in characters. `brief`: the message with an earlier summary. If even the barest form is too long, the
 * oldest messages are dropped, but not that summary.
 */
export function recordOf(
  messages: readonly Message[],
  { most, brief }: { most: number; brief: Message | undefined },
): string {
  const earlier = brief && messages.includes(brief) ? earlierIn(brief, most / 3) : [];
  const space = most - earlier.join("\n\n").length;
  const others = messages.filter((message) => message !== brief);
  for (const each of steps) {
    const pieces = others.map((message) => messageText(message, each));
    const length = pieces.reduce((sum, piece) => sum + piece.length + 2, 0);
    if (length <= space) return [...earlier, ...pieces].join("\n\n");
  }
  return [...earlier, ...lastThatFit(others, space)].join("\n\n");
}

/** People's earlier messages are only abridged context here: they stay word for word elsewhere. */
function earlierIn(brief: Message, most: number): string[] {
  const summary = summaryIn(brief) ?? "";
  const said = brief.role === "user" ? brief.content.slice(1, -3) : [];
  const words = said.map((part) => partText(part, 400)).join("\n");
  return [
    `[Earlier messages of the user, in short]\n${cutLine(words, Math.floor(most / 4))}`,
    `[Summary of what was before]\n${cutLine(summary, Math.floor((most * 3) / 4))}`,
  ];
}

function lastThatFit(messages: readonly Message[], space: number): string[] {
  const pieces: string[] = [];
  let left = space - 100;
  for (const message of messages.toReversed()) {
    const piece = messageText(message, steps.at(-1) ?? 0);
    left -= piece.length + 2;
    if (left < 0) break;
    pieces.unshift(piece);
  }
  return [`(${messages.length - pieces.length} earlier messages are left out)`, ...pieces];
}

function messageText(message: Message, each: number): string {
  switch (message.role) {
    case "user":
      return `[User]\n${message.content.map((part) => partText(part, each)).join("\n")}`;
    case "assistant":
      return `[Agent]\n${message.content.flatMap((part) => answerText(part, each)).join("\n")}`;
    case "tool": {
      const state = message.isError ? ", failed" : "";
      return `[Result of ${message.name}${state}]\n${message.content.map((part) => partText(part, each)).join("\n")}`;
    }
    default:
      return message satisfies never;
  }
}

const partText = (part: ContentPart, each: number): string =>
  part.type === "text" ? cutLine(part.text, each) : "(a picture)";

function answerText(part: AssistantPart, each: number): string[] {
  switch (part.type) {
    case "reasoning":
      return [];
    case "text":
      return [cutLine(part.text, each)];
    case "call":
      return [`(uses ${part.call.name}: ${cutLine(JSON.stringify(part.call.input), each)})`];
    default:
      return part satisfies never;
  }
}

/** A summary made without a model: as many of the last steps as fit into `most` characters, a line each. */
export function plainSummary(
  messages: readonly Message[],
  { earlier, most }: { earlier: string | undefined; most: number },
): string {
  const lines = messages.flatMap((message): string[] => {
    if (message.role === "user") return [];
    if (message.role === "tool")
      return [`  ${message.isError ? "failed" : "ok"}: ${firstLine(message.content)}`];
    return message.content.flatMap((part) => answerText(part, 160)).map((words) => `- ${oneLine(words)}`);
  });
  const before = earlier === undefined ? [] : [cutLine(earlier, Math.floor(most / 3))];
  const last: string[] = [];
  let left = most - before.join("").length - 150;
  for (const line of lines.toReversed()) {
    left -= line.length + 1;
    if (left < 0) break;
    last.unshift(line);
  }
  const gone = lines.length - last.length;
  const note = gone > 0 ? [`(${gone} earlier lines are left out)`] : [];
  return [...before, "The last steps, without a summary of them:", ...note, ...last].join("\n");
}

const firstLine = (content: readonly ContentPart[]): string =>
  oneLine(cutLine(content.map((part) => partText(part, 160)).join(" "), 160)).slice(0, 120);

const oneLine = (text: string): string => text.replaceAll(/\s+/gu, " ").trim();
