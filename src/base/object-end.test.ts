import fc from "fast-check";
import { expect, test } from "vitest";
import { scale } from "../testing/scale.ts";
import { ObjectEnd } from "./object-end.ts";

/** How many characters were taken when the object was first closed. */
function closedAfter(pieces: readonly string[]): number | undefined {
  const end = new ObjectEnd();
  let taken = 0;
  for (const piece of pieces) {
    end.take(piece);
    taken += piece.length;
    if (end.isClosed) return taken;
  }
  return undefined;
}

test("an object is closed by its last character, character by character, and by no earlier one", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 2), (object, indent) => {
      const text = JSON.stringify(object, null, indent);
      expect(closedAfter(text.split(""))).toBe(text.length);
    }),
    { numRuns: 300 * scale },
  );
});

test("it is closed however it is cut, with white space around it, and open again with anything behind it", () => {
  const text = ' {"a":"}\\\\\\"}","b":[{}]}\n';
  for (let at = 0; at <= text.length; at += 1) {
    const end = new ObjectEnd();
    end.take(text.slice(0, at));
    expect(end.isClosed, text.slice(0, at)).toBe(at >= text.length - 1);
    end.take(text.slice(at));
    expect(end.isClosed).toBe(true);
    end.take(" x");
    expect(end.isClosed).toBe(false);
  }
});

test("what is no object never closes", () => {
  for (const text of ["", "  ", "1", '"{}"', "[{}]", "null", "}", "x{}"])
    expect(closedAfter([text]), text).toBeUndefined();
});
