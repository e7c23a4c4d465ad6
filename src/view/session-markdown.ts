/** Renders a session as a Markdown page for people: messages, calls and decisions. */

import { visibleLine, visibleText } from "../base/visible-text.ts";
import type { Cost } from "../protocol/cost.ts";
import type { Usage } from "../protocol/model-events.ts";
import { formatCost, formatUsage } from "./cost.ts";
import type { TimelineCall, TimelineItem } from "./timeline.ts";

type MarkdownRow = {
  id: string;
  title: string;
  workspace: string;
  /** Milliseconds since 1970, as for all times here. */
  createdAt: number;
  updatedAt: number;
  usage: Usage;
  cost: Cost;
  turns: number;
};

/** UTC, to the minute, so that it reads the same everywhere. */
export const timeWords = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;

export function markdownOf(row: MarkdownRow, items: readonly TimelineItem[]): string {
  const { id, title, workspace, createdAt, updatedAt, usage, cost, turns } = row;
  const facts = [
    `- Session: ${code(id)}`,
    `- Workspace: ${code(workspace)}`,
    `- Time: ${timeWords(createdAt)} to ${timeWords(updatedAt)}`,
    `- Requests: ${turns}; ${formatUsage(usage)}; cost: ${formatCost(cost)}`,
  ];
  const parts = [`# ${plain(title) || "A session"}`, facts.join("\n"), ...items.flatMap(partsOf)];
  return `${parts.join("\n\n")}\n`;
}

function partsOf(item: TimelineItem): string[] {
  switch (item.type) {
    case "request": {
      const words = [
        timeWords(item.at),
        ...[item.model, item.by].flatMap((word) => (word ? [plain(word)] : [])),
      ];
      return [`## Request ${item.turn}`, `*${words.join(" · ")}*`, blockQuote(item)];
    }
    case "message":
      return [...(item.by === undefined ? [] : [`*${plain(item.by)}*`]), blockQuote(item)];
    case "text":
      return [visibleText(item.text.trim())];
    case "reasoning":
      return [details("Reasoning", visibleText(item.text.trim()))];
    case "call":
      return [callPart(item)];
    case "answer":
      return item.failure === undefined ? [] : [`*The answer broke off: ${plain(item.failure)}*`];
    case "note":
      return [`*${plain(item.text)}*`];
    case "compaction":
      return [
        details(`Shortened: ${item.tokensBefore} → ${item.tokensAfter} tokens`, visibleText(item.summary)),
      ];
    case "ending":
      return [endingPart(item)];
    default:
      return item satisfies never;
  }
}

/** Quotes what people wrote, unchanged. */
function blockQuote({ text, images }: { text: string; images: number }): string {
  const pictures = images === 0 ? [] : [`(${images} ${images === 1 ? "image" : "images"})`];
  return [...visibleText(text).split("\n"), ...pictures].map((line) => `> ${line}`).join("\n");
}

function callPart(call: TimelineCall): string {
  const { title, outcome = "open", changes, decision, asked, answered, question, said, held } = call;
  const badges = changes.map(({ path, added, removed }) => `${code(path)} +${added} −${removed}`);
  const why = asked?.because ?? decision?.because;
  const lines = [
    `- **${plain(title)}**: ${outcome}${badges.length > 0 ? `; ${badges.join(", ")}` : ""}`,
    ...(decision ? [`  - ${decision.verdict}${why === undefined ? "" : `: ${plain(why)}`}`] : []),
    ...(answered ? [`  - answered: ${answerWords(answered)}`] : []),
    ...(held === undefined ? [] : [`  - held: ${plain(held)}`]),
    ...(question ? [`  - asked: ${plain(question.question)}`] : []),
    ...(question?.reply === undefined ? [] : [`  - answered: ${plain(question.reply)}`]),
  ];
  const shown = [asked?.preview ?? "", said].filter((text) => text.trim() !== "");
  return [lines.join("\n"), ...shown.map(fencedText)].join("\n\n");
}

type CallAnswer = NonNullable<TimelineCall["answered"]>;

function answerWords({ answer, scope, by, command }: CallAnswer): string {
  const edit = command === undefined ? "" : `, changed to: ${plain(command)}`;
  return `${answer} (${scope}, by ${plain(by)})${edit}`;
}

function endingPart({ stopped, because, changed, usage, cost }: TimelineItem & { type: "ending" }): string {
  const files = changed.length === 0 ? "" : ` Changed: ${changed.map(code).join(", ")}.`;
  const why = because === undefined ? "" : ` (${plain(because)})`;
  return `**${stopped}**${why}.${files} ${formatUsage(usage)}; ${formatCost(cost)}.\n\n---`;
}

const details = (title: string, text: string): string =>
  `<details><summary>${title}</summary>\n\n${fencedText(text)}\n\n</details>`;

/** A code fence longer than any fence inside the text, so that nothing in it can close the block. */
function fencedText(text: string): string {
  const body = visibleText(text.trimEnd());
  const longest = Math.max(2, ...(body.match(/`+/gu) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${body}\n${fence}`;
}

/** One line in which no character has a meaning in Markdown. */
const plain = (text: string): string => visibleLine(text.trim()).replaceAll(/[\\`*_[\]<>#|]/gu, "\\$&");

function code(text: string): string {
  const line = visibleLine(text);
  return line.includes("`") ? `\`\` ${line} \`\`` : `\`${line}\``;
}
