/** Ids of requirements in documents, such as A17: each links to its row in docs/requirements.md. */

import { posix } from "node:path";
import type { Problem } from "../architecture/problem.ts";
import { requirements } from "../requirements/list.ts";
import type { Markdown } from "./markdown.ts";

const page = "docs/requirements.md";
const known: ReadonlySet<string> = new Set(requirements.map(({ id }) => id));

/** Code, links, and ids that stand outside of both. */
const tokens = /`[^`]*`|\[[^\]]*\]\([^)]*\)|\b[A-Z]\d{1,2}\b/gu;
const isBare = (text: string): boolean => known.has(text);

/** Makes each id in the prose of a page of `docs` a link. */
export function withRequirementLinks(text: string): string {
  let fence: string | undefined;
  const lines = text.split("\n").map((line) => {
    const mark = /^\s*(`{3,})/u.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence)))
      fence = fence === undefined ? mark : undefined;
    if (mark !== undefined || fence !== undefined) return line;
    return line.replaceAll(tokens, (token) => (isBare(token) ? linkTo(token, "docs") : token));
  });
  return lines.join("\n");
}

const linkTo = (id: string, folder: string): string =>
  `[${id}](${posix.relative(folder, page)}#${id.toLowerCase()})`;

/** Ids in prose that are no links. */
export function checkRequirements(files: readonly Markdown[]): Problem[] {
  return files
    .filter(({ path }) => path !== page)
    .flatMap(({ path, prose }) =>
      prose.flatMap((text, index) =>
        [...text.matchAll(tokens)]
          .filter(([token]) => isBare(token))
          .map(([id]) => ({
            path,
            line: index + 1,
            words: `${id} is a requirement: write ${linkTo(id, posix.dirname(path))}`,
          })),
      ),
    );
}
