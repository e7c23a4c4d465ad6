/** Tests the description of where a command runs. */

import { expect, test } from "vitest";
import { placeWords } from "./place.ts";

test("a place is described by program and directory, and line ends in a name are escaped", () => {
  expect(placeWords()).toBe("");
  expect(placeWords({ directory: "src" })).toBe("in src");
  expect(placeWords({ into: "bash", directory: "a\nb" })).toBe('typed into bash in "a\\nb"');
  expect(placeWords({ into: "" })).toBe("typed into whatever reads");
});
