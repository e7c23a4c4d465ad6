import { expect, test } from "vitest";
import { bounds } from "../../../base/bounds.ts";
import { styleFor } from "../../view/plain.ts";
import { boundLines, boundRows } from "./bounds.ts";

const count = Object.values(bounds).reduce((sum, area) => sum + Object.keys(area).length, 0);

test("doctor has a row with a unique name for each bound", () => {
  const rows = boundRows();
  expect(rows).toHaveLength(count);
  expect(new Set(rows.map(({ name }) => name)).size).toBe(count);
  expect(rows).toContainEqual({ name: "session.windowFacts", ...bounds.session.windowFacts });
});

test("the text output lists each bound under the heading of its area", () => {
  const lines = boundLines(styleFor({}, false));
  expect(lines).toHaveLength(count + 2 * Object.keys(bounds).length);
  expect(lines.slice(0, 2)).toEqual(["", "An open session"]);
  expect(lines.find((line) => line.includes("facts of an open session"))).toMatch(
    /^4,096 +facts of .*: older /u,
  );
});
