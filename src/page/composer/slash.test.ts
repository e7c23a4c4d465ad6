/** The list of commands after a slash: its content, and the effect of keys. */

import fc from "fast-check";
import { expect, test } from "vitest";
import type { SlashCommandValue } from "../../remote/api-values.ts";
import { countWords, listKey, nameTyped, matchingCommands, sourceWords } from "./slash.ts";

const command = (name: string, more: Partial<SlashCommandValue> = {}): SlashCommandValue => ({
  kind: "command",
  name,
  description: "",
  from: "workspace",
  path: `/w/${name}.md`,
  ...more,
});
const all = ["preview", "git:review", "review", "Release", "pdf"].map((name) => command(name));
const names = (typed: string): string[] => matchingCommands(all, typed).map(({ name }) => name);

test("the list appears only while a name is typed, not for a path or other text", () => {
  expect(nameTyped("/")).toBe("");
  expect(nameTyped("/git:re")).toBe("git:re");
  for (const text of ["", "review", "/review ", "/review 12", "/a\nb", " /review"])
    expect(nameTyped(text), text).toBeUndefined();
  expect(matchingCommands(all, nameTyped("/etc/hosts") ?? "")).toEqual([]);
});

test("names that start with the input come first, then those with such a part, then those containing it", () => {
  expect(names("")).toEqual(all.map(({ name }) => name));
  expect(names("re")).toEqual(["review", "Release", "git:review", "preview"]);
  expect(names("VIEW")).toEqual(["preview", "git:review", "review"]);
  expect(names("nothing")).toEqual([]);
});

test("each command is offered at most once, and every offered name contains the input", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.string(), (some, typed) => {
      const found = matchingCommands(
        some.map((name) => command(name)),
        typed,
      );
      expect(found.length).toBeLessThanOrEqual(some.length);
      for (const { name } of found) expect(name.toLowerCase()).toContain(typed.toLowerCase());
    }),
  );
});

const plain = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, isComposing: false };
const pressed = (key: string, standing: Parameters<typeof listKey>[1], more = {}) =>
  listKey({ ...plain, key, ...more }, standing);

test("arrows wrap around, Tab and Enter accept, Escape closes, and all other keys go to the field", () => {
  const open = { at: 2, count: 3, isWhole: false };
  expect(pressed("ArrowDown", open)).toEqual({ type: "move", at: 0 });
  expect(pressed("ArrowUp", { ...open, at: 0 })).toEqual({ type: "move", at: 2 });
  expect(pressed("Enter", open)).toEqual({ type: "take" });
  expect(pressed("Tab", open)).toEqual({ type: "take" });
  expect(pressed("Escape", open)).toEqual({ type: "close" });
  expect(pressed("a", open)).toBeUndefined();
  for (const held of ["shiftKey", "ctrlKey", "metaKey", "altKey", "isComposing"])
    expect(pressed("Enter", open, { [held]: true }), held).toBeUndefined();
});

test("Enter sends a name typed in full; without a list every key goes to the field", () => {
  expect(pressed("Enter", { at: 0, count: 2, isWhole: true })).toBeUndefined();
  expect(pressed("Tab", { at: 0, count: 2, isWhole: true })).toEqual({ type: "take" });
  for (const key of ["Enter", "Tab", "Escape", "ArrowDown"])
    expect(pressed(key, { at: 0, count: 0, isWhole: false }), key).toBeUndefined();
});

test("the hint counts the commands, and each command shows its source", () => {
  expect([countWords(1), countWords(3)]).toEqual([
    "1 command: Tab takes it.",
    "3 commands: arrows choose, Tab takes one.",
  ]);
  expect(sourceWords(command("a"))).toBe("workspace");
  expect(sourceWords(command("a", { from: "user", kind: "skill" }))).toBe("yours · skill");
});
