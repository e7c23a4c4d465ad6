/** Updates the table of limits in docs/limits.md from the rooms' bounds; the prose is written by hand. */

import { figureOf } from "../../src/base/bound.ts";
import type { SourcedBounds } from "./bounds.ts";
import { cell } from "./schema-table.ts";

const markers =
  /(<!-- bounds: written by npm run docs from the rooms' bounds\.ts -->\n)[^]*?(\n<!-- end of bounds -->)/u;

/** Returns the page with a fresh table. Throws if the markers are missing. */
export function limitsPage(text: string, sections: readonly SourcedBounds[]): string {
  if (!markers.test(text)) throw new Error("docs/limits.md has no place for the table of bounds");
  return text.replace(markers, (_all, open: string, close: string) => open + boundsTable(sections) + close);
}

const boundsTable = (sections: readonly SourcedBounds[]): string =>
  sections
    .map(({ title, file, rows }) => {
      const head = ["limit on", "at most", "beyond it"];
      const cells = [head, head.map(() => "---"), ...rows.map((row) => [row.of, figureOf(row), row.beyond])];
      const table = cells.map((row) => `| ${row.map(cell).join(" | ")} |`);
      return [`### ${title}`, `\`${file}\``, table.join("\n")].join("\n\n");
    })
    .join("\n\n");
