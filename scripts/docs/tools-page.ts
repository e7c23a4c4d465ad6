/**
 * Updates the ladder of tolerant edits in docs/tools.md from `src/tools/edit/ladder.ts`; the prose is written by hand.
 */

import { ladder } from "../../src/tools/edit/ladder.ts";

const markers =
  /(<!-- ladder: written by npm run docs from src\/tools\/edit\/ladder\.ts -->\n)[^]*?(\n<!-- end of ladder -->)/u;

/** Returns the page with a fresh table. Throws if the markers are missing. */
export function toolsPage(text: string): string {
  if (!markers.test(text)) throw new Error("docs/tools.md has no place for the ladder of edits");
  const rows = ladder.map(
    ({ tolerance, allows, rule }, at) => `| ${at + 1} | ${tolerance} | ${allows} | ${rule} |`,
  );
  const table = ["| | rung | what may differ | what is done about it |", "|---|---|---|---|", ...rows].join(
    "\n",
  );
  return text.replace(markers, (_all, open: string, close: string) => `${open}${table}${close}`);
}
