/** Tool servers as people use them: the official ones from npm, over stdio and HTTP, in whole sessions. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { McpServers } from "../src/addons/mcp/settings.ts";
import type { Trust } from "../src/addons/trust.ts";
import { stopTree } from "../src/base/process-tree.ts";
import { childEnvironment } from "../src/base/process.ts";
import type { Entry } from "../src/protocol/facts.ts";
import { scriptedModel, type ModelScript, type ScriptedAnswer } from "../src/providers/scripted-model.ts";
import { addonsOf } from "../src/runtime/addons/addons.ts";
import { filesRunBy } from "../src/safety/ran/ran.ts";
import { serveModel } from "../src/testing/scripted-server.ts";
import { testSession, type TestSessionOptions } from "../src/testing/session.ts";
import { temporaryWorkspace } from "../src/testing/workspace.ts";
import { newHome, put, startCommand } from "./support/command.ts";
import { processesCarrying } from "./support/processes.ts";

const bin = (name: string): string => join(import.meta.dirname, "..", "node_modules", ".bin", name);
const everything = { command: bin("mcp-server-everything"), args: ["stdio"] };

const trustsAll: Trust = { allows: () => true, filesRun: async () => filesRunBy, waiting: () => [] };

type Options = TestSessionOptions & { servers?: McpServers; trust?: Trust };

async function start(
  script: ModelScript,
  { servers = {}, trust = trustsAll, files = {}, ...options }: Options,
) {
  const stateDir = await realpath(await mkdtemp(join(tmpdir(), "toolwright-mcp-")));
  const workspace = await temporaryWorkspace(files);
  const environment = childEnvironment(process.env);
  const addons = addonsOf({
    configured: { user: { mcpServers: servers }, workspace: {} },
    workspace: workspace.root,
    stateDir,
    configDir: join(stateDir, "config"),
    home: stateDir,
    environment,
    withheld: () => undefined,
    trust,
  });
  const model = scriptedModel(script);
  const opened = await testSession(model, { ...options, workspace, addons });
  onTestFinished(async () => {
    await opened.close();
    await workspace.remove();
    await rm(stateDir, { recursive: true, force: true });
  });
  return { ...opened, model };
}

const call = (name: string, input: Record<string, string | number | boolean>): ScriptedAnswer => [
  { call: name, with: input },
];
const done: ScriptedAnswer = [{ say: "Done." }];

const results = (facts: readonly Entry[]) =>
  facts.flatMap((fact) => (fact.type === "result" ? [{ outcome: fact.outcome, content: fact.content }] : []));
const words = (facts: readonly Entry[]): string[] =>
  results(facts).map(
    ({ outcome, content }) =>
      `${outcome}: ${content.map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`)).join("\n")}`,
  );

test("the official everything server works over stdio: text, images, structured content, progress, resources", async () => {
  const { ask, facts, model } = await start(
    [
      call("mcp__everything__echo", { message: "hello" }),
      call("mcp__everything__get-tiny-image", {}),
      call("mcp__everything__get-structured-content", { location: "New York" }),
      call("mcp__everything__trigger-long-running-operation", { duration: 1, steps: 2 }),
      call("read_resource", { server: "everything" }),
      done,
    ],
    { servers: { everything } },
  );
  await ask("Try the tools");
  const told = model.prompts[0]?.tools.map(({ name }) => name) ?? [];
  expect(told).toContain("mcp__everything__echo");
  const said = words(facts());
  expect(said[0]).toBe("ok: Echo: hello");
  expect(said[1]).toContain("[image/png]");
  expect(said[2]).toMatch(/temperature/u);
  expect(said[3]).toMatch(/^ok: .*completed/u);
  expect(said[4]).toMatch(/^ok: .*:\/\//u);
  const asked = facts().filter(({ type }) => type === "approval-asked");
  expect(asked.length).toBeGreaterThanOrEqual(4);
  expect(facts().some((fact) => fact.type === "context-added" && fact.from === "server")).toBe(true);
});

test("the official filesystem server reads and writes in its directory, and its refusal outside is reported", async () => {
  const place = await realpath(await mkdtemp(join(tmpdir(), "toolwright-mcp-files-")));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  await writeFile(join(place, "a.txt"), "first line\n");
  const { ask, facts } = await start(
    [
      call("mcp__files__read_text_file", { path: join(place, "a.txt") }),
      call("mcp__files__write_file", { path: join(place, "b.txt"), content: "written" }),
      call("mcp__files__read_text_file", { path: "/etc/passwd" }),
      done,
    ],
    {
      servers: { files: { command: bin("mcp-server-filesystem"), args: [place], reads: true, roots: false } },
    },
  );
  await ask("Look at the files");
  const said = words(facts());
  expect(said[0]).toBe("ok: first line\n");
  expect(said[1]).toMatch(/^ok: Successfully wrote/u);
  expect(said[2]).toMatch(/^failed: .*Access denied/u);
  expect(readFileSync(join(place, "b.txt"), "utf8")).toBe("written");
  // Tools that the server declares as read-only run without approval, because the user allows it.
  expect(facts().filter(({ type }) => type === "approval-asked")).toHaveLength(1);
});

test.each(["streamableHttp", "sse"])("the official everything server works over HTTP: %s", async (way) => {
  const url = await everythingOverHttp(way);
  const { ask, facts } = await start(
    [call("mcp__web__echo", { message: "over HTTP" }), call("mcp__web__get-sum", { a: 2, b: 40 }), done],
    { servers: { web: { url } } },
  );
  await ask("Try");
  expect(words(facts())).toEqual(["ok: Echo: over HTTP", expect.stringMatching(/^ok: .*42/u)]);
});

async function everythingOverHttp(way: string): Promise<string> {
  const port = await freePort();
  const child = spawn(process.execPath, [bin("mcp-server-everything"), way], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  onTestFinished(() => stopTree(child.pid));
  const listens = Promise.withResolvers<void>();
  child.stderr.on("data", (words) => {
    if (/listening|running/u.test(String(words))) listens.resolve();
  });
  await listens.promise;
  return `http://127.0.0.1:${port}/${way === "sse" ? "sse" : "mcp"}`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address ? address.port : 0;
}

const hostile = join(import.meta.dirname, "..", "src", "addons", "mcp", "testing", "server.ts");
const hostileServer = (behaviour: string, ...more: string[]) => ({
  command: process.execPath,
  args: ["--no-warnings", hostile, behaviour, ...more],
});

test("with 300 tools the model is shown few, finds the one it needs by search, and calls it", async () => {
  const { ask, facts, model } = await start(
    [call("search_tools", { query: "invoices" }), call("mcp__many__tool_123", { words: "found" }), done],
    { servers: { many: hostileServer("many") } },
  );
  await ask("Do the thing with the invoices");
  expect(words(facts())[1]).toBe('ok: {"words":"found"}');
  const told = model.prompts.map(({ tools }) =>
    tools.filter(({ name }) => name.startsWith("mcp__")).map(({ name }) => name),
  );
  expect(told).toEqual([[], ["mcp__many__tool_123"], ["mcp__many__tool_123"]]);
});

test("a server that crashes or hangs in a call does not end the turn", async () => {
  const { ask, facts } = await start(
    [call("mcp__s__crash", {}), call("mcp__s__echo", { words: "at once" }), call("mcp__h__hang", {}), done],
    { servers: { s: hostileServer("good"), h: { ...hostileServer("good"), timeout: 1 } } },
  );
  await ask("Try");
  const said = words(facts());
  expect(said[0]).toMatch(
    /^failed: The server s is not running \(it ended with exit code 9; its last words: out of memory\)/u,
  );
  expect(said[1]).toMatch(/^(?:failed: The server s is not|ok: )/u);
  expect(said[2]).toMatch(/^timeout: The server h gave no answer for 1 s/u);
  expect(facts().at(-1)).toMatchObject({ type: "turn-end", stopped: "done" });
  expect(
    facts().some((fact) => fact.type === "warning" && fact.text.includes("The tool server s is not running")),
  ).toBe(true);
});

test("plan mode denies a tool that changes something, and a rule for all tools of a server applies", async () => {
  const script = [call("mcp__s__echo", { words: "x" }), done];
  const planned = await start(script, { servers: { s: hostileServer("good") }, mode: "plan" });
  await planned.ask("Try");
  expect(words(planned.facts())[0]).toMatch(/^denied: .*plan/u);
  const rules = [{ name: "user", rules: [{ tool: "mcp__s__*", decision: "allow" as const }] }];
  const ruled = await start(script, { servers: { s: hostileServer("good") }, rules });
  await ruled.ask("Try");
  expect(words(ruled.facts())[0]).toMatch(/^ok/u);
  expect(ruled.facts().some(({ type }) => type === "approval-asked")).toBe(false);
  const denied = await start(script, {
    servers: { s: hostileServer("good") },
    rules: [{ name: "user", rules: [{ tool: "mcp__*", decision: "deny" as const }] }],
  });
  await denied.ask("Try");
  expect(words(denied.facts())[0]).toMatch(/^denied/u);
});

test("an untrusted workspace starts no server; a trusted one starts exactly the server that was reviewed", async () => {
  const place = await realpath(await mkdtemp(join(tmpdir(), "toolwright-mcp-brought-")));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  const log = join(place, "starts");
  const bring = (name: string) =>
    JSON.stringify({ [name]: { brought: { ...hostileServer("good", log), reads: true } } });
  const files = {
    ".mcp.json": bring("mcpServers"),
    ".vscode/mcp.json": `{ // servers of an editor\n${bring("servers").slice(1)}`,
    ".cursor/mcp.json": bring("mcpServers"),
  };
  const seen: { shows: string; hash: string; where: string }[] = [];
  const nothing: Trust = {
    allows: (thing) => seen.push(thing) < 0,
    filesRun: async () => filesRunBy,
    waiting: () => [],
  };
  const untrusted = await start([done], { files, trust: nothing });
  await untrusted.ask("Hello");
  expect(() => readFileSync(log)).toThrow("ENOENT");
  expect(untrusted.model.prompts[0]?.tools.some(({ name }) => name.startsWith("mcp__"))).toBe(false);
  const [first] = seen;
  expect(first?.where).toBe(".mcp.json");
  expect(first?.shows).toContain(hostile);
  const some: Trust = {
    allows: ({ hash }) => hash === first?.hash,
    filesRun: async () => filesRunBy,
    waiting: () => [],
  };
  const trusted = await start([call("mcp__brought__echo", { words: "x" }), done], { files, trust: some });
  await trusted.ask("Try");
  expect(words(trusted.facts())[0]).toMatch(/^ok/u);
  // A workspace cannot declare its own tools as read-only.
  expect(trusted.facts().some(({ type }) => type === "approval-asked")).toBe(true);
  const other = { ".mcp.json": bring("mcpServers").replace('"good"', '"stays"') };
  const changed = await start([done], { files: other, trust: some });
  await changed.ask("Hello");
  expect(
    readFileSync(log, "utf8")
      .split("\n")
      .filter((line) => line !== ""),
  ).toHaveLength(1);
});

test("an approval for the session covers a tool only until its definition changes", async () => {
  const echo = call("mcp__s__echo", { words: "x" });
  const last: ScriptedAnswer[] = [echo, done];
  const isWarned = (): boolean =>
    opened.facts().some((fact) => fact.type === "warning" && fact.text.includes("has changed what it says"));
  const look = (): ScriptedAnswer => [
    { wait: new Promise((next) => setTimeout(next, 100)) },
    { call: "list_files", with: { path: "." } },
  ];
  const opened = await start(
    (_prompt, round) => {
      if (round <= 2) return echo;
      if (round === 3) return call("mcp__s__change", {});
      return isWarned() ? (last.shift() ?? done) : look();
    },
    { servers: { s: hostileServer("changing") }, maxRounds: 100 },
  );
  const leave = opened.session.log.listen((event) => {
    if (event.type !== "approval-asked") return;
    const answer = {
      type: "answer-approval",
      callId: event.callId,
      answer: "allow",
      scope: "session",
      by: "me",
    } as const;
    queueMicrotask(() => void opened.session.command(answer));
  });
  await opened.session.command({ type: "send", content: [{ type: "text", text: "Go" }] });
  await opened.session.log.until((entry) => entry.type === "turn-end", new AbortController().signal);
  leave();
  const asked = opened.facts().flatMap((fact) => (fact.type === "approval-asked" ? [fact] : []));
  expect(asked.map(({ title }) => title.split(" ")[1])).toEqual(["echo", "change", "echo"]);
  expect(asked[0]?.preview).toBe('s: echo\n{\n  "words": "x"\n}');
  expect(asked[0]?.scopes).toEqual(["once", "turn", "session", "project"]);
});

test("the command lists and uses servers, and leaves no process behind, even when killed", async () => {
  const home = await newHome();
  const mark = `MCP_TEST_MARK=${home.root}`;
  const [, value = ""] = mark.split("=");
  const servers = {
    everything: { ...everything, env: { MCP_TEST_MARK: value } },
    stays: { ...hostileServer("stays"), env: { MCP_TEST_MARK: value } },
    broken: { ...hostileServer("crash-at-start"), env: { MCP_TEST_MARK: value } },
    lost: { command: "x", env: { KEY: "${NO_SUCH_KEY_HERE}" } },
  };
  await put(home.root, { "config/toolwright/config.json": JSON.stringify({ mcpServers: servers }) });
  const listed = await startCommand(home, ["mcp", "list"]).ended;
  expect(listed.stderr).toBe("");
  expect(listed.stdout).toMatch(/everything {2}ready/u);
  expect(listed.stdout).toContain("mcp__everything__echo");
  expect(listed.stdout).toMatch(
    /broken {2}failed: it ended with exit code 3; its last words: the key is missing/u,
  );
  expect(listed.stdout).toMatch(/lost {2}misconfigured: the variable NO_SUCH_KEY_HERE is not set/u);
  expect(listed.code).toBe(1);
  expect(processesCarrying(mark)).toEqual([]);

  const gate = Promise.withResolvers<void>();
  const model = scriptedModel((_prompt, round) =>
    round === 1
      ? call("mcp__everything__echo", { message: "hi" })
      : round === 2
        ? done
        : [{ wait: gate.promise }, { say: "late" }],
  );
  const served = await serveModel(model);
  onTestFinished(() => served.close());
  const env = { OLLAMA_HOST: served.url };
  const rules = { mcpServers: servers, rules: [{ tool: "mcp__*", decision: "allow" }] };
  await put(home.root, { "config/toolwright/config.json": JSON.stringify(rules) });
  const usedArgs = ["-p", "Say hi", "--model", "ollama/scripted", "--output", "stream-json"];
  const used = await startCommand(home, usedArgs, { env }).ended;
  expect(used.stdout).toContain('everything: Echo Tool {\\"message\\":\\"hi\\"}');
  expect(processesCarrying(mark)).toEqual([]);

  const killed = startCommand(home, ["-p", "Wait", "--model", "ollama/scripted", "--output", "json"], {
    env,
  });
  while (served.requests.filter(({ path }) => path.includes("chat")).length < 3)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(processesCarrying(mark).length).toBeGreaterThan(0);
  killed.child.kill("SIGKILL");
  await killed.ended;
  await expect.poll(() => processesCarrying(mark)).toEqual([]);
  gate.resolve();
});
