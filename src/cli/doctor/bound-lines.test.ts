import { expect, test } from "vitest";
import { sessionBounds } from "../../session/bounds.ts";
import { styleFor } from "../../view/plain.ts";
import { boundLines, everyBound } from "./doctor.ts";

test("doctor has a row with a unique name for each bound", () => {
  const rows = everyBound();
  expect(rows.length).toBeGreaterThan(100);
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
  expect(rows).toContainEqual({ name: "sessionBounds.lease", ...sessionBounds.lease });
});

test("the text output lists each bound under the heading of its area", () => {
  const lines = boundLines(styleFor({}, false));
  expect(lines).toContain("An open session");
  for (const { of, beyond } of everyBound()) expect(lines.join("\n")).toContain(`${of}: ${beyond}`);
  expect(lines.find((line) => line.includes("silence of a process"))).toMatch(
    /^1 min +silence of a process .*: it is presumed dead/u,
  );
});
