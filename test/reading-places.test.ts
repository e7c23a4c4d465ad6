/** A denied place stays unread on every way to a model that is not a plain call: the built command, real files, real links. */

import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../src/providers/scripted-model.ts";
import { serveModel } from "../src/testing/scripted-server.ts";
import { newHome, put, runCommand } from "./support/command.ts";

const closed = {
  "closed/plan.txt": "token = CANARYplan\n",
  "closed/AGENTS.txt": "CANARYinstructions\n",
  "closed/skill.txt": "---\nname: linked\ndescription: CANARYskill\n---\nCANARYskilltext\n",
  "closed/reference.txt": "CANARYreference\n",
  ".agents/skills/plain/kept/notes.md": "CANARYnotes\n",
  "closed/command.txt": "Do CANARYcommand.\n",
};
const links = {
  "AGENTS.md": "closed/AGENTS.txt",
  ".agents/skills/linked/SKILL.md": "../../../closed/skill.txt",
  ".agents/skills/plain/reference.md": "../../../closed/reference.txt",
  ".claude/commands/review.md": "../../closed/command.txt",
  ".agents/skills/plain/notes.md": "kept/notes.md",
  "plan-link": "closed/plan.txt",
};
const everything = {
  command: join(import.meta.dirname, "../node_modules/.bin/mcp-server-everything"),
  args: ["stdio"],
};

test("attachments, mentions, instructions, skills, commands, staged diffs and resources show nothing of a denied place", async () => {
  const home = await newHome({
    ...closed,
    "open.txt": "token = HARMLESS\n",
    ".agents/skills/plain/SKILL.md": "---\nname: plain\ndescription: Plain.\n---\nSee reference.md.\n",
  });
  for (const [path, target] of Object.entries(links)) {
    await mkdir(dirname(join(home.workspace, path)), { recursive: true });
    await symlink(target, join(home.workspace, path));
  }
  const model = scriptedModel([
    [
      { call: "skill", with: { name: "plain" } },
      { call: "skill", with: { name: "plain", file: "reference.md" } },
      { call: "skill", with: { name: "plain", file: "notes.md" } },
      { call: "skill", with: { name: "linked" } },
      { call: "run_command", with: { command: "sh s.sh", stage: true } },
      {
        call: "read_resource",
        with: { server: "everything", uri: `file://${home.workspace}/closed/plan.txt` },
      },
      { call: "read_resource", with: { server: "everything", uri: `file://${home.workspace}/plan-link` } },
    ],
    [{ say: "Done." }],
    [{ say: "Done." }],
  ]);
  await writeFile(join(home.workspace, "s.sh"), "sed -i s/token/x/ closed/plan.txt open.txt\n");
  const served = await serveModel(model);
  onTestFinished(() => served.close());
  const config = {
    providers: { mine: { baseUrl: `${served.url}/v1`, key: "not-needed", models: ["model"] } },
    mcpServers: { everything },
    rules: ["closed", "**/kept"].map((path) => ({ tool: "*", path, decision: "deny" })),
  };
  await put(join(home.root, "config/toolwright"), { "config.json": JSON.stringify(config) });
  const ask = (...words: string[]) =>
    runCommand(home, ["--model", "mine/model", "--mode", "auto", "--output", "stream-json", ...words]);
  const asked = [
    await ask("-p", "Look at @open.txt and use what you have"),
    await ask("-p", "Look at @closed/plan.txt"),
    await ask("-p", "Look at @plan-link"),
    await ask("-p", "/review"),
    await ask("--attach", "closed/plan.txt", "-p", "Look"),
    await ask("--attach", "plan-link", "-p", "Look"),
  ];
  const said = asked.map(({ stdout, stderr }) => stdout + stderr).join("\n");
  expect(asked.map(({ code }) => code)).toEqual([3, 2, 2, 2, 2, 2]);
  expect(JSON.stringify(model.prompts) + said).not.toContain("CANARY");
  expect(JSON.stringify(model.prompts)).toContain("HARMLESS");
  expect(said).toContain("See reference.md.");
  expect(said).toContain("closed/plan.txt changes too, which is not shown");
  expect(said).toContain("+x = HARMLESS");
});
