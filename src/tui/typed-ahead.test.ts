/** Tests that what was typed before the program listened means what it would have meant then. */

import { setImmediate } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { typedAhead } from "./typed-ahead.ts";

test("Enter and Ctrl-D in the first chunk are keys again, and other bytes stay as they are", () => {
  const read = typedAhead();
  expect(read(Buffer.from("für dich\n\0"))).toEqual(Buffer.from("für dich\r\u0004"));
  expect(read("a\n\0")).toBe("a\n\0");
  expect(typedAhead()("a\r\nb")).toBe("a\r\nb");
});

test("a machine that is too busy to read at once loses no Enter", () => {
  const now = vi.spyOn(performance, "now").mockReturnValueOnce(0).mockReturnValue(60_000);
  try {
    expect(typedAhead()("hi\n")).toBe("hi\r");
  } finally {
    now.mockRestore();
  }
});

test("what comes later is what was typed then", async () => {
  const read = typedAhead();
  await setImmediate();
  await setImmediate();
  expect(read("\0")).toBe("\0");
});
