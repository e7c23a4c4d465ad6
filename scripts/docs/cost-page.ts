/** Updates the table of prices in docs/cost.md from `src/providers/price-table.ts`; the prose is written by hand. */

import { priceTable, pricesAsOf, type PriceRow } from "../../src/providers/price-table.ts";
import { cell } from "./schema-table.ts";

const markers =
  /(<!-- prices: written by npm run docs from src\/providers\/price-table\.ts -->\n)[^]*?(\n<!-- end of prices -->)/u;

/** Returns the page with a fresh table. Throws if the markers are missing. */
export function costPage(text: string): string {
  if (!markers.test(text)) throw new Error("docs/cost.md has no place for the table of prices");
  return text.replace(markers, (_all, open: string, close: string) => open + pricesTable() + close);
}

function pricesTable(): string {
  const head = ["model", "input", "output", "cache read", "cache write", "holds"];
  const table = [head, head.map(() => "---"), ...priceTable.map(row)]
    .map((cells) => `| ${cells.map(cell).join(" | ")} |`)
    .join("\n");
  return `US dollars for a million tokens, looked up on ${pricesAsOf}:\n\n${table}`;
}

function row({
  model,
  input,
  output,
  cacheRead = input,
  cacheWrite = input,
  upTo,
  until,
}: PriceRow): string[] {
  const others = priceTable.filter((other) => other.model === model);
  const isLonger = upTo === undefined && others.length > 1;
  const holds = [
    ...(upTo === undefined ? [] : [`prompts up to ${upTo.toLocaleString("en-US")} tokens`]),
    ...(isLonger ? ["longer prompts"] : []),
    ...(until === undefined ? [] : [`until ${until}`]),
  ];
  const amount = (dollars: number): string => String(Number(dollars.toPrecision(4)));
  return [
    `\`${model}\``,
    amount(input),
    amount(output),
    amount(cacheRead),
    amount(cacheWrite),
    holds.join(", "),
  ];
}
