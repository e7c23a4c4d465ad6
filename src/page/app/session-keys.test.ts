import { expect, test } from "vitest";
import { keyMeaning } from "./session-keys.ts";

const pressed = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, isComposing: false };
const escape = { ...pressed, key: "Escape" };
const idle = { isRunning: false, isFinding: false, isElsewhere: false };

test("Escape closes the find bar before it stops the running request", () => {
  expect(keyMeaning(escape, { ...idle, isRunning: true, isFinding: true })).toBe("close-find");
  expect(keyMeaning(escape, { ...idle, isFinding: true })).toBe("close-find");
  expect(keyMeaning(escape, { ...idle, isRunning: true })).toBe("stop");
  expect(keyMeaning(escape, idle)).toBeUndefined();
});

test("Escape does nothing if it belongs to another element or ends an IME composition", () => {
  const both = { isRunning: true, isFinding: true, isElsewhere: false };
  expect(keyMeaning(escape, { ...both, isElsewhere: true })).toBeUndefined();
  expect(keyMeaning({ ...escape, isComposing: true }, both)).toBeUndefined();
});

test("Ctrl or Command with F opens the find bar, with Shift and E the changes", () => {
  for (const command of [{ ctrlKey: true }, { metaKey: true }]) {
    expect(keyMeaning({ ...pressed, ...command, key: "f" }, idle)).toBe("find");
    expect(keyMeaning({ ...pressed, ...command, shiftKey: true, key: "E" }, idle)).toBe("review");
    expect(keyMeaning({ ...pressed, ...command, altKey: true, key: "f" }, idle)).toBeUndefined();
  }
  expect(keyMeaning({ ...pressed, key: "f" }, idle)).toBeUndefined();
});
