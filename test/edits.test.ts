import * as fc from "fast-check";
import { expect, test } from "vitest";
import { scale } from "../src/testing/scale.ts";
import { expectIntended, expectOutsideKept } from "../src/tools/edit/testing/checks.ts";
import { fileEdit, repeatedEdit } from "../src/tools/edit/testing/edits.ts";

/** TOOLWRIGHT_RUNS multiplies them. */
const runs = 10_000 * scale;

test("in 10,000 random files the bytes outside an edit stay identical", () => {
  let made = 0;
  fc.assert(
    fc.property(fileEdit, (one) => {
      if (expectOutsideKept(one)) made++;
    }),
    { numRuns: runs },
  );
  console.log(`edits of random files: ${made} made, ${runs - made} refused of ${runs}`);
  expect(made).toBeGreaterThan(runs / 2);
});

test("10,000 damaged passages in repetitive files change the intended place or nothing", () => {
  let made = 0;
  fc.assert(
    fc.property(repeatedEdit, (one) => {
      if (expectIntended(one)) made++;
    }),
    { numRuns: runs },
  );
  console.log(`damaged passages: ${made} made at the intended place, ${runs - made} refused of ${runs}`);
  expect(made).toBeGreaterThan(runs / 5);
});
