/** One item of the timeline on a session's page. */

import { formatCost, formatUsage } from "../cost.ts";
import { cardRows } from "../diff-card.ts";
import { lex, tokensHtml } from "../markdown/markdown-html.ts";
import { timeWords } from "../session-markdown.ts";
import type { TimelineCall, TimelineItem } from "../timeline.ts";
import { visibleText } from "../visible.ts";
import { badge, diffRows } from "./changes-part.ts";
import { Html, line, markup } from "./html.ts";

export function itemPart(item: TimelineItem): Html {
  switch (item.type) {
    case "request": {
      const { turn, at, model, mode, by } = item;
      const about = [timeWords(at), ...[model, mode, by].flatMap((word) => word ?? [])].map(line).join(" · ");
      return markup`<h2>Request ${turn}</h2><p class="meta">${about}</p>${messagePart(item)}`;
    }
    case "message":
      return markup`${item.by && markup`<p class="meta">${line(item.by)}</p>`}${messagePart(item)}`;
    case "text":
      return markup`<div class="answer">${markdown(item.text)}</div>`;
    case "reasoning":
      return foldedText("Reasoning", item.text.trim());
    case "call":
      return callPart(item);
    case "answer":
      return item.failure === undefined
        ? markup``
        : markup`<p class="note warn">The answer broke off: ${line(item.failure)}</p>`;
    case "note":
      return markup`<p class="note">${line(item.text)}</p>`;
    case "compaction":
      return foldedText(`Shortened: ${item.tokensBefore} → ${item.tokensAfter} tokens`, item.summary);
    case "ending":
      return endingPart(item);
    default:
      return item satisfies never;
  }
}

/** The renderer lets no HTML of the text through, and no links but to the web and to mail. */
const markdown = (text: string): Html => new Html(tokensHtml(lex(visibleText(text), {}).tokens));

function messagePart({ text, images }: { text: string; images: number }): Html {
  const pictures = images === 0 ? "" : `${images} ${images === 1 ? "picture" : "pictures"}`;
  return markup`<div class="said">${text}${pictures && markup`<p class="note">${pictures}</p>`}</div>`;
}

const foldedText = (title: string, text: string): Html =>
  markup`<details class="box"><summary>${title}</summary><pre>${text}</pre></details>`;

const outcomeColours: Readonly<Record<string, string>> = { ok: "good", failed: "bad", invalid: "bad" };

function callPart(call: TimelineCall): Html {
  const { title, outcome = "open", changes, decision, asked, answered, question, held } = call;
  const because = asked?.because ?? decision?.because;
  return markup`<div class="call">
<p><span class="title">${line(title)}</span> <span class="badge ${outcomeColours[outcome] ?? "warn"}">${outcome}</span></p>
${changes.map(({ path, ...lines }) => markup`<p class="note"><span class="mono">${line(path)}</span> ${badge(lines)}</p>`)}
${decision && markup`<p class="note">${decision.verdict}${because === undefined ? "" : `: ${line(because)}`}</p>`}
${answered && markup`<p class="note">answered: ${answerWords(answered)}</p>`}
${held === undefined ? undefined : markup`<p class="note">${line(held)}</p>`}
${question && markup`<p class="note">asked: ${line(question.question)}${question.reply === undefined ? "" : ` → ${line(question.reply)}`}</p>`}
${outputPart("Shown for approval", asked?.preview ?? "", { isDiff: true })}
${outputPart("Output", call.said, { isDiff: false })}
</div>`;
}

function outputPart(title: string, text: string, { isDiff }: { isDiff: boolean }): Html | undefined {
  if (text.trim() === "") return undefined;
  if (!isDiff) return foldedText(title, text.trimEnd());
  return markup`<details class="box"><summary>${title}</summary><div class="rows">${cardRows(text.trimEnd().split("\n")).flatMap(diffRows)}</div></details>`;
}

function answerWords({ answer, scope, by, note, command }: NonNullable<TimelineCall["answered"]>): string {
  const why = note === undefined ? "" : `: ${line(note)}`;
  const edit = command === undefined ? "" : `, changed to: ${line(command)}`;
  return `${answer} (${scope}, by ${line(by)})${why}${edit}`;
}

function endingPart(item: TimelineItem & { type: "ending" }): Html {
  const { stopped, because, changed, verified, usage, cost } = item;
  const why = because === undefined ? "" : `: ${line(because)}`;
  const files = changed.length === 0 ? "" : ` · changed ${changed.map(line).join(", ")}`;
  const checks = verified.length === 1 ? "1 check" : `${verified.length} checks`;
  const checked = verified.length === 0 ? "" : ` · ${checks} since the last change`;
  return markup`<p class="ending"><strong class="${stopped === "done" ? "good" : "warn"}">${stopped}</strong>${why}${files}${checked} · ${formatUsage(usage)} · ${formatCost(cost)}</p>`;
}
