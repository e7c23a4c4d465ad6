import { writeFile } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod/mini";
import { scriptedModel } from "../providers/scripted-model.ts";
import { temporaryWorkspace } from "../testing/workspace.ts";
import { readFile } from "../tools/read-file.ts";
import { defineTool, ok, type Tool } from "../tools/tool.ts";
import { type AgentOptions, openAgent, openRuntime } from "./open-agent.ts";

const nothing = "http://127.0.0.1:1";
/** Where no model is found. */
const nowhere = {
  OLLAMA_HOST: nothing,
  LMSTUDIO_BASE_URL: nothing,
  LLAMACPP_BASE_URL: nothing,
  VLLM_BASE_URL: nothing,
  SGLANG_BASE_URL: nothing,
};

async function places() {
  const workspace = await temporaryWorkspace({});
  const state = await temporaryWorkspace({});
  onTestFinished(async () => void (await Promise.all([workspace.remove(), state.remove()])));
  const options = { workspace: workspace.root, stateDir: state.root, env: { HOME: state.root } };
  return { workspace, options };
}

test("a program gets the answer and the changes of its request, and a later program resumes the session", async () => {
  const { workspace, options } = await places();
  const model = scriptedModel([
    [{ call: "write_file", with: { path: "hello.txt", content: "hello\n" } }],
    [{ say: "Written." }],
    [{ say: "Again." }],
  ]);
  const first = await openAgent({ ...options, model, mode: "accept-edits" });
  const turn = await first.ask("Say hello in a file.");
  expect([turn.text, turn.stopped, turn.changes.map(({ path }) => path)]).toEqual([
    "Written.",
    "done",
    ["hello.txt"],
  ]);
  expect(await workspace.read("hello.txt")).toBe("hello\n");
  await first.close();

  await using second = await openAgent({ ...options, model, resume: first.session.id });
  const heard: string[] = [];
  for await (const event of second.stream("And now?")) heard.push(event.type);
  expect([heard[0], heard.at(-1)]).toEqual(["user-message", "turn-end"]);
  expect(second.session.state.turns.map(({ text }) => text)).toEqual(["Written.", "Again."]);
});

test("without anyone to ask, a call that needs approval is denied", async () => {
  const { workspace, options } = await places();
  const model = scriptedModel([
    [{ call: "write_file", with: { path: "a.txt", content: "a" } }],
    [{ say: "It was denied." }],
  ]);
  await using agent = await openAgent({ ...options, model });
  expect((await agent.ask("Write.")).text).toBe("It was denied.");
  expect(await workspace.files()).toEqual([]);
});

test("other options are passed as settings by name", async () => {
  const { options } = await places();
  const read = { call: "list_files", with: {} };
  const model = scriptedModel([[read], [read], [read]]);
  await using agent = await openAgent({ ...options, model, settings: { maxRounds: 2 } });
  expect((await agent.ask("Look, again and again.")).stopped).toBe("limit");
});

test("a rule for this run names the program's own tools, and one for any other is thrown", async () => {
  const { options } = await places();
  const own = { ...options, model: scriptedModel([]), tools: [{ ...readFile, name: "read_log" }] };
  await using agent = await openAgent({ ...own, settings: { deny: "read_log" } });
  expect(agent.session.state.turns).toEqual([]);
  await expect(openAgent({ ...own, settings: { deny: "read_file" } })).rejects.toThrow("which is no tool");
});

test("invalid settings are thrown as a one-line error", async () => {
  const { options } = await places();
  const inside = { ...options, stateDir: `${options.workspace}/inside` };
  await expect(openAgent(inside)).rejects.toThrow("lies inside the workspace");
  await expect(openAgent({ ...options, model: scriptedModel([]), resume: "nosuch" })).rejects.toThrow(
    "nosuch",
  );
});

test("what is thrown names options as a program has them, and no flags of the command line", async () => {
  const { workspace, options } = await places();
  const inside = `${workspace.root}/state`;
  const file = `${workspace.root}/file`;
  await writeFile(file, "");
  const own = { ...options, model: scriptedModel([]) };
  await expect(openAgent({ ...own, stateDir: inside })).rejects.toThrow(
    `The state directory ${inside} lies inside the workspace ${workspace.root}: choose another with the option "stateDir", or a narrower workspace with the option "cwd"`,
  );
  await expect(openAgent({ ...own, workspace: file })).rejects.toThrow(
    'Choose another directory with the option "cwd".',
  );
  await expect(openAgent({ ...own, settings: { tools: "nosuch" } })).rejects.toThrow(
    'The option "tools": there is no tool "nosuch"',
  );
  await expect(openAgent({ ...options, env: { ...options.env, ...nowhere } })).rejects.toThrow(
    'name one with the option "model"',
  );
});

test("a command that does not exist is refused by name", async () => {
  const { options } = await places();
  await using agent = await openAgent({ ...options, model: scriptedModel([]) });
  const outcomes = ['{"type":"nope"}', "{}"].map((text) => agent.session.command(JSON.parse(text)));
  expect(await Promise.all(outcomes)).toEqual([
    { ok: false, problem: 'There is no command "nope".' },
    { ok: false, problem: "There is no command without a type." },
  ]);
});

