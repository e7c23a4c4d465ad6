/** Tests the description of where a command runs. */

import { expect, test } from "vitest";
import { placeWords } from "./place.ts";

test("a place is told by its program and its directory; a name with a line end cannot look like the end of it", () => {
  expect(placeWords()).toBe("");
  expect(placeWords({ directory: "src" })).toBe("in src");
  expect(placeWords({ into: "bash", directory: "a\nb" })).toBe('typed into bash in "a\\nb"');
  expect(placeWords({ into: "" })).toBe("typed into whatever reads");
});
