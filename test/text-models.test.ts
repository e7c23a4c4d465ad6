/** The built command with models that write their calls as text, well or badly, and `inspect calls` with bad input. */

import { access, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { visibleText } from "../src/base/visible-text.ts";
import { hermes } from "../src/dialects/hermes.ts";
import { jsonFence } from "../src/dialects/json-fence.ts";
import type { Prompt } from "../src/providers/provider.ts";
import { scriptedModel, type ScriptedAnswer, type ScriptedModel } from "../src/providers/scripted-model.ts";
import { newHome, put, runCommand, startCommand, type Home } from "./support/command.ts";
import { lead, ollamaRoad, roads, serve } from "./support/roads.ts";
import { wholeSession } from "./support/whole-log.ts";

const textsOnly = { capabilities: ["completion"] };

async function leadTo(home: Home, model: ScriptedModel): Promise<string[]> {
  const server = await serve(model, textsOnly);
  return lead(home, ollamaRoad, server.url);
}

const written = (name: string, input: Record<string, string>): string =>
  hermes.writeCalls([{ id: "1", name, input }]);
const say = (text: string): ScriptedAnswer => [{ say: text }];

/** All messages of the prompt as one text. */
const wordsOf = (prompt: Prompt | undefined): string => JSON.stringify(prompt?.messages ?? []);

test("A28: progress is reported while a model writes a long call in a code fence", async () => {
  const home = await newHome();
  const gate = Promise.withResolvers<void>();
  const content = "A line of a long file.\n".repeat(300);
  const call = jsonFence.writeCalls([{ id: "1", name: "write_file", input: { path: "a.txt", content } }]);
  const half = call.length / 2;
  const model = scriptedModel(
    [
      [{ say: `I write it.\n\n${call.slice(0, half)}` }, { wait: gate.promise }, { say: call.slice(half) }],
      say("Written."),
    ],
    { pieces: 9 },
  );
  const flags = await leadTo(home, model);
  const more = ["--dialect", "json-fence", "--mode", "accept-edits", "--output", "stream-json", "--verbose"];
  const running = startCommand(home, [...flags, ...more, "-p", "Write it."]);
  await running.until('"type":"call-delta","callId":"","name":"write_file","characters":');
  gate.resolve();
  expect(await running.ended).toMatchObject({ code: 0 });
  expect(await readFile(join(home.workspace, "a.txt"), "utf8")).toBe(content);
});

test("reasoning with only a closing tag is kept out of the answer, of the session's text and of what --continue sends", async () => {
  const home = await newHome();
  const model = scriptedModel([
    say("Two and two.\n</think>\n\nIt is 4."),
    say("Four.\n</think>4 it was."),
    say("Yes."),
  ]);
  const flags = await leadTo(home, model);
  const ran = await runCommand(home, [...flags, "-p", "What is 2 + 2?"]);
  expect(ran.stdout).toBe("It is 4.\n");
  const next = await runCommand(home, [...flags, "--continue", "--output", "json", "-p", "Sure?"]);
  expect(JSON.parse(next.stdout)).toMatchObject({ text: "4 it was." });
  await runCommand(home, [...flags, "--continue", "-p", "Really?"]);
  const said = model.prompts[2]?.messages.filter(({ role }) => role === "assistant");
  expect(said).toEqual([
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "Two and two." },
        { type: "text", text: "It is 4." },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "Four." },
        { type: "text", text: "4 it was." },
      ],
    },
  ]);
});

test("a call cut off by the length limit changes nothing, is reported, and the model is asked to repeat it", async () => {
  const home = await newHome();
  const whole = written("write_file", { path: "a.txt", content: "one\ntwo\n" });
  const cut: ScriptedAnswer = [{ say: whole.slice(0, -40) }, { end: "length" }];
  const model = scriptedModel([cut, say("I leave it.")]);
  const flags = await leadTo(home, model);
  const ran = await runCommand(home, [...flags, "--mode", "accept-edits", "-p", "Write it."]);
  expect(ran.stderr).toContain(
    "● write_file … invalid\n    ERROR: The call of write_file was cut off before its end",
  );
  expect(ran.stderr).toContain("! The answer was cut off at the model's length limit");
  expect(wordsOf(model.prompts[1])).toContain("Send the whole call again");
  await expect(access(join(home.workspace, "a.txt"))).rejects.toThrow();
});

