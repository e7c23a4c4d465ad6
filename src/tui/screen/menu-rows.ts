/** The rows of a menu: the chosen one marked, the letters that were looked for coloured, what each means beside it. */

import type { Menu, MenuRow } from "../input/menu.ts";
import { clippedRow, styledWidth } from "../styled-rows.ts";
import type { RowLayout } from "./block-rows.ts";

const widestName = 40;
const mostRows = 8;

/** With a row below that says how many there are, if not all are shown. */
export function countedRows(menu: Menu, layout: RowLayout, most: number): string[] {
  const space = Math.max(2, Math.min(mostRows, most));
  if (menu.count <= space) return menuRows(menu.rows(space), layout);
  const shown = menu.rows(space - 1);
  const row = `  … ${menu.first + 1}–${menu.first + shown.length} of ${menu.count} · ↑↓`;
  return [...menuRows(shown, layout), clippedRow(layout.style.dim(row), layout.columns)];
}

export function menuRows(rows: readonly MenuRow[], { style, columns }: RowLayout): string[] {
  const width = Math.min(widestName, Math.max(0, ...rows.map(({ name }) => styledWidth(name))));
  const digits = Math.max(0, ...rows.map(({ number }) => String(number ?? "").length));
  return rows.map(({ name, says, number, isChosen, marked }) => {
    const letters = Array.from(name, (character, at) =>
      marked.includes(at) ? style.cyan(character) : character,
    ).join("");
    const figure = digits === 0 ? "" : `${String(number ?? "").padStart(digits)} `;
    const shown = `${figure}${letters}`;
    const pad = " ".repeat(Math.max(0, width - styledWidth(name)) + 2);
    const row = `${isChosen ? style.cyan("❯ ") : "  "}${isChosen ? style.bold(shown) : shown}`;
    return clippedRow(says === "" ? row : `${row}${pad}${style.dim(says)}`, columns);
  });
}
