/** The sources of server definitions, and what a person consents to. */

import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { filesRunBy } from "../../safety/ran/ran.ts";
import { bringsServers } from "./configured-files.ts";
import { configuredServers } from "./configured-servers.ts";
import type { McpServerSettings } from "./settings.ts";
import { temporaryPlace } from "./testing/servers.ts";

async function workspaceWith(files: Record<string, string>): Promise<string> {
  const place = await temporaryPlace();
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(place, path)), { recursive: true });
    await writeFile(join(place, path), text);
  }
  return place;
}

const none = {
  user: undefined,
  own: { servers: undefined, path: undefined },
  trust: { filesRun: async () => filesRunBy },
};

test("other agents' and editors' files are read, and the user's definition of a server takes precedence", async () => {
  const workspace = await workspaceWith({
    ".mcp.json":
      '{"mcpServers":{"a":{"command":"theirs"},"b":{"type":"http","url":"https://b.example/mcp"}}}',
    ".vscode/mcp.json": '{ // servers\n "inputs": [], "servers": {"c":{"type":"stdio","command":"c",},}, }',
    ".cursor/mcp.json":
      '{"mcpServers":{"d":{"command":"d","disabled":true},"e":{"url":"http://e.example/sse"}}}',
  });
  expect(bringsServers(workspace)).toBe(true);
  const { servers, problems } = await configuredServers({
    ...none,
    workspace,
    user: { a: { command: "mine", reads: true } },
  });
  expect(problems).toEqual([]);
  expect(servers.map(({ name, where, brought }) => [name, where, brought?.kind])).toEqual([
    ["a", "your configuration", undefined],
    ["b", ".mcp.json", "server"],
    ["c", ".vscode/mcp.json", "server"],
    ["e", ".cursor/mcp.json", "server"],
  ]);
  expect(servers[0]?.settings).toEqual({ command: "mine", reads: true });
});

test("C9: server formats of Gemini CLI, Codex, opencode and others are normalized to our settings", async () => {
  const workspace = await workspaceWith({
    ".gemini/settings.json":
      '{"theme":"x","mcpServers":{"g":{"httpUrl":"https://g.example/mcp","timeout":30000,"includeTools":["a"],"excludeTools":["b"],"trust":true}}}',
    ".codex/config.toml": `model = "gpt-5"

[mcp_servers.c]
command = "npx"
args = ["-y", "c-mcp"]
tool_timeout_sec = 90
startup_timeout_sec = 20

[mcp_servers.c.env]
LEVEL = "info"

[mcp_servers.far]
url = "https://far.example/mcp"
bearer_token_env_var = "FAR_TOKEN"
http_headers = { "X-Team" = "core" }
env_http_headers = { "X-Key" = "FAR_KEY" }

[mcp_servers.off]
command = "off"
enabled = false
`,
    "opencode.json": `{ "$schema": "https://opencode.ai/config.json", "mcp": {
      "o": { "type": "local", "command": ["bun", "x", "o-mcp"], "environment": { "A": "{env:A}" }, "enabled": true },
      "p": { "type": "remote", "url": "https://p.example/mcp" }, "inherited": { "enabled": false } } }`,
    ".mcp.json":
      '{"mcpServers":{"l":{"type":"local","command":"l","args":[],"tools":["*"],"timeout":60000}}}',
  });
  const { servers, problems } = await configuredServers({ ...none, workspace });
  expect(problems).toEqual([]);
  expect(servers.every(({ brought }) => brought?.kind === "server")).toBe(true);
  expect(servers.map(({ name, where, settings }) => [name, where, meantBy(settings)])).toEqual([
    ["l", ".mcp.json", { command: "l", args: [], tools: ["*"], timeout: 60 }],
    [
      "g",
      ".gemini/settings.json",
      { url: "https://g.example/mcp", timeout: 30, tools: ["a"], withoutTools: ["b"] },
    ],
    [
      "c",
      ".codex/config.toml",
      { command: "npx", args: ["-y", "c-mcp"], env: { LEVEL: "info" }, timeout: 90 },
    ],
    [
      "far",
      ".codex/config.toml",
      {
        url: "https://far.example/mcp",
        headers: { "X-Team": "core", "X-Key": "${FAR_KEY}", Authorization: "Bearer ${FAR_TOKEN}" },
      },
    ],
    ["o", "opencode.json", { command: "bun", args: ["x", "o-mcp"], env: { A: "{env:A}" } }],
    ["p", "opencode.json", { url: "https://p.example/mcp" }],
  ]);
});

