import { expect, test } from "vitest";
import { keyCharacters } from "./keys.ts";

test("keys are recognised in every usual spelling", () => {
  for (const name of ["ctrl-c", "Ctrl+C", "^C", "C-c", "control c", "<ctrl-c>"])
    expect(keyCharacters(name)).toBe("\x03");
  const same = ["page-up", "Page Up", "PageUp", "page_up"].map((name) => keyCharacters(name));
  expect(same).toEqual(["\x1b[5~", "\x1b[5~", "\x1b[5~", "\x1b[5~"]);
  expect(
    ["Escape", "esc", "Enter", "tab", "shift-tab", "alt-f", "q"].map((name) => keyCharacters(name)),
  ).toEqual(["\x1b", "\x1b", "\r", "\t", "\x1b[Z", "\x1bf", "q"]);
});

test("cursor keys are sent in the form that the program chose", () => {
  expect([keyCharacters("up"), keyCharacters("ArrowUp", true)]).toEqual(["\x1b[A", "\x1bOA"]);
});

test("an unknown key name gives no characters", () => {
  expect(["", "hello", "ctrl-", "constructor", "\n"].map((name) => keyCharacters(name))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
