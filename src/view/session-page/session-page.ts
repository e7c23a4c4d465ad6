/** A session as one page to keep or to send: its timeline, the diffs of its requests, and what it cost. No scripts. */

import { visibleText } from "../../base/visible-text.ts";
import type { Cost } from "../../protocol/cost.ts";
import type { Usage } from "../../protocol/model-events.ts";
import { formatCost, formatUsage } from "../cost.ts";
import { cardRows } from "../diff-card.ts";
import { lex, tokensHtml } from "../markdown/markdown-html.ts";
import type { ReviewedChanges } from "../review.ts";
import { timeWords } from "../session-markdown.ts";
import type { TimelineItem, TimelineCall } from "../timeline.ts";
import { changesPart, badge, diffRows } from "./changes-part.ts";
import { Html, line, markup } from "./html.ts";
import { style } from "./style.ts";

type SessionFacts = {
  id: string;
  title: string;
  workspace: string;
  /** Milliseconds since 1970. */
  createdAt: number;
  updatedAt: number;
  usage: Usage;
  cost: Cost;
};

/** By request number. */
type Reviews = ReadonlyMap<number, ReviewedChanges>;

type RequestPart = { turn: number; items: TimelineItem[] };

/** Nothing may be loaded and nothing runs, whatever the session says. */
const policy = "default-src 'none'; style-src 'unsafe-inline'";

export function sessionPage(about: SessionFacts, items: readonly TimelineItem[], reviews: Reviews): string {
  const title = line(about.title) || "A session";
  const { before, requests } = requestsIn(items);
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Toolwright">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
<header>
<h1>${title}</h1>
${factList(about)}
${overview(requests, about)}
</header>
${before.map(itemPart)}
${requests.map((request) => requestPart(request, reviews.get(request.turn)))}
</main>
</body>
</html>
`;
  return page.text;
}

/** What stands before the first request, and each request with what followed. */
function requestsIn(items: readonly TimelineItem[]): { before: TimelineItem[]; requests: RequestPart[] } {
  const before: TimelineItem[] = [];
  const requests: RequestPart[] = [];
  for (const item of items) {
    if (item.type === "request") requests.push({ turn: item.turn, items: [item] });
    else (requests.at(-1)?.items ?? before).push(item);
  }
  return { before, requests };
}

const factList = ({ id, workspace, createdAt, updatedAt, usage, cost }: SessionFacts): Html =>
  markup`<dl>
<dt>Session</dt><dd class="mono">${id}</dd>
<dt>Workspace</dt><dd class="mono">${line(workspace)}</dd>
<dt>Time</dt><dd>${timeWords(createdAt)} to ${timeWords(updatedAt)}</dd>
<dt>Used</dt><dd>${formatUsage(usage)}</dd>
<dt>Cost</dt><dd>${formatCost(cost)}</dd>
</dl>`;

/** The sum is the session's: what was asked beside its requests counts, too. */
function overview(requests: readonly RequestPart[], { usage, cost }: SessionFacts): Html | undefined {
  if (requests.length < 2) return undefined;
  return markup`<table class="overview">
<thead><tr><th>#</th><th>Request</th><th>Ended</th><th class="figure">Tokens</th><th class="figure">Cost</th></tr></thead>
<tbody>
${requests.map(overviewRow)}
</tbody>
<tfoot><tr><td></td><td>All</td><td></td><td class="figure">${tokens(usage)}</td><td class="figure">${formatCost(cost)}</td></tr></tfoot>
</table>`;
}

/** Characters shown of a request in the overview. */
const mostShown = 90;

function overviewRow({ turn, items: [request, ...rest] }: RequestPart): Html {
  const said =
    request?.type === "request" ? line(request.text.slice(0, 4 * mostShown).replaceAll(/\s+/gu, " ")) : "";
  const characters = Array.from(said);
  const shown = characters.length > mostShown ? `${characters.slice(0, mostShown - 1).join("")}…` : said;
  const end = rest.findLast((item) => item.type === "ending");
  return markup`<tr><td>${turn}</td><td><a href="#request-${turn}">${shown || "(a picture)"}</a></td><td>${end?.stopped ?? "open"}</td><td class="figure">${end && tokens(end.usage)}</td><td class="figure">${end && formatCost(end.cost)}</td></tr>
`;
}

const tokens = ({ inputTokens, outputTokens }: Usage): string =>
  (inputTokens + outputTokens).toLocaleString("en-US");

/** The ending comes last, after the request's diffs; what was undone or asked later stands below it. */
function requestPart({ turn, items }: RequestPart, review: ReviewedChanges | undefined): Html {
  const end = items.findIndex(({ type }) => type === "ending");
  const until = end === -1 ? items.length : end;
  return markup`<section class="request" id="request-${turn}">
${items.slice(0, until).map(itemPart)}
${review && changesPart(review)}
${items.slice(until).map(itemPart)}
</section>
`;
}

/** One item of the timeline on a session's page. */
function itemPart(item: TimelineItem): Html {
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
