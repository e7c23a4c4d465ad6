/** Tests that what was typed before the program listened means what it would have meant then. */

import { expect, test } from "vitest";
import { typedAhead } from "./typed-ahead.ts";

test("Enter and Ctrl-D in the first chunk are keys again, and other bytes stay as they are", () => {
  const read = typedAhead();
  expect(read(Buffer.from("für dich\n\0"))).toEqual(Buffer.from("für dich\r\u0004"));
  expect(read("a\n\0")).toBe("a\n\0");
  expect(typedAhead()("a\r\nb")).toBe("a\r\nb");
});

test("what comes later is what was typed then", () => {
  let now = 0;
  const read = typedAhead(() => now);
  now = 500;
  expect(read("\0")).toBe("\0");
});
