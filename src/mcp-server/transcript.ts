/** A session in readable form: Markdown for people, the facts themselves for programs. */

import { mostPageFacts, otherProgramBounds } from "../base/bounds.ts";
import type { HostedRow, SessionHost } from "../hosting/session-host.ts";
import { encodeEntry } from "../protocol/codec.ts";
import type { Entry } from "../protocol/facts.ts";
import { markdownOf } from "../view/session-markdown.ts";
import { timelineOf } from "../view/timeline.ts";

const { text: onePage } = otherProgramBounds;
const factsAtOnce = mostPageFacts;

async function* factsOf(host: SessionHost, id: string, after = 0): AsyncGenerator<Entry> {
  for (let cursor = after; ;) {
    const page = await host.facts(id, cursor, factsAtOnce);
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    cursor = last.seq;
  }
}

const transcriptOf = async (host: SessionHost, row: HostedRow): Promise<string> =>
  markdownOf(row, await timelineOf(factsOf(host, row.id)));

/** For a very long session, only the beginning. */
export async function wholeTranscript(host: SessionHost, row: HostedRow): Promise<string> {
  const pages = pagesOf(await transcriptOf(host, row));
  const left = pages.length - wholePages;
  const note = left > 0 ? `\n\n[${left} pages were left out: read_session tells them.]\n` : "";
  return `${pages.slice(0, wholePages).join("")}${note}`;
}

const wholePages = 16;

/** Pages end at line ends; a page that does not exist is empty. */
export async function transcriptPage(
  host: SessionHost,
  row: HostedRow,
  page: number,
): Promise<{ text: string; pages: number }> {
  const pages = pagesOf(await transcriptOf(host, row));
  return { text: pages[page - 1] ?? "", pages: pages.length };
}

function pagesOf(text: string): string[] {
  const pages: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = at + onePage.most;
    const lineEnd = end >= text.length ? text.length : text.lastIndexOf("\n", end) + 1;
    const next = lineEnd > at ? lineEnd : end;
    pages.push(text.slice(at, next));
    at = next;
  }
  return pages;
}

/** One line per fact, as many as fit a page; `next`: where the next page continues. */
export async function factLines(
  host: SessionHost,
  id: string,
  after: number,
): Promise<{ text: string; next: number | undefined }> {
  const lines: string[] = [];
  let length = 0;
  let cursor = after;
  for await (const entry of factsOf(host, id, after)) {
    const line = encodeEntry(entry);
    if (lines.length > 0 && length + line.length > onePage.most * 8)
      return { text: lines.join("\n"), next: cursor };
    lines.push(line);
    length += line.length;
    cursor = entry.seq;
  }
  return { text: lines.join("\n"), next: undefined };
}
