/** Tests the table of keys and what a person may change in it. */

import { expect, test } from "vitest";
import type { KeySettings } from "../../configuration/key-settings.ts";
import { fieldActions, keyBindings, screenActions } from "./key-bindings.ts";
import { characterKey, namedKey, unmodified } from "./key.ts";

function bound(settings: KeySettings = {}) {
  const read = keyBindings(settings);
  if (!read.ok) throw new Error(read.problem);
  return read.value;
}

const problemOf = (settings: KeySettings): string => {
  const read = keyBindings(settings);
  return read.ok ? "" : read.problem;
};

test("no two actions have the same key, and every one is written as it is read", () => {
  const all = [...screenActions, ...fieldActions];
  const places = all.flatMap((row) => row.keys.map((key) => `${"onEmpty" in row ? "empty " : ""}${key}`));
  expect(new Set(places).size).toBe(places.length);
  for (const { action, keys } of all) expect(problemOf({ [action]: [...keys] })).toBe("");
});

test("a key does what the table says; some only while nothing is written", () => {
  const { actionOf } = bound();
  expect(actionOf(namedKey("enter"), false)).toBe("send");
  expect(actionOf(namedKey("enter", { ...unmodified, alt: true }), false)).toBe("send-after");
  expect(actionOf(characterKey("\u0004"), true)).toBe("exit");
  expect(actionOf(characterKey("\u0004"), false)).toBe("delete-right");
  expect(actionOf(characterKey("?"), true)).toBe("help");
  expect(actionOf(characterKey("?"), false)).toBeUndefined();
  expect(actionOf(characterKey("\u001f"), false)).toBe("undo");
});

test("a chosen key replaces the usual ones, and is taken from the action that had it", () => {
  const { actionOf, keyOf, rows } = bound({ todos: "Shift+Ctrl+F5", "last-output": ["ctrl+t"] });
  expect(keyOf("todos")).toBe("ctrl+shift+f5");
  expect(actionOf(characterKey("\u0014"), false)).toBe("last-output");
  expect(actionOf(characterKey("\u000f"), false)).toBeUndefined();
  expect(rows.find(({ action }) => action === "last-output")?.keys).toEqual(["ctrl+t"]);
  expect(bound({ suspend: [] }).keyOf("suspend")).toBe("");
});

test.for<[KeySettings, string]>([
  [{ sned: "f5" }, '"keys": there is no action "sned" (did you mean "send"?)'],
  [{ send: "crtl+x" }, '"keys": "send": "crtl+x" is no key: "crtl" is unknown (did you mean "ctrl"?)'],
  [{ send: "entre" }, '"keys": "send": "entre" is no key (did you mean "enter"?)'],
  [{ send: "x" }, '"keys": "send": "x" types a character: put ctrl+ or alt+ before it'],
  [{ todos: "ctrl+m" }, '"keys": "todos": most terminals send "ctrl+m" as "enter": choose another key'],
  [
    { todos: "f5", suspend: "f5" },
    '"keys": "f5" is given to both "todos" and "suspend": give it to one of them',
  ],
  [{ send: [] }, '"keys": "send" has no key left: give it one'],
  [{ todos: "ctrl+c" }, '"keys": "interrupt" has no key left: give it one'],
])("%j is refused", ([settings, problem]) => {
  expect(problemOf(settings)).toBe(problem);
});

test("what is no key at all is refused with an example", () => {
  for (const key of ["", "ctrl+", "\u001b", "ctrl+\u001b", "f99", "x".repeat(10_000)])
    expect(problemOf({ todos: key })).toMatch(/^"keys": "todos": .* is no key/su);
});
