/** Slash commands from files: lookup by name, and the message for one that cannot be used. */

import { expect, test } from "vitest";
import { nothingTrusted, placeWith } from "../../testing/written-files.ts";
import { fileCommandsOf } from "./file-commands.ts";

test("a command is found without its folders if its last word is unambiguous", async () => {
  await using place = await placeWith({
    "work/.claude/commands/frontend/component.md": "Make $1.",
    "work/.claude/commands/a/same.md": "One.",
    "work/.claude/commands/b/same.md": "Two.",
    "work/.claude/commands/b/top.md": "Below.",
    "work/.claude/commands/top.md": "Top.",
  });
  const commands = fileCommandsOf(place, nothingTrusted);
  expect(await commands.expand("component", "Button")).toMatchObject({ text: "Make Button." });
  expect(await commands.expand("frontend:component", "Button")).toMatchObject({ text: "Make Button." });
  expect(await commands.expand("same", "")).toBeUndefined();
  expect(await commands.expand("a:same", "")).toMatchObject({ text: "One." });
  expect(await commands.expand("TOP", "")).toMatchObject({ text: "Top." });
});

test("a command that exists but cannot be used is reported with the reason", async () => {
  await using place = await placeWith({
    "work/.gemini/commands/broken.toml": "prompt = [",
    "work/.claude/commands/empty.md": "",
    "work/.claude/skills/deploy/SKILL.md": "---\nname: deploy\ndescription: d\n---\nRun scripts/x.sh.",
    "work/.claude/skills/deploy/scripts/x.sh": "#!/bin/sh\n",
  });
  const commands = fileCommandsOf(place, nothingTrusted);
  const problem = async (name: string) => JSON.stringify(await commands.expand(name, ""));
  expect(await problem("broken")).toContain("broken.toml is not offered: it is no well-formed TOML");
  expect(await problem("empty")).toContain("empty.md is not offered: it has no text");
  expect(await problem("deploy")).toContain("is not used until you agree");
  expect(await commands.expand("nothing", "")).toBeUndefined();
});
