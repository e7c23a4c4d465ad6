/** Front matter written for other agents: unsupported fields are reported and do no harm. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { placeWith } from "../../testing/written-files.ts";
import { commandFiles } from "./commands.ts";
import { findSkills } from "./find-skills.ts";
import { unheededIn } from "./unheeded-keys.ts";

test.each<[object, string | undefined]>([
  [{}, undefined],
  [{ description: "d", "argument-hint": "x", model: "inherit", subtask: false, tools: [] }, undefined],
  [{ model: "opus" }, "model opus (the session's own answers; /model changes it)"],
  [
    { "allowed-tools": "Bash(git *), Edit" },
    "allowed-tools Bash(git *), Edit (your own rules say what may run)",
  ],
  [{ tools: { bash: true } }, "tools (your own rules say what may run)"],
  [{ agent: "build", subtask: true }, "agent build (it is done in this conversation)"],
  [{ context: "fork" }, "a subagent (it is done in this conversation)"],
  [
    { model: "haiku", hooks: { Stop: [] } },
    "model haiku (the session's own answers; /model changes it); hooks (they stand in the configuration)",
  ],
])("unsupported fields of %j are reported, if there are any", (head, words) => {
  expect(unheededIn({ ...head })).toBe(words && `Its head is not followed in this: ${words}.`);
});

test("arbitrary front matter yields at most one line of bounded length and never throws", () => {
  const names = fc.constantFrom("model", "allowed-tools", "tools", "agent", "subtask", "context", "hooks");
  fc.assert(
    fc.property(fc.dictionary(names, fc.oneof(fc.anything(), fc.string({ minLength: 100 }))), (head) => {
      const words = unheededIn(head);
      expect(words ?? "").not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      expect((words ?? "").length).toBeLessThan(600);
    }),
  );
});

test("another agent's commands and skills carry their unsupported fields", async () => {
  await using place = await placeWith({
    "work/.claude/commands/fix.md": "---\nmodel: sonnet\n---\nFix it.",
    "work/.claude/skills/pdf/SKILL.md": "---\nname: pdf\nallowed-tools: Read\n---\nRead it.",
    "work/.claude/commands/plain.md": "Plain.",
  });
  const commands = (await commandFiles(place)).found.map(({ name, unheeded }) => [name, unheeded]);
  expect(commands).toEqual([
    ["fix", expect.stringContaining("model sonnet")],
    ["plain", undefined],
  ]);
  expect((await findSkills(place)).found[0]?.unheeded).toContain("allowed-tools Read");
});
