/** What a person's trust in a workspace's server covers: all its settings, and the content of the files it names. */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { judgingBounds } from "../../safety/bounds.ts";
import { filesRunBy } from "../../safety/ran/ran.ts";
import { temporaryWorkspace } from "../../testing/workspace.ts";
import { broughtBy, configuredServers } from "./configured-servers.ts";
import type { McpServerSettings } from "./settings.ts";

test.each<[string, McpServerSettings]>([
  ["as an argument", { command: "node", args: ["tools/server.js"] }],
  ["by the workspace's folder", { command: "node", args: ["${workspaceFolder}/tools/server.js"] }],
  ["within a line for a shell", { command: "sh", args: ["-c", "cd . && exec node tools/server.js"] }],
  ["behind cd", { command: "sh", args: ["-c", "cd tools && node server.js"] }],
  ["from another directory", { command: "node", args: ["server"], cwd: "tools" }],
  ["as an option's value", { command: "node", args: ["--require=./tools/server.js"] }],
  [
    "in a variable",
    { command: "node", args: ["-e", "1"], env: { NODE_OPTIONS: "--require ./tools/server.js" } },
  ],
])("SAFETY 1: the content of a file that is named %s is part of the trusted hash", async (_, settings) => {
  const workspace = await temporaryWorkspace({ "tools/server.js": "one", "other.js": "" });
  onTestFinished(() => workspace.remove());
  const brought = () =>
    broughtBy(
      { workspace: workspace.root, filesRun: filesRunBy },
      { name: "s", settings, where: ".mcp.json" },
    );
  const before = brought();
  expect(before?.shows).toContain("whose content counts: tools/server.js");
  await writeFile(join(workspace.root, "other.js"), "two");
  expect(brought()?.hash).toBe(before?.hash);
  await writeFile(join(workspace.root, "tools/server.js"), "two");
  expect(brought()?.hash).not.toBe(before?.hash);
});

test("SAFETY 1: the trusted hash covers an envFile's content and the files it names", async () => {
  const files = { ".env": "NODE_OPTIONS=--require ./tools/server.js\n", "tools/server.js": "one" };
  const workspace = await temporaryWorkspace(files);
  onTestFinished(() => workspace.remove());
  const settings = { command: "node", args: ["-e", "1"], envFile: "${workspaceFolder}/.env" };
  const brought = () =>
    broughtBy(
      { workspace: workspace.root, filesRun: filesRunBy },
      { name: "s", settings, where: ".mcp.json" },
    );
  const before = brought();
  expect(before?.shows).toContain("with the variables in ${workspaceFolder}/.env");
  expect(before?.files).toEqual([".env", "tools/server.js"]);
  await writeFile(join(workspace.root, "tools/server.js"), "two");
  const changed = brought();
  expect(changed?.hash).not.toBe(before?.hash);
  await writeFile(join(workspace.root, ".env"), "A=1\n");
  expect(brought()?.hash).not.toBe(changed?.hash);
});

test("SAFETY 1: a server whose command is too long to check cannot be trusted and is reported", async () => {
  const mcpServers = {
    s: { command: "node", args: ["x".repeat(judgingBounds.lineText.most)] },
    t: { command: "t" },
  };
  const workspace = await temporaryWorkspace({ ".mcp.json": JSON.stringify({ mcpServers }) });
  onTestFinished(() => workspace.remove());
  const place = {
    workspace: workspace.root,
    user: undefined,
    own: { servers: undefined, path: undefined },
    trust: { filesRun: async () => filesRunBy },
  };
  const { servers, problems } = await configuredServers(place);
  expect(servers.map(({ name }) => name)).toEqual(["t"]);
  expect(problems).toEqual([expect.stringContaining("the tool server s cannot be agreed to")]);
});
