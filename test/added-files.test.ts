/** Files written for other agents, found by the built command: what the model sees of them. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scriptedModel, type ScriptedAnswer } from "../src/providers/scripted-model.ts";
import { newHome, put, runCommand } from "./support/command.ts";
import { lead, ollamaRoad, serve } from "./support/roads.ts";

const project = {
  ".git/HEAD": "ref: refs/heads/main\n",
  "AGENTS.md": "# Monorepo\n\nUse pnpm, never npm.\n",
  "CLAUDE.md": "Read the style: @docs/style.md\n",
  "docs/style.md": "Tabs, not spaces.\n",
  "packages/web/AGENTS.md": "The web package is Svelte.\n",
  "packages/web/app.txt": "hello\n",
  ".claude/commands/review.md":
    "---\ndescription: Review a pull request\nargument-hint: [number]\nallowed-tools: Bash(gh:*)\n---\nReview pull request $1.\n\nState: !`git status`\n",
  ".gemini/commands/plan.toml": `description = "Plan"\nprompt = "Plan {{args}}."\n`,
  ".claude/skills/changelog/SKILL.md":
    "---\nname: changelog\ndescription: Writes the changelog. Use it before a release.\n---\n\nFollow references/format.md.\n",
  ".claude/skills/changelog/references/format.md": "Newest first.\n",
  ".claude/skills/deploy/SKILL.md": "---\nname: deploy\ndescription: Deploys.\n---\nRun scripts/deploy.sh.\n",
  ".claude/skills/deploy/scripts/deploy.sh": "#!/bin/sh\ntouch deployed\n",
};

async function run(
  args: readonly string[],
  answers: readonly ScriptedAnswer[],
  own: Record<string, string> = {},
) {
  const home = await newHome(project);
  await put(home.root, own);
  const model = scriptedModel(answers, { name: "qwen:1b" });
  const served = await serve(model);
  const ended = await runCommand(home, [...args, ...lead(home, ollamaRoad, served.url)]);
  return { ended, model, home, prompts: model.prompts };
}

const textOf = (value: unknown): string => JSON.stringify(value);

test("B1: instruction files join the system prompt, nested ones follow later, and a command file becomes the message", async () => {
  const { ended, prompts } = await run(
    ["-p", "/review 12"],
    [[{ call: "read_file", with: { path: "packages/web/app.txt" } }], [{ say: "Reviewed." }]],
    { "config/toolwright/AGENTS.md": "Answer in German.\n" },
  );
  expect(ended).toMatchObject({ code: 0, stdout: "Reviewed.\n" });
  expect(ended.stderr).toContain(".claude/commands/review.md");
  const { system } = prompts[0] ?? { system: "" };
  const places = ["Answer in German.", "Use pnpm, never npm.", "Read the style", "Tabs, not spaces."];
  const found = places.map((words) => system.indexOf(words));
  expect(found).toEqual(found.toSorted((one, other) => one - other));
  expect(found[0]).toBeGreaterThan(0);
  expect(textOf(prompts[0]?.messages)).toContain(
    "Review pull request 12.\\n\\nState: (First run `git status`, and take what it prints for this.)",
  );
  expect(textOf(prompts[0])).not.toContain("Svelte");
  expect(textOf(prompts[1]?.messages)).toContain("The web package is Svelte.");
  expect(prompts[1]?.system).toBe(system);
});

test("B7: skills are listed by name and read when called; one with code is withheld until the user trusts it", async () => {
  const { ended, prompts, home } = await run(
    ["-p", "Release it."],
    [
      [{ call: "skill", with: { name: "changelog" } }],
      [{ call: "skill", with: { name: "changelog", file: "references/format.md" } }],
      [{ call: "skill", with: { name: "deploy" } }],
      [{ say: "Released." }],
    ],
  );
  expect(ended.code).toBe(0);
  const tool = prompts[0]?.tools.find(({ name }) => name === "skill");
  expect(tool?.description).toContain("- changelog: Writes the changelog. Use it before a release.");
  expect(textOf(prompts[0])).not.toContain("Follow references");
  expect(textOf(prompts[0])).not.toContain("Deploys.");
  expect(textOf(prompts[1]?.messages)).toContain("Follow references/format.md.");
  expect(textOf(prompts[2]?.messages)).toContain("Newest first.");
  expect(textOf(prompts[3]?.messages)).toContain("The skill deploy has something to run, and waits");
  await expect(readFile(join(home.workspace, "deployed"))).rejects.toThrow("ENOENT");
});

test("a skill with code is offered once the user trusts it, and no longer once one of its files changes", async () => {
  const home = await newHome(project);
  const model = scriptedModel(() => [{ say: "ok" }], { name: "qwen:1b" });
  const flags = lead(home, ollamaRoad, (await serve(model)).url);
  const told = async () => {
    expect((await runCommand(home, ["-p", "Go.", ...flags])).code).toBe(0);
    return textOf(model.prompts.at(-1)?.tools).includes("Deploys.");
  };
  expect(await told()).toBe(false);
  const waiting = await runCommand(home, ["trust"]);
  expect(waiting.stdout).toContain("scripts/deploy.sh");
  expect((await runCommand(home, ["trust", "deploy"])).code).toBe(0);
  expect(await told()).toBe(true);
  await put(home.workspace, { ".claude/skills/deploy/scripts/deploy.sh": "#!/bin/sh\ntouch elsewhere\n" });
  expect(await told()).toBe(false);
});

test("B2, B7: an envelope's action of type skill reads a skill by its name", async () => {
  const envelope = textOf({
    assistant_text: "First the skill.",
    actions: [{ type: "skill", id: "s1", name: "changelog", arguments: { version: 2 } }],
  });
  const { ended, prompts } = await run(
    ["-p", "Release it.", "--dialect", "yips-agent"],
    [[{ say: `\`\`\`yips-agent\n${envelope}\n\`\`\`` }], [{ say: "Released." }]],
  );
  expect(ended.code).toBe(0);
  expect(textOf(prompts[1]?.messages)).toContain("Follow references/format.md.");
});

test("files with errors are reported when a session opens, and a command that cannot be read is not sent", async () => {
  const broken = {
    "workspace/.claude/settings.json": "{ nope",
    "workspace/.gemini/commands/bad.toml": "prompt = [",
    "workspace/.claude/skills/open/SKILL.md": "---\nname: open\ndescription: Opens.\n# Title\n",
  };
  const { ended } = await run(["-p", "Go."], [[{ say: "ok" }]], broken);
  expect(ended.stderr.split("! .claude/settings.json cannot be read (")).toHaveLength(2);
  expect(ended.stderr).toContain("open/SKILL.md: its head has no end");
  const named = await run(["-p", "/bad now"], [[{ say: "ok" }]], broken);
  expect(named.ended).toMatchObject({ code: 2, stdout: "" });
  expect(named.ended.stderr).toContain("bad.toml is not offered: it is no well-formed TOML");
  expect(named.prompts).toEqual([]);
});

test("a TOML command is sent as a message, and an unknown command sends nothing", async () => {
  const plan = await run(["-p", "/plan the release"], [[{ say: "ok" }]]);
  expect(textOf(plan.prompts[0]?.messages)).toContain("Plan the release.");
  const unknown = await run(["-p", "/unheard of"], [[{ say: "ok" }]]);
  expect(unknown.prompts).toEqual([]);
  expect(unknown.ended.code).toBe(2);
  expect(unknown.ended.stderr).toContain("There is no command /unheard");
});
