/**
 * `toolwright mcp` as other agents use it: the built command, the official clients of both generations, our own client.
 */

import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as EarlierStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel, type ModelScript } from "../src/providers/scripted-model.ts";
import { scale } from "../src/testing/scale.ts";
import { serveModel } from "../src/testing/scripted-server.ts";
import { commandFile, type Home, newHome, put, startCommand } from "./support/command.ts";

const times = Math.max(1, scale);

async function served(script: ModelScript): Promise<Record<string, string>> {
  const model = await serveModel(scriptedModel(script));
  onTestFinished(() => model.close());
  return { OLLAMA_HOST: model.url };
}

const started = (home: Home, env: Record<string, string> = {}, flags: readonly string[] = []) => ({
  command: process.execPath,
  args: [commandFile, "mcp", "-C", home.workspace, "--model", "ollama/scripted", ...flags],
  env: { ...home.env, ...env },
});

async function connected(home: Home, env: Record<string, string> = {}, flags: readonly string[] = []) {
  const client = new Client({ name: "judge", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  const transport = new StdioClientTransport({ ...started(home, env, flags), stderr: "pipe" });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return { client, transport };
}

const words = (result: unknown): string => JSON.stringify(result);

test("the official client runs a task, reads the session, and undoes the change", async () => {
  const home = await newHome({ "a.txt": "one\n" });
  const env = await served([
    [{ call: "edit_file", with: { path: "a.txt", edits: [{ old: "one", new: "two" }] } }],
    [{ say: "Changed." }],
  ]);
  const { client } = await connected(home, env, ["--mode", "accept-edits"]);
  const result = await client.callTool({ name: "run_task", arguments: { prompt: "Change one to two" } });
  expect(result.structuredContent).toMatchObject({
    stopped: "done",
    text: "Changed.",
    changed: [{ path: "a.txt" }],
  });
  expect(await readFile(join(home.workspace, "a.txt"), "utf8")).toBe("two\n");
  const { resources } = await client.listResources();
  expect(words(await client.readResource({ uri: resources[0]?.uri ?? "" }))).toContain("Changed.");
  await client.callTool({ name: "undo_changes", arguments: { session: resources[0]?.name ?? "" } });
  expect(await readFile(join(home.workspace, "a.txt"), "utf8")).toBe("one\n");
});

test("the SDK of the earlier protocol works with the server, and its user is asked for approval", async () => {
  const home = await newHome({ "a.txt": "one\n" });
  const capabilities = { elicitation: {} };
  const client = new EarlierClient({ name: "earlier", version: "1.0.0" }, { capabilities });
  const { ElicitRequestSchema } = await import("@modelcontextprotocol/sdk/types.js");
  const asked: string[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params.message);
    return { action: "accept", content: { answer: "allow" } };
  });
  onTestFinished(() => client.close());
  await client.connect(new EarlierStdio({ ...started(home), stderr: "ignore" }));
  expect((await client.listTools()).tools.length).toBeGreaterThan(10);
  const written = await client.callTool({ name: "write_file", arguments: { path: "b.txt", content: "b\n" } });
  expect(written.isError ?? false).toBe(false);
  expect(asked).toEqual([expect.stringContaining("+b")]);
  expect(await readFile(join(home.workspace, "b.txt"), "utf8")).toBe("b\n");
  const ran = await client.callTool({ name: "run_command", arguments: { command: "cat a.txt" } });
  expect(words(ran)).toContain("one");
});

test("tools work without a model, and only run_task fails for lack of one", async () => {
  const home = await newHome({ "a.txt": "one\n" });
  const { client } = await connected(home);
  expect(words(await client.callTool({ name: "read_file", arguments: { path: "a.txt" } }))).toContain("one");
  const task = await client.callTool({ name: "run_task", arguments: { prompt: "Anything" } });
  expect(task.isError).toBe(true);
  expect(words(task)).toContain("ollama");
});