test("closing the agent ends its streams, also one whose request waits for a person", async () => {
  const { options } = await places();
  const model = scriptedModel([[{ call: "write_file", with: { path: "a.txt", content: "a" } }]]);
  const agent = await openAgent({ ...options, model, interactive: true });
  const heard: string[] = [];
  for await (const event of agent.stream("Write.")) {
    heard.push(event.type);
    if (event.type !== "approval-asked") continue;
    await agent.session.idle();
    void agent.close();
  }
  expect(heard.at(-1)).toBe("approval-asked");
  await agent.close();
});

test("settings are read as from a file; one that does not exist, or a value that does not fit, is thrown", async () => {
  const { options } = await places();
  const own = { ...options, model: scriptedModel([[{ say: "Fine." }]]) };
  const opened = (settings: object, more: object = {}) =>
    openAgent({ ...own, ...JSON.parse(JSON.stringify(more)), settings: { ...settings } });
  await expect(opened({ maxRound: 3 })).rejects.toThrow('no setting "maxRound" (did you mean "maxRounds"?)');
  await expect(opened({ maxRounds: "many" })).rejects.toThrow('"maxRounds" must be a whole number');
  await expect(opened({}, { mode: "yolo" })).rejects.toThrow('"mode" must be one of');
  await using agent = await opened({ timeout: "20m", maxRounds: undefined });
  expect((await agent.ask("Go.")).text).toBe("Fine.");
});

test("tools that every provider would refuse are thrown by their name, before anything is asked", async () => {
  const { options } = await places();
  const named = (name: string, input: object = {}) =>
    defineTool({
      name,
      does: "read",
      summary: "Mine.",
      input: { ...input },
      title: () => "Mine",
      run: async () => ok("x"),
    });
  const opened = (...tools: Tool[]) => openAgent({ ...options, model: scriptedModel([]), tools });
  await expect(opened(readFile, named("read_file"))).rejects.toThrow('Two tools are named "read_file"');
  await expect(opened(named("My tool!"))).rejects.toThrow('The name "My tool!" is refused by providers');
  await expect(opened(named("mine", { at: z.date() }))).rejects.toThrow(
    'of the tool "mine" cannot be made (Date',
  );
});

test("tools that a program brings may return nonsense or throw, wherever they come from: the call fails", async () => {
  const { options } = await places();
  const ownTool = (name: string, run: Tool["prepare"]): Tool => ({
    name,
    aliases: [],
    summary: "A tool of a program.",
    does: "execute",
    schema: { type: "object" },
    prepare: run,
  });
  const returning = ownTool("returning", () => ({
    ok: true,
    value: { title: "Mine", paths: [], does: "read", run: async () => JSON.parse("3") },
  }));
  const throwing = ownTool("throwing", () => {
    throw new Error("no such thing");
  });
  const model = scriptedModel([
    [{ call: "returning", with: {} }],
    [{ call: "throwing", with: {} }],
    [{ say: "Both failed." }],
  ]);
  const addons: AgentOptions["addons"] = [() => ({ tools: () => [throwing] })];
  await using agent = await openAgent({ ...options, model, tools: [returning], addons });
  expect((await agent.ask("Go.")).text).toBe("Both failed.");
  const told = JSON.stringify(model.prompts.at(-1)?.messages);
  expect(told).toContain("A tool returns ok(text) or failedResult(text).");
  expect(told).toContain("The tool failed: no such thing");
});

test("a runtime opens, shares, forks, lists and deletes the sessions of a workspace", async () => {
  const { workspace, options } = await places();
  const model = scriptedModel([[{ say: "One." }]]);
  const runtime = await openRuntime({ ...options, model });
  const opened = await runtime.open({ id: "first", mode: "plan" });
  const session = opened.ok ? opened.value : expect.fail(opened.problem);
  await session.command({ type: "send", content: [{ type: "text", text: "Begin." }] });
  await session.idle();
  expect([session.id, session.mode, session.model.name]).toEqual(["first", "plan", runtime.model.name]);
  expect([session.facts.at(-1)?.type, session.state.turns[0]?.text]).toEqual(["turn-end", "One."]);
  expect(await runtime.open({ resume: "first" })).toEqual(opened);
  const forked = await runtime.fork("first");
  const copied = forked.ok ? forked.value : expect.fail(forked.problem);
  expect(copied.state.turns.map(({ text }) => text)).toEqual(["One."]);
  await Promise.all([session.close(), session.close(), copied.close()]);
  expect([session.isOpen, copied.isOpen, runtime.workspace]).toEqual([false, false, workspace.root]);
  await runtime.sessions.delete("first");
  expect((await runtime.sessions.list()).map(({ id }) => id)).toEqual([copied.id]);
  await runtime.close();
  const over = { ok: false, problem: "The runtime is closed. Open another one." };
  expect([await runtime.open(), await runtime.fork(copied.id)]).toEqual([over, over]);
});