test.each([
  ["Ollama", 200, { error: "XML syntax error on line 8: element <function> closed by </parameter>" }],
  ["Ollama", 500, { error: "expected element type <function> but have <parameter>" }],
  ["OpenAI Chat Completions", 500, { error: { message: "Invalid diff: now finding less tool calls!" } }],
  ["OpenAI Chat Completions", 400, { error: { message: "Unknown recipient: read", code: 400 } }],
])(
  "%s, status %i: a model whose server fails at every native call finishes its task",
  async (name, status, body) => {
    const home = await newHome();
    const road = roads.find((one) => one.name === name) ?? ollamaRoad;
    const fault = { status, body: `${JSON.stringify(body)}\n` };
    const call = (input: Record<string, string>) =>
      say(jsonFence.writeCalls([{ id: "1", name: "write_file", input }]));
    const model = scriptedModel([
      call({ path: "a.txt", content: "one\n" }),
      call({ path: "b.txt", content: "two\n" }),
      say("Both are written."),
    ]);
    const server = await serve(model, { faults: [fault, "none", fault, "none"] });
    const flags = lead(home, road, server.url);
    const ran = await runCommand(home, [...flags, "--mode", "accept-edits", "-p", "Write both."]);
    expect(ran).toMatchObject({ code: 0, stdout: "Both are written.\n" });
    expect(await readdir(home.workspace)).toEqual(["a.txt", "b.txt"]);
  },
);

test("of forty calls in one answer 32 run, and the model is asked to send the others again", async () => {
  const home = await newHome();
  const all = Array.from({ length: 40 }, (_, at) =>
    written("write_file", { path: `${at}.txt`, content: "x" }),
  );
  const model = scriptedModel([say(all.join("\n")), say("I see.")]);
  const flags = await leadTo(home, model);
  const ran = await runCommand(home, [...flags, "--mode", "accept-edits", "-p", "Write them."]);
  expect(ran.stderr).toContain("There were more than 32 calls in one answer");
  expect(await readdir(home.workspace)).toHaveLength(32);
  expect(wordsOf(model.prompts[1])).toContain("Send them again in the next answer.");
  expect(wordsOf(model.prompts[1])).toContain("31.txt");
  expect(wordsOf(model.prompts[1])).not.toContain("32.txt");
});

test("a nameless call is reported as invalid, and returned to the model exactly as written", async () => {
  const home = await newHome();
  const nameless = '<tool_call>\n{"arguments": {"path": "a.txt"}}\n</tool_call>';
  const model = scriptedModel([say(nameless), say("Hm.")]);
  const flags = await leadTo(home, model);
  const ran = await runCommand(home, [...flags, "-p", "Look."]);
  expect(ran.stderr).toContain(
    "● A call … invalid\n    ERROR: A call could not be read: The call has no name.",
  );
  expect(model.prompts[1]?.messages[1]).toMatchObject({ role: "assistant", content: [{ text: nameless }] });
});

test("a tool result invented by the model is neither printed nor sent back to it", async () => {
  const home = await newHome({ "a.txt": "hello\n" });
  const invented = "\n<tool_response>\ngoodbye\n</tool_response>\nThe file says goodbye.";
  const model = scriptedModel([
    say(written("read_file", { path: "a.txt" }) + invented),
    say("It says hello."),
  ]);
  const flags = await leadTo(home, model);
  const ran = await runCommand(home, [...flags, "-p", "What does it say?"]);
  expect(ran.stdout).toBe("It says hello.\n");
  expect(ran.stderr).toContain("! The model wrote a tool result itself");
  expect(wordsOf(model.prompts[1])).toContain("hello");
  expect(wordsOf(model.prompts[1])).not.toContain("goodbye");
});

