/** Tests /agents, /mcp, /hooks, /permissions and /export in a conversation, on a runtime as the command builds it. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ScriptedAnswer } from "../../providers/scripted-model.ts";
import { enter, stageBuilt } from "./testing/conversation.ts";

test("with nothing configured each says so, and where it is written", async () => {
  const { say, leave } = await stageBuilt();
  await say("/agents", "There are no agents: .toolwright/agents/NAME.md defines one");
  await say("/hooks", "There are no hooks (docs/hooks.md).");
  await say("/mcp", "There are no tool servers.");
  await say(
    "/permissions",
    "The mode is ask (/mode); no rules of yours apply.",
    "Nothing was allowed for this session.",
    "Nothing is permanently allowed in",
  );
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
  await say("/permissions forget all", "There was nothing to forget.");
  await say("/permissions forget x", "Which grant should be revoked?");
  await leave();
});

test("what was allowed is listed as long as it holds: for the request only while it runs", async () => {
  const touch = (path: string): ScriptedAnswer => [{ call: "write_file", with: { path, content: "" } }];
  const { say, leave, terminal } = await stageBuilt([touch("a"), touch(".env"), [{ say: "Done." }]]);
  terminal.type(`Go${enter}`);
  await terminal.until("or type why not: ");
  terminal.type(`t${enter}`);
  await terminal.until(".env is a sensitive file");
  await terminal.until("or type why not: ");
  terminal.type(`/permissions${enter}`);
  await terminal.until("Allowed until this request ends:");
  await terminal.until("  every use of write_file");
  await terminal.until("or type why not: ");
  terminal.type(`s${enter}`);
  await terminal.until("Done.");
  await terminal.until("> ");
  await say("/permissions", "Allowed until this session ends:", "  write_file of .env");
  expect((await leave()).filter((line) => line.includes("every use of write_file"))).toHaveLength(1);
});

test("/export writes a page of the session, or what the file's name asks for; nothing is overwritten", async () => {
  const { say, leave, workspace } = await stageBuilt(
    [[{ call: "write_file", with: { path: "a.txt", content: "x\n" } }], [{ say: "**Written**." }]],
    { mode: "accept-edits" },
  );
  await say("write a", "Written");
  await say("/export", ".html (html).");
  await say("/export it.md", "is in it.md (markdown).");
  await say("/export it.md", "it exists already. Name another file.");
  await say("/export no/such/place.html", "there is no such file or directory. Name another file.");
  await leave();
  const [page = ""] = (await readdir(workspace)).filter((name) => name.endsWith(".html"));
  expect(page).toMatch(/^write-a-[\da-f]{6}\.html$/u);
  const text = await readFile(join(workspace, page), "utf8");
  expect(text).toContain("<strong>Written</strong>");
  expect(text).toContain('<span class="row add">+x</span>');
  expect(await readFile(join(workspace, "it.md"), "utf8")).toContain("**Written**");
});
