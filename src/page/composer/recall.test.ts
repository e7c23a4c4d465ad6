import { expect, test } from "vitest";
import { notRecalling, recallMessage } from "./recall.ts";

const sent = ["first", "second"];

test("up recalls earlier messages, and down returns to the unsent text", () => {
  const one = recallMessage(notRecalling, { text: "half a", sent, to: "older" });
  expect(one?.text).toBe("second");
  const two = recallMessage(one?.recall ?? notRecalling, { text: "second", sent, to: "older" });
  expect(two?.text).toBe("first");
  expect(recallMessage(two?.recall ?? notRecalling, { text: "first", sent, to: "older" })).toBeUndefined();
  const three = recallMessage(two?.recall ?? notRecalling, { text: "first", sent, to: "newer" });
  expect(three?.text).toBe("second");
  const four = recallMessage(three?.recall ?? notRecalling, { text: "second", sent, to: "newer" });
  expect(four).toEqual({ recall: notRecalling, text: "half a" });
  expect(recallMessage(notRecalling, { text: "half a", sent, to: "newer" })).toBeUndefined();
});

test("without sent messages there is nothing to recall", () => {
  expect(recallMessage(notRecalling, { text: "", sent: [], to: "older" })).toBeUndefined();
});
