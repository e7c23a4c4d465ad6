/** Tests `toolwright mcp list`, `login` and `accept` as whole commands in a throw-away home. */

import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { McpServers } from "../addons/mcp/settings.ts";
import { oauthServer } from "../addons/mcp/testing/oauth.ts";
import { testServer } from "../addons/mcp/testing/servers.ts";
import { testTerminal } from "../tui/testing/terminal.ts";
import { runCli } from "./main.ts";

async function homeWith(mcpServers: McpServers, files: Record<string, string> = {}) {
  const home = await realpath(await mkdtemp(join(tmpdir(), "toolwright-mcp-")));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const work = join(home, "work");
  await mkdir(work);
  await mkdir(join(home, ".config", "toolwright"), { recursive: true });
  await writeFile(join(home, ".config", "toolwright", "config.json"), JSON.stringify({ mcpServers }));
  for (const [path, text] of Object.entries(files)) await writeFile(join(work, path), text);
  const start = (argv: string[], env: Record<string, string> = {}) => {
    const terminal = testTerminal({
      env: { HOME: home, PATH: process.env["PATH"] ?? "", ...env },
      cwd: work,
    });
    return { terminal, ended: runCli(["mcp", ...argv], terminal) };
  };
  const run = async (argv: string[], env: Record<string, string> = {}) => {
    const { terminal, ended } = start(argv, env);
    const code = await ended;
    return { code, out: terminal.printed(), err: terminal.reported() };
  };
  return { run, start };
}

test("list shows each server, what it offers, and what awaits approval", async () => {
  const brought = JSON.stringify({ mcpServers: { theirs: { command: "no-such-program" } } });
  const { run } = await homeWith(
    { mine: { ...testServer("good"), reads: ["echo"] } },
    { ".mcp.json": brought },
  );
  const { code, out, err } = await run(["list"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^mine {2}ready: hostile\n/u);
  expect(out).toContain("  mcp__mine__echo  only reads\n");
  expect(out).toContain("  resources: 1\n  prompts: /mine:greet\n");
  expect(out).toContain("theirs  untrusted: nobody has agreed to it yet: see `toolwright trust`");
  const json: unknown = JSON.parse((await run(["list", "--output", "json"])).out);
  expect(json).toMatchObject([
    { name: "mine", state: "ready", prompts: ["mine:greet"] },
    { name: "theirs", state: "untrusted", tools: [] },
  ]);
});

test("login shows the address to open, and afterwards the server's tools are available", async () => {
  const server = await oauthServer();
  onTestFinished(() => server.close());
  const { run, start } = await homeWith({ closed: { url: server.url } });
  expect((await run(["list"])).out).toContain("closed  login: log in with `toolwright mcp login closed`");
  const { terminal, ended } = start(["login", "closed"]);
  await terminal.until("\n\n  http");
  await terminal.until("\n\n");
  const address = /^ {2}(http\S+)$/mu.exec(terminal.printed())?.[1] ?? "";
  await fetch(address);
  expect(await ended).toBe(0);
  expect(terminal.printed()).toContain("Logged in at closed.\n");
  expect((await run(["list"])).out).toContain("mcp__closed__whoami");
});

test("accept approves the changes of a server's tools", async () => {
  const args = testServer("good").args ?? [];
  const { run } = await homeWith({
    s: { command: process.execPath, args: [...args.slice(0, 2), "${BEHAVIOUR}"] },
  });
  await run(["list"], { BEHAVIOUR: "good" });
  expect((await run(["list"], { BEHAVIOUR: "changed" })).out).toContain(
    "has changed since it was first used",
  );
  expect(await run(["accept", "s"], { BEHAVIOUR: "changed" })).toEqual({
    code: 0,
    out: "Approved as they are now: echo.\n",
    err: "",
  });
  expect((await run(["list"], { BEHAVIOUR: "changed" })).out).not.toContain("has changed");
});

test("list and add explain what to write to add a server, and where", async () => {
  const { run } = await homeWith({});
  const { out, code } = await run(["list"]);
  expect(code).toBe(0);
  expect(out).toMatch(
    /^There are no tool servers\. Tool servers are added in \S+config\.json: put \{"mcpServers"/u,
  );
  const { err } = await run(["add", "files", "--", "npx", "-y", "files-mcp"]);
  expect(err).toContain('put {"mcpServers":{"files":{"command":"npx","args":["-y","files-mcp"]}}} there');
  expect((await run(["add", "far", "https://far.example/mcp"])).err).toContain(
    '{"far":{"url":"https://far.example/mcp"}}',
  );
});

test.each([
  [["nonsense"], 2, "There is no toolwright mcp nonsense"],
  [["login"], 2, "Which server?"],
  [["login", "a", "b"], 2, "takes one name"],
  [["login", "nobody"], 1, 'There is no tool server "nobody". None are configured.'],
  [["accept", "nobody"], 1, "There is no tool server"],
  [["list", "more"], 2, "takes no further arguments"],
])("%j is rejected with an explanation", async (argv, code, words) => {
  const { run } = await homeWith({});
  const ran = await run(argv);
  expect(ran.code).toBe(code);
  expect(ran.err).toContain(words);
});
