/**
 * `toolwright acp` as editors use it: the built command over its standard input and output, driven by somebody else's
 * client (acpx), by the official SDK, and by input that no client should send.
 */

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { isObject } from "../src/base/json.ts";
import { scriptedModel, type ModelScript } from "../src/providers/scripted-model.ts";
import { messageChecker } from "../src/testing/editor.ts";
import { serveModel } from "../src/testing/scripted-server.ts";
import { commandFile, type Home, newHome, startCommand } from "./support/command.ts";

const run = promisify(execFile);
const acpx = join(import.meta.dirname, "..", "node_modules", ".bin", "acpx");
const edit = { path: "a.txt", edits: [{ old: "one", new: "two" }] };

/** Asked again it edits again. */
const editing: ModelScript = (_, round) =>
  round % 2 === 1 ? [{ say: "I change it." }, { call: "edit_file", with: edit }] : [{ say: "Done." }];

async function stage(
  script: ModelScript,
): Promise<{ home: Home; env: Record<string, string>; agent: string }> {
  const home = await newHome({ "a.txt": "one\n" });
  const model = await serveModel(scriptedModel(script));
  onTestFinished(() => model.close());
  const env = { ...home.env, OLLAMA_HOST: model.url };
  return { home, env, agent: `${process.execPath} ${commandFile} acp --model ollama/scripted` };
}

/** What acpx prints; its own agents end with it. */
async function acpxRuns(
  { home, env, agent }: Awaited<ReturnType<typeof stage>>,
  ...words: string[]
): Promise<string> {
  const flags = ["--agent", agent, "--cwd", home.workspace];
  const ran = run(acpx, [...flags, ...words], { env, cwd: home.workspace });
  // It ends with an error where something was denied.
  const { stdout } = await ran.catch((error: unknown) => (isObject(error) ? error : { stdout: "" }));
  return String(stdout);
}

const text = (home: Home): Promise<string> => readFile(join(home.workspace, "a.txt"), "utf8");

test("acpx gives a task, allows its change, and prints the answer", async () => {
  const made = await stage(editing);
  const said = await acpxRuns(made, "--approve-all", "exec", "change one to two");
  expect(said).toContain("I change it.");
  expect(said).toContain("[tool] Edit a.txt (completed)");
  expect(said).toContain("[done] end_turn");
  expect(await text(made.home)).toBe("two\n");
});

test("acpx denies the change, and every message of both directions follows the protocol's schema", async () => {
  const made = await stage(editing);
  const wire = await acpxRuns(made, "--deny-all", "--format", "json", "exec", "change one to two");
  expect(await text(made.home)).toBe("one\n");
  const check = messageChecker();
  // It prints what goes over the wire without saying who sent it; a request of the editor is one of the agent's methods.
  for (const line of wire.trim().split("\n")) {
    const message: unknown = JSON.parse(line);
    check(message, isFromEditor(message) ? "client" : "agent");
  }
  expect(wire).toContain('"optionId":"deny"');
  expect(wire).toContain('"stopReason":"end_turn"');
});

const ofEditor = /^(?:initialize|session\/(?:new|load|prompt|cancel|set_\w+|list|resume|close|delete))$/u;

function isFromEditor(message: unknown): boolean {
  if (!isObject(message)) return false;
  const { method, result } = message;
  if (typeof method === "string") return ofEditor.test(method);
  return isObject(result) && "outcome" in result;
}

test("acpx keeps a session over several runs, sets its mode, and lists it", async () => {
  const made = await stage((_, round) => (round === 1 ? [{ say: "First." }] : [{ say: "Again." }]));
  await acpxRuns(made, "sessions", "new", "--name", "work");
  onTestFinished(async () => void (await acpxRuns(made, "sessions", "close", "work").catch(() => "")));
  expect(await acpxRuns(made, "set-mode", "-s", "work", "plan")).toContain("plan");
  expect(await acpxRuns(made, "--ttl", "5", "prompt", "-s", "work", "begin")).toContain("First.");
  expect(await acpxRuns(made, "--ttl", "5", "prompt", "-s", "work", "go on")).toContain("Again.");
  expect(await acpxRuns(made, "sessions", "list")).toContain("work");
});

