/** Tests /agents, /mcp, /hooks and /export in a conversation, on a runtime as the command builds it. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stageBuilt } from "./testing/conversation.ts";

test("with nothing configured each says so, and where it is written", async () => {
  const { say, leave } = await stageBuilt();
  await say("/agents", "There are no agents: .toolwright/agents/NAME.md defines one");
  await say("/hooks", "There are no hooks (docs/hooks.md).");
  await say("/mcp", "There are no tool servers.");
  await leave();
});

test("what there is is listed: agents, hooks, tool servers that do not start, rules", async () => {
  const hooks = [{ on: "turn-end" as const, command: "true" }];
  const { say, leave } = await stageBuilt(
    [],
    {
      addons: { user: { hooks, mcpServers: { broken: { command: "/nowhere/server" } } }, workspace: {} },
      rules: [{ name: "user", rules: [{ tool: "read_file", decision: "allow" }] }],
    },
    { ".toolwright/agents/tester.md": "---\nname: tester\ndescription: Runs the tests\n---\nRun them." },
  );
  await say("/agents", "  tester  Runs the tests");
  await say("/hooks", "  turn-end  a line of the user's configuration");
  await say("/mcp", "broken  ");
  await say("/mcp login nobody", "nobody");
  await say("/permissions", "rules of yours that apply: 1.");
  await leave();
});

test("/export writes a page of the session, or what the file's name asks for; nothing is overwritten", async () => {
  const { say, leave, workspace } = await stageBuilt(
    [[{ call: "write_file", with: { path: "a.txt", content: "x\n" } }], [{ say: "**Written**." }]],
    { mode: "accept-edits" },
  );
  await say("write a", "Written");
  await say("/export", ".html (html).");
  await say("/export", "-2.html (html).");
  await say("/export it.md", "is in it.md (markdown).");
  await say("/export it.md", "it exists already. Name another file.");
  await say("/export no/such/place.html", "there is no such file or directory. Name another file.");
  await leave();
  const pages = (await readdir(workspace)).filter((name) => name.endsWith(".html"));
  const [page = ""] = pages.filter((name) => !name.endsWith("-2.html"));
  expect(pages).toHaveLength(2);
  expect(page).toMatch(/^write-a-[\da-f]{6}\.html$/u);
  const text = await readFile(join(workspace, page), "utf8");
  expect(text).toContain("<strong>Written</strong>");
  expect(text).toContain('<span class="row add">+x</span>');
  expect(await readFile(join(workspace, "it.md"), "utf8")).toContain("**Written**");
});
