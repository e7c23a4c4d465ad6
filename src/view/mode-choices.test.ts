import { expect, test } from "vitest";
import { firstSentence, modeChoices } from "./mode-choices.ts";

test("what decides about a mode fits a row of a menu at 80 columns, also of the present one", () => {
  const longest = Math.max(...modeChoices.map(({ mode }) => mode.length));
  for (const { says } of modeChoices)
    expect(`❯ 1 ${"m".repeat(longest)}  ${firstSentence(says)} as now`.length).toBeLessThan(80);
});