test("acpx cancels a task from another run, and the session goes on with the next", async () => {
  const [asked, never] = [Promise.withResolvers<void>(), new Promise<never>(() => undefined)];
  const made = await stage((_, round) => {
    if (round > 1) return [{ say: "Again." }];
    asked.resolve();
    return [{ say: "I begin." }, { wait: never }];
  });
  await acpxRuns(made, "sessions", "new", "--name", "work");
  onTestFinished(async () => void (await acpxRuns(made, "sessions", "close", "work").catch(() => "")));
  const begun = acpxRuns(made, "--ttl", "20", "prompt", "-s", "work", "begin");
  await asked.promise;
  expect(await acpxRuns(made, "cancel", "-s", "work")).toContain("cancel requested");
  expect(await begun).toContain("[done] cancelled");
  expect(await acpxRuns(made, "--ttl", "5", "prompt", "-s", "work", "go on")).toContain("Again.");
});

/** The agent with its wires in our hands. */
async function rawAgent({ home, env }: Awaited<ReturnType<typeof stage>>) {
  const child = spawn(process.execPath, [commandFile, "acp", "--model", "ollama/scripted"], {
    env,
    cwd: home.workspace,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<Record<string, unknown>> => {
    const { value, done } = await lines.next();
    if (done) throw new Error("The agent said nothing more.");
    const message: unknown = JSON.parse(value);
    return isObject(message) ? message : {};
  };
  const send = (message: unknown): void =>
    void child.stdin.write(
      typeof message === "string"
        ? `${message}\n`
        : `${JSON.stringify({ jsonrpc: "2.0", ...Object(message) })}\n`,
    );
  /** Skips what is no reply to that id. */
  const reply = async (id: number): Promise<Record<string, unknown>> => {
    for (;;) {
      const message = await next();
      if (message["id"] === id && !("method" in message)) return message;
    }
  };
  return { child, send, next, reply };
}

const initialize = { id: 1, method: "initialize", params: { protocolVersion: 1, clientCapabilities: {} } };

test("what is no message gets an error, and the next message is answered", async () => {
  const made = await stage(editing);
  const { send, next, reply } = await rawAgent(made);
  for (const broken of ["{broken", "[]", "7", '"text"']) {
    send(broken);
    expect(await next()).toMatchObject({ id: null, error: { code: expect.any(Number) } });
  }
  send({ id: 7, method: "session/prompt", params: {} });
  expect(await reply(7)).toMatchObject({ error: { code: -32600 } });
  send(initialize);
  expect(await reply(1)).toMatchObject({ result: { protocolVersion: 1 } });
  const strange: readonly [string, unknown][] = [
    ["session/new", { cwd: "not/absolute", mcpServers: [] }],
    ["session/new", { cwd: "/nowhere/at/all", mcpServers: [] }],
    ["session/new", { cwd: 7 }],
    ["session/load", { sessionId: "none", cwd: "/", mcpServers: [] }],
    ["session/prompt", { sessionId: "none", prompt: [{ type: "text", text: "x" }] }],
    ["session/prompt", { sessionId: "none", prompt: "text" }],
    ["session/set_mode", { sessionId: "none", modeId: "ask" }],
    ["_toolwright/review", { sessionId: 7 }],
    ["_toolwright/nothing", {}],
    ["no/such/method", {}],
  ];
  for (const [at, [method, params]] of strange.entries()) {
    send({ id: 100 + at, method, params });
    expect(await reply(100 + at), method).toMatchObject({ error: { message: expect.stringMatching(/\w/u) } });
  }
  // No session may change what tells of all sessions.
  send({ id: 200, method: "session/new", params: { cwd: made.home.root, mcpServers: [] } });
  expect(await reply(200)).toMatchObject({
    error: { message: expect.stringContaining("inside the workspace") },
  });
});

/** Initialized, with a new session. */
async function withSession(made: Awaited<ReturnType<typeof stage>>) {
  const raw = await rawAgent(made);
  raw.send(initialize);
  await raw.reply(1);
  raw.send({ id: 2, method: "session/new", params: { cwd: made.home.workspace, mcpServers: [] } });
  const { result } = await raw.reply(2);
  return { ...raw, sessionId: isObject(result) ? String(result["sessionId"]) : "" };
}

/** All that the agent tells until it has replied to `session/load`. */
async function loaded(made: Awaited<ReturnType<typeof stage>>, sessionId: string) {
  const raw = await rawAgent(made);
  raw.send(initialize);
  await raw.reply(1);
  raw.send({
    id: 2,
    method: "session/load",
    params: { sessionId, cwd: made.home.workspace, mcpServers: [] },
  });
  const told: unknown[] = [];
  for (let message = await raw.next(); message["id"] !== 2; message = await raw.next()) told.push(message);
  return { ...raw, told: JSON.stringify(told) };
}

const asking = (sessionId: string, text: string) => ({
  id: 3,
  method: "session/prompt",
  params: { sessionId, prompt: [{ type: "text", text }] },
});

/** A turn of two answers; the second stops in its middle until the gate opens. */
function halting() {
  const gate = Promise.withResolvers<undefined>();
  const script: ModelScript = (_, round) => {
    if (round === 1) return [{ say: "Reading." }, { call: "read_file", with: { path: "a.txt" } }];
    return round === 2
      ? [{ say: "It says something." }, { wait: gate.promise }, { say: " It says one." }]
      : [{ say: "It says one." }];
  };
  return { gate, script };
}

test("an editor that disconnects in the middle of a turn loses nothing: the turn is finished and told when it comes back", async () => {
  const { gate, script } = halting();
  const made = await stage(script);
  const first = await withSession(made);
  first.send(asking(first.sessionId, "what is in it?"));
  for (let heard = ""; !heard.includes("something"); heard = JSON.stringify(await first.next()));
  first.child.stdin.end();
  gate.resolve(undefined);
  await once(first.child, "exit");
  expect(first.child.exitCode).toBe(0);
  expect((await loaded(made, first.sessionId)).told).toContain("It says something. It says one.");
});

test("a turn that was cut off by a kill is gone on with in another editor", async () => {
  const { script } = halting();
  const made = await stage(script);
  const first = await withSession(made);
  first.send(asking(first.sessionId, "what is in it?"));
  for (let heard = ""; !heard.includes("something"); heard = JSON.stringify(await first.next()));
  first.child.kill("SIGKILL");
  await once(first.child, "exit");
  const second = await loaded(made, first.sessionId);
  expect(second.told).toContain("Reading.");
  second.send(asking(first.sessionId, "/go-on"));
  for (let heard = ""; !heard.includes("It says one."); heard = JSON.stringify(await second.next()));
});

test("a session begun in an editor goes on in the terminal, and back", async () => {
  const made = await stage([[{ say: "One." }], [{ say: "Two." }], [{ say: "Three." }]]);
  const first = await withSession(made);
  const { sessionId } = first;
  first.send(asking(sessionId, "count"));
  expect(await first.reply(3)).toMatchObject({ result: { stopReason: "end_turn" } });
  first.child.stdin.end();
  await once(first.child, "exit");
  const flags = ["-p", "more", "--resume", sessionId, "--model", "ollama/scripted"];
  const ended = await startCommand(made.home, flags, { env: made.env }).ended;
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining("Two.") });
  const { told } = await loaded(made, sessionId);
  expect(told).toContain("Two.");
  expect(told).toContain('"more"');
});
