/** Opening warnings are those at the end of the log, after every other fact. */

import { expect, test } from "vitest";
import type { Entry } from "../protocol/facts.ts";
import { openingWarnings } from "./opening-warnings.ts";

const stamp = { seq: 1, at: 0, v: 1, turn: 0 } as const;
const warning = (text: string, code = "skill"): Entry => ({ ...stamp, type: "warning", code, text });
const modeSet: Entry = { ...stamp, type: "mode-set", mode: "ask", by: "dev" };

test("the warnings after the last other fact are returned, each once", () => {
  expect(openingWarnings([])).toEqual([]);
  expect(openingWarnings([warning("old"), modeSet])).toEqual([]);
  expect(
    openingWarnings([warning("old"), modeSet, warning("a"), warning("b", "hooks"), warning("a")]),
  ).toEqual(["a", "b"]);
});

test("the warning about untrusted content is left out", () => {
  expect(openingWarnings([warning("This workspace brings 1 hook", "untrusted-0123456789ab")])).toEqual([]);
});