test("repairs of a call are recorded with it, and printed with --verbose", async () => {
  const home = await newHome();
  const damaged = `<tool_call>\n{'name': 'write_file', 'arguments': {'path': 'a.txt', 'content': 'x',}}\n</tool_call>`;
  const model = scriptedModel([say(damaged), say("I may not.")]);
  const flags = await leadTo(home, model);
  const ran = await runCommand(home, [...flags, "--verbose", "-p", "Write it."]);
  expect(ran.code).toBe(3);
  expect(ran.stderr).toMatch(/^ {2}mended: .*comma/mu);
  const call = (await wholeSession(home.stateDir)).find((entry) => entry.type === "call");
  expect(call).toMatchObject({
    call: { repairs: expect.arrayContaining([{ code: "comma", detail: expect.any(String) }]) },
  });
});

test("inspect calls explains invalid arguments and names valid ones", async () => {
  const home = await newHome({ "bad.json": "{", "list.json": "{}" });
  const asked = async (...more: string[]) => {
    const { code, stdout, stderr } = await runCommand(home, ["inspect", "calls", ...more], { input: "Hi." });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    return stderr;
  };
  expect(await asked("--wire", "telegraph")).toMatch(/no wire "telegraph": --wire is one of .*openai-chat/u);
  expect(await asked("--dialect", "herms")).toContain('(did you mean "hermes"?)');
  expect(await asked("--tools", "none.json")).toContain("none.json: there is no such file.");
  expect(await asked("--tools", ".")).toContain("it is a directory");
  expect(await asked("--tools", "bad.json")).toContain("it is not JSON");
  expect(await asked("--tools", "list.json")).toContain('"tools" must be a list');
  expect(await asked("--chunk", "0")).toContain("--chunk must be a whole number");
  expect(await asked("--jsonl", "--finish", "length")).toContain("--finish does not go with --jsonl");
  expect(await asked("answer.txt")).toContain("toolwright inspect calls < answer.txt");
});

test("inspect calls accepts tools in the providers' format, as a default for lines that name none", async () => {
  const home = await newHome();
  const tools = [{ type: "function", function: { name: "ping", parameters: { type: "object" } } }];
  await put(home.workspace, { "tools.json": JSON.stringify(tools) });
  const flags = ["inspect", "calls", "--tools", "tools.json"];
  const call = '<tool_call>{"name": "ping", "arguments": {}}</tool_call>';
  expect((await runCommand(home, flags, { input: call })).stdout).toContain("Calls:\n  ping {}");
  const lines = [{ text: call }, { text: call, tools: [] }].map((line) => JSON.stringify(line)).join("\n");
  const ran = await runCommand(home, [...flags, "--jsonl"], { input: `${lines}\nnonsense\n` });
  expect(ran).toMatchObject({ code: 1, stderr: "toolwright: Line 3 cannot be inspected: it is not JSON.\n" });
  expect(
    ran.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).calls.length),
  ).toEqual([1, 0]);
});

test("inspect calls escapes binary input, and accepts an empty answer", async () => {
  const home = await newHome();
  const bytes = Uint8Array.from({ length: 4096 }, (_, at) => (at * 7919) % 256);
  const garbage = await runCommand(home, ["inspect", "calls"], { input: bytes });
  expect(garbage).toMatchObject({ code: 0, stderr: "" });
  expect(garbage.stdout).toBe(visibleText(garbage.stdout));
  const empty = await runCommand(home, ["inspect", "calls"], { input: "" });
  expect(empty).toMatchObject({ code: 0, stdout: expect.stringContaining("Calls: none\nText: none\n") });
});

test("a probe of a model that the server lacks says so, and stores nothing", async () => {
  const home = await newHome();
  const fault = {
    status: 404,
    headers: { "content-type": "application/json" },
    body: '{"error":"model \\"tiny\\" not found, try pulling it first"}',
  };
  const server = await serve(scriptedModel([]), { faults: Array.from({ length: 9 }, () => fault) });
  lead(home, ollamaRoad, server.url);
  const ran = await runCommand(home, ["probe", "ollama/tiny"]);
  expect(ran).toMatchObject({ code: 1, stdout: "Nothing was measured.\n" });
  expect(ran.stderr).toMatch(
    /Nothing was kept, because .* does not have the model "tiny"\. Run: ollama pull tiny$/mu,
  );
});