/** The part of the settings that determines how a server is reached and used. */
const meantBy = ({ command, args, env, url, headers, tools, withoutTools, timeout }: McpServerSettings) =>
  Object.fromEntries(
    Object.entries({ command, args, env, url, headers, tools, withoutTools, timeout }).filter(
      ([, value]) => value !== undefined,
    ),
  );

const expected = 'where servers are expected as { "mcpServers": { "NAME": { "command": "PROGRAM" }';
test.each([
  ["no JSON", "{nonsense", "is no JSON object that can be read"],
  ["another shape", "[1, 2]", "is no JSON object that can be read"],
  ["a list of servers", '{"mcpServers":[{"name":"x","command":"x"}]}', `"mcpServers" is a list, ${expected}`],
  ["a text for servers", '{"mcpServers":"./servers.json"}', `"mcpServers" is a text, ${expected}`],
  ["null for servers", '{"mcpServers":null}', `"mcpServers" is null, ${expected}`],
  ["another editor's key", '{"servers":{"x":{"command":"x"}}}', 'has "servers", and no "mcpServers"'],
  [
    "a command that is none",
    '{"mcpServers":{"x":{"command":7}}}',
    '"x" is left out: its command must be a text',
  ],
  ["arguments that are none", '{"mcpServers":{"x":{"command":"x","args":"-y"}}}', "its args must be a list"],
  [
    "an unknown way",
    '{"mcpServers":{"x":{"type":"carrier","url":"y"}}}',
    "its type must be one of stdio, http",
  ],
  ["no way to it", '{"mcpServers":{"x":{"args":["y"]}}}', "it has neither a command nor a url: give it { "],
  ["a server in one word", '{"mcpServers":{"x":"npx y"}}', 'it is a text, where { "command": "PROGRAM" } or'],
  ["a server that is null", '{"mcpServers":{"x":null}}', "it is null, where {"],
  ["a name that hides something", '{"mcpServers":{"x\\u202e":{"command":"x"}}}', "its name is empty, longer"],
])("a file with %s is reported by name and yields no server to trust", async (_, text, words) => {
  const workspace = await workspaceWith({ ".mcp.json": text });
  const { servers, problems } = await configuredServers({ ...none, workspace });
  expect(servers).toEqual([]);
  expect(problems).toEqual([expect.stringMatching(/^\.mcp\.json/u)]);
  expect(problems[0]).toContain(words);
});

test("invalid servers do not affect valid ones in the same file, and the number of reports is bounded", async () => {
  const wrong = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`bad${at}`, at]));
  const text = JSON.stringify({ mcpServers: { good: { command: "x" }, ...wrong } });
  const workspace = await workspaceWith({ ".mcp.json": text, ".vscode/mcp.json": '{"inputs":[]}' });
  const { servers, problems } = await configuredServers({ ...none, workspace });
  expect(servers.map(({ name }) => name)).toEqual(["good"]);
  expect(problems).toHaveLength(11);
  expect(problems[10]).toBe(".mcp.json: … and 40 more like these.");
});

test("consent covers the command and its files' content, and a workspace's server cannot set `reads`", async () => {
  const settings = {
    command: "node",
    args: ["${workspaceFolder}/server.js", "--config=conf/a.json"],
    env: { KEY: "${KEY}" },
    reads: true,
  };
  const text = JSON.stringify({ mcpServers: { s: settings } });
  const workspace = await workspaceWith({ ".mcp.json": text, "server.js": "1", "conf/a.json": "{}" });
  const look = async () => (await configuredServers({ ...none, workspace })).servers[0];
  const first = await look();
  expect(first?.brought?.shows).toBe(
    'runs node "${workspaceFolder}/server.js" --config=conf/a.json\nwith KEY=${KEY}\nwhose content counts: conf/a.json\nwhose content counts: server.js',
  );
  expect(first?.settings).not.toHaveProperty("reads");
  expect((await look())?.brought).toEqual(first?.brought);
  await writeFile(join(workspace, "server.js"), "2");
  expect((await look())?.brought?.hash).not.toBe(first?.brought?.hash);
});

test("invalid TOML is reported with its file", async () => {
  const workspace = await workspaceWith({ ".codex/config.toml": "[mcp_servers.x\ncommand = 1" });
  const { servers, problems } = await configuredServers({ ...none, workspace });
  expect(servers).toEqual([]);
  expect(problems).toEqual([".codex/config.toml is no TOML that can be read: its servers are not there."]);
});
