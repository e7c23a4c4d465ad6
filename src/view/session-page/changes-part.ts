/** The diffs of a request on a session's page. */

import { type ReviewedChanges, statusWords, withoutHunks } from "../review.ts";
import { type Html, line, markup } from "./html.ts";

export function changesPart(review: ReviewedChanges): Html {
  const { files, directories } = review;
  const many = files.length === 1 ? "1 file" : `${files.length} files`;
  return markup`<h3>Changes <span class="badge quiet">${many} · ${statusWords(review)}</span></h3>
${directories.map(({ path, action }) => markup`<p class="note">${action} ${line(path)}/</p>`)}
${files.map(filePart)}`;
}

function filePart(file: ReviewedChanges["files"][number]): Html {
  const { path, action, added, removed, hunks, problem } = file;
  const rows = hunks.flatMap(({ text }) => diffRows(text));
  const why = problem === undefined ? undefined : withoutHunks({ ...file, problem });
  return markup`<details class="diff"${rows.length > 0 && rows.length <= mostOpen ? markup` open` : undefined}>
<summary><span class="mono">${line(path)}</span> <span class="badge quiet">${action}</span> ${badge({ added, removed })}</summary>
${why && markup`<p class="note">${why}</p>`}<div class="rows">${rows}</div>
</details>
`;
}

/** A longer diff is folded. */
const mostOpen = 400;

/** Nothing for what has no lines, such as a directory. */
export const badge = ({ added, removed }: { added: number; removed: number }): Html | undefined =>
  added + removed === 0
    ? undefined
    : markup`<span class="badge"><span class="good">+${added}</span> <span class="bad">−${removed}</span></span>`;

export const diffRows = (text: string): Html[] =>
  text
    .replace(/\n$/u, "")
    .split("\n")
    .map((row) => markup`<span class="row${kindOf(row)}">${row}</span>`);

function kindOf(row: string): string {
  if (row.startsWith("@@")) return " hunk";
  if (row.startsWith("+")) return " add";
  return row.startsWith("-") ? " del" : "";
}
