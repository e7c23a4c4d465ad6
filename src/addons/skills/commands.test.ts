/** Command files as users of other agents write them. */

import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { placeWith } from "../../testing/written-files.ts";
import { commandFiles } from "./commands.ts";
import { expandCommand } from "./expand.ts";

test("commands of Claude Code, Codex, Cursor, opencode, Copilot and Gemini work as they are", async () => {
  await using place = await placeWith({
    "work/.claude/commands/fix-issue.md": `---\ndescription: Fix an issue\nargument-hint: [issue number] [priority]\nallowed-tools: Bash(git *), Edit\nmodel: opus\n---\nFix issue #$1 (priority $2). Status: !\`git status\``,
    "work/.claude/commands/git/commit.md": "Commit with the message: $ARGUMENTS\n",
    "home/.codex/prompts/explain.md": "Explain $FILE.",
    "work/.cursor/commands/tidy.md": "# Tidy\n\nTidy up what we changed.",
    "work/.opencode/command/test.md": "---\ndescription: Run tests\nagent: build\n---\nRun the tests.",
    "work/.github/prompts/component.prompt.md": `---\nmode: agent\ndescription: 'New component'\n---\nMake \${input:name}.`,
    "work/.github/prompts/notes.md": "not a prompt",
    "work/.gemini/commands/plan.toml": `description = "Plan it"\nprompt = """\nPlan {{args}} with @{docs/plan.md}.\n!{ls {{args}}}\n"""`,
  });
  const { found, problems } = await commandFiles(place);
  expect(problems).toEqual([]);
  const shown = found.map(({ name, description, argumentHint }) => [name, description, argumentHint]);
  expect(shown).toEqual([
    ["explain", "Explain $FILE.", undefined],
    ["fix-issue", "Fix an issue", "[issue number] [priority]"],
    ["git:commit", "Commit with the message: $ARGUMENTS", undefined],
    ["tidy", "Tidy", undefined],
    ["test", "Run tests", undefined],
    ["component", "New component", undefined],
    ["plan", "Plan it", undefined],
  ]);
  const told = (name: string, typed: string) =>
    expandCommand(found.find((one) => one.name === name) ?? { body: "" }, typed);
  expect(told("fix-issue", "12 high")).toBe(
    "Fix issue #12 (priority high). Status: (First run `git status`, and take what it prints for this.)",
  );
  expect(told("git:commit", "a b")).toBe("Commit with the message: a b");
  expect(told("component", "Button")).toBe("Make Button.");
  expect(told("plan", "src")).toBe(
    "Plan src with @docs/plan.md.\n(First run `ls src`, and take what it prints for this.)",
  );
});

test("a command that could be read only in part carries a notice saying so", async () => {
  await using place = await placeWith({
    "work/.claude/commands/big.md": "All of it.\n".repeat(200_000),
    "work/.claude/commands/endless.md": "---\ndescription: Endless\nmodel: opus\n\nDo it.",
  });
  const { found, problems } = await commandFiles(place);
  expect(problems).toHaveLength(2);
  expect(found.map(({ name, unheeded }) => `${name}: ${unheeded}`)).toEqual([
    expect.stringMatching(/^big: .*big\.md is larger than .*: the rest of it is left out\.$/u),
    expect.stringMatching(/^endless: .*its head has no end.* Its head is not followed in this: model opus/u),
  ]);
});

test("a user's command takes precedence, broken TOML is skipped, and commands beyond 200 are reported", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 205 }, (_, at) => [`work/.toolwright/commands/c${at}.md`, `say ${at}`]),
  );
  await using place = await placeWith({
    ...many,
    "config/commands/c1.md": "mine",
    "home/.gemini/commands/bad.toml": "prompt = [",
    "home/.claude/commands/empty.md": "---\ndescription: nothing\n---\n",
  });
  const { found, problems, leftOut } = await commandFiles(place);
  expect(leftOut.get("bad")).toContain("bad.toml is not offered: it is no well-formed TOML in line 1 (");
  expect(leftOut.get("empty")).toContain("empty.md is not offered: it has no text.");
  expect(problems.slice(0, 2).toSorted()).toEqual([...leftOut.values()].slice(0, 2).toSorted());
  const beyond = Object.keys(many).flatMap((path) => {
    const name = path.slice(path.lastIndexOf("/") + 1, -3);
    return found.some((one) => one.name === name) ? [] : [leftOut.get(name)];
  });
  expect(beyond).toHaveLength(5);
  for (const why of beyond) expect(why).toContain("is not offered: 200 others come before it.");
  expect(found).toHaveLength(200);
  expect(found[0]).toMatchObject({ name: "c1", body: "mine", from: "user" });
  expect(found.map(({ name }) => name)).not.toContain("bad");
  expect(problems.join()).toContain("more than 200");
});

test("a dangling or self-referencing symlink is reported like any unreadable file", async () => {
  await using place = await placeWith({ "work/.claude/commands/fine.md": "Fine." });
  const at = (name: string) => join(place.workspace, ".claude/commands", name);
  await symlink("loop.md", at("loop.md"));
  await symlink("nowhere.md", at("gone.md"));
  await symlink("fine.md", at("other.md"));
  const { found, problems, leftOut } = await commandFiles(place);
  expect(found.map(({ name }) => name)).toEqual(["fine", "other"]);
  expect(problems).toEqual([
    `${at("gone.md")} was not read: it is a link that leads to nothing.`,
    `${at("loop.md")} was not read: it is a link that leads back to itself.`,
  ]);
  expect([leftOut.get("gone"), leftOut.get("loop")]).toEqual(problems);
});

test("workspace variables in a prompt are filled in, and editor variables are reported as unfilled", async () => {
  await using place = await placeWith({
    "work/.github/prompts/where.prompt.md": "In ${workspaceFolder} (${workspaceFolderBasename}): $1.",
    "work/.github/prompts/mark.prompt.md": "Look at ${selection} in ${file}, ${file} and ${input:file}.",
  });
  const { found } = await commandFiles(place);
  const [mark, where] = found;
  expect(expandCommand(where ?? { body: "" }, "x")).toBe(`In ${place.workspace} (work): x.`);
  expect(where).not.toHaveProperty("unheeded");
  expect(mark?.unheeded).toBe(
    "${selection}, ${file} are places that an editor fills: they stay as written, so say what is meant.",
  );
});
