/** Updates the table of bounds in docs/limits.md from `src/base/bounds.ts`; the prose is written by hand. */

import { figureOf } from "../../src/base/bound.ts";
import { areas, bounds } from "../../src/base/bounds.ts";
import { cell } from "./schema-table.ts";

const markers =
  /(<!-- bounds: written by npm run docs from src\/base\/bounds\.ts -->\n)[^]*?(\n<!-- end of bounds -->)/u;

/** Returns the page with a fresh table. Throws if the markers are missing. */
export function limitsPage(text: string): string {
  if (!markers.test(text)) throw new Error("docs/limits.md has no place for the table of bounds");
  return text.replace(markers, (_all, open: string, close: string) => open + boundsTable() + close);
}

function boundsTable(): string {
  const sections = Object.entries(bounds).map(([area, named]) => {
    const title = Object.entries(areas).find(([name]) => name === area)?.[1] ?? area;
    const rows = Object.values(named).map((bound) => [bound.of, figureOf(bound), bound.beyond]);
    const head = ["limit on", "at most", "beyond it"];
    const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.map(cell).join(" | ")} |`);
    return `### ${title}\n\n${lines.join("\n")}`;
  });
  return sections.join("\n\n");
}