test("two clients work at once over HTTP, and a wrong token is refused", async () => {
  const home = await newHome({ "a.txt": "one\n" });
  const running = startCommand(home, [...started(home).args.slice(1), "--port", "0"]);
  let said = "";
  running.child.stderr?.on("data", (text: string) => (said += text));
  while (!said.includes("/mcp")) await after(10);
  const url = new URL(/http:\S+\/mcp/u.exec(said)?.[0] ?? "");
  const token = (await readFile(join(home.stateDir, "mcp-token"), "utf8")).trim();
  const connect = async (authorization: string, mode: "auto" | "legacy") => {
    const client = new Client({ name: "judge", version: "1.0.0" }, { versionNegotiation: { mode } });
    onTestFinished(() => client.close());
    await client.connect(
      new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization } } }),
    );
    return client;
  };
  const clients = await Promise.all([
    connect(`Bearer ${token}`, "auto"),
    connect(`Bearer ${token}`, "legacy"),
  ]);
  const results = await Promise.all(
    clients.map((client) => client.callTool({ name: "read_file", arguments: { path: "a.txt" } })),
  );
  for (const result of results) expect(words(result)).toContain("one");
  await expect(connect("Bearer nonsense", "legacy")).rejects.toThrow();
  running.child.kill("SIGTERM");
  expect((await running.ended).code).toBe(0);
  expect((await running.ended).stdout).toBe("");
});

test(`${1_000 * times} concurrent calls are all answered or refused, in few sessions`, async () => {
  const home = await newHome({ "a.txt": "one\n" });
  const { client } = await connected(home);
  const count = 1_000 * times;
  const calls = Array.from({ length: count }, () =>
    client.callTool({ name: "read_file", arguments: { path: "a.txt" } }, { timeout: 120_000 * times }),
  );
  const results = await Promise.all(calls);
  const answered = results.filter((result) => words(result).includes("one"));
  const refused = results.filter((result) => words(result).includes("calls wait already"));
  expect(answered.length + refused.length).toBe(count);
  expect(answered.length).toBeGreaterThanOrEqual(Math.min(count, 1_000));
  expect(new Set(answered.map(({ _meta }) => _meta?.["toolwright/session"])).size).toBeLessThan(5);
});

test("when standard input closes, the server and its running commands end promptly", async () => {
  const home = await newHome();
  const { command, args, env } = started(home, {}, ["--mode", "auto"]);
  const child = spawn(command, args, { env, stdio: ["pipe", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "raw", version: "1" },
  };
  send({ id: 1, method: "initialize", params });
  send({ method: "notifications/initialized" });
  const call = { name: "run_command", arguments: { command: "sleep 300 & echo begun; sleep 300" } };
  send({ id: 2, method: "tools/call", params: { ...call, _meta: { progressToken: "t" } } });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  while (!out.includes("progress") && !out.includes('"id":2')) await after(10);
  child.stdin.end();
  expect(await ended).toBe(0);
  for (const line of out.trim().split("\n")) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  expect(err).not.toContain("did not end in time");
});

test("Toolwright's client uses Toolwright's server like any other tool server", async () => {
  const home = await newHome({ "a.txt": "one\n" });
  const other = await newHome({ "b.txt": "from the other side\n" });
  const env = await served([
    [{ call: "mcp__other__read_file", with: { path: "b.txt" } }],
    [{ say: "Read." }],
  ]);
  const settings = {
    mcpServers: { other: started(other) },
    rules: [{ tool: "mcp__*", decision: "allow" }],
  };
  await put(home.root, { "config/toolwright/config.json": JSON.stringify(settings) });
  const flags = ["-p", "Read it", "--model", "ollama/scripted", "--output", "json"];
  const used = await startCommand(home, flags, { env }).ended;
  expect(used.stdout).toContain('"stopped":"done"');
  const facts = await startCommand(
    home,
    ["sessions", "export", JSON.parse(used.stdout).session, "--format", "json"],
    { env },
  ).ended;
  expect(facts.stdout).toContain("from the other side");
});
