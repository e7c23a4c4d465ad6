/** Tests /agents, /mcp, /hooks, /permissions and /export in a conversation, on a runtime as the command builds it. */

import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Config } from "../../configuration/config.ts";
import { scriptedModel, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import { startRuntime } from "../../runtime/runtime.ts";
import { testTerminal } from "../../tui/testing-terminal.ts";
import { testSettings } from "../testing-runtime.ts";
import { converseIn } from "./conversation.ts";
import { controlD, enter, lines } from "./testing-conversation.ts";

async function begin(
  script: readonly ScriptedAnswer[] = [],
  changes: Partial<Config> = {},
  files: Record<string, string> = {},
) {
  const root = await realpath(await mkdtemp(join(tmpdir(), "toolwright-addons-")));
  const workspace = join(root, "w");
  await mkdir(workspace);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(workspace, path, ".."), { recursive: true });
    await writeFile(join(workspace, path), text);
  }
  const settings = testSettings({
    workspace,
    stateDir: join(root, "s"),
    configDir: join(root, "c"),
    ...changes,
  });
  const started = await startRuntime(settings, {
    env: { HOME: root },
    interactive: true,
    model: scriptedModel(script),
    sandbox: async () => ({ kind: "none", because: "this is a test without one" }),
  });
  if (!started.ok) throw new Error(started.problem);
  onTestFinished(async () => {
    await started.value.close();
    await rm(root, { recursive: true, force: true });
  });
  const env = { NO_COLOR: "1", TERM: "xterm", HOME: root };
  const terminal = testTerminal({ terminal: true, env, cwd: workspace });
  const over = converseIn({ terminal, settings }, started.value, "");
  await terminal.until("> ");
  const say = async (text: string, ...marks: string[]): Promise<void> => {
    terminal.type(`${text}${enter}`);
    for (const mark of marks) await terminal.until(mark);
    await terminal.until("> ");
  };
  const leave = async (): Promise<string[]> => {
    terminal.type(controlD);
    await over;
    return lines(terminal);
  };
  return { say, leave, terminal, workspace };
}

test("with nothing configured each says so, and where it is written", async () => {
  const { say, leave } = await begin();
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
  const { say, leave } = await begin(
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

test("what was allowed for the session is listed", async () => {
  const touch = (path: string): ScriptedAnswer => [{ call: "write_file", with: { path, content: "" } }];
  const { say, leave, terminal } = await begin([touch("a"), [{ say: "Done." }]]);
  terminal.type(`Go${enter}`);
  await terminal.until("or type why not: ");
  terminal.type(`s${enter}`);
  await terminal.until("Done.");
  await terminal.until("> ");
  await say("/permissions", "Allowed for this session:");
  await leave();
});

test("/export writes a page of the session, or what the file's name asks for; nothing is overwritten", async () => {
  const { say, leave, workspace } = await begin(
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
