import { expect, test } from "vitest";
import { notRecalling, recalled } from "./recall.ts";

const sent = ["first", "second"];

test("up goes back through what was sent, down returns to what was being typed", () => {
  const one = recalled(notRecalling, { text: "half a", sent, to: "older" });
  expect(one?.text).toBe("second");
  const two = recalled(one?.recall ?? notRecalling, { text: "second", sent, to: "older" });
  expect(two?.text).toBe("first");
  expect(recalled(two?.recall ?? notRecalling, { text: "first", sent, to: "older" })).toBeUndefined();
  const three = recalled(two?.recall ?? notRecalling, { text: "first", sent, to: "newer" });
  expect(three?.text).toBe("second");
  const four = recalled(three?.recall ?? notRecalling, { text: "second", sent, to: "newer" });
  expect(four).toEqual({ recall: notRecalling, text: "half a" });
  expect(recalled(notRecalling, { text: "half a", sent, to: "newer" })).toBeUndefined();
});

test("without anything sent there is nothing to call back", () => {
  expect(recalled(notRecalling, { text: "", sent: [], to: "older" })).toBeUndefined();
});
