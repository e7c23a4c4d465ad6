/** Tests which words the lowest row keeps where there is not enough space for all. */

import { expect, test } from "vitest";
import { styleFor } from "../../view/style.ts";
import { hintedRow, type SessionFigures, statusRow } from "./status-row.ts";

const style = styleFor({}, false);
const figures: SessionFigures = {
  mode: "accept-edits",
  model: "a-model-with-a-long-name",
  context: 0.12,
  cost: "$0.04",
  branch: "a-branch-with-a-long-name",
  isUncontained: true,
};
const hints = ["esc interrupts", "⏎ next step", "alt+⏎ afterwards"];

test.each([
  [
    170,
    " accept-edits · a-model-with-a-long-name · 14 s · context 12 % · $0.04 · ⎇ a-branch-with-a-long-name · no sandbox  esc interrupts · ⏎ next step · alt+⏎ afterwards",
  ],
  [
    120,
    " accept-edits · a-model-with-a-long-name · 14 s · context 12 % · $0.04 · no sandbox  esc interrupts · ⏎ next step",
  ],
  [66, " accept-edits · 14 s · context 12 % · no sandbox  esc interrupts"],
  [40, " accept-edits  esc interrupts"],
])("at %i columns the first hint stays, and what is needed least goes", (columns, row) => {
  const shown = statusRow(figures, { style, columns, passed: "14 s", hints });
  expect(shown.length).toBeLessThan(columns);
  expect(shown.replaceAll(/ {2,}/gu, "  ")).toBe(row);
});

test("a row of the person's own gives way to the way out", () => {
  const own = "everything that I have ever wanted to see here";
  expect(statusRow({ ...figures, own }, { style, columns: 40, hints })).toMatch(
    /^ everything that I ha.* {2}esc interrupts$/u,
  );
  const place = [{ words: "rows 1–20 of 137", rank: 0 }];
  expect(hintedRow(place, ["q back", "↑↓ space b"], { style, columns: 30 })).toBe(
    " rows 1–20 of 137      q back",
  );
});
