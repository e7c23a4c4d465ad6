/** A real Ollama with real weights: its own format, what it tells of its models, its errors in its own words. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Ollama } from "ollama";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { collect } from "../../src/base/async.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { catalog } from "../../src/providers/catalog.ts";
import { serverOf } from "../../src/providers/discover.ts";
import { runCommand, startCommand } from "../support/command.ts";
import { wholeSession } from "../support/whole-log.ts";
import { heldCall } from "./held-call.ts";
import { startOllama, type OllamaServer } from "./ollama-server.ts";
import { qwenCoder, smolLm } from "./packages.ts";
import { agentIn, askUntilHeard, briefly, placeWith } from "./place.ts";

let server: OllamaServer;
beforeAll(async () => {
  server = await startOllama();
});
afterAll(() => server.kill());

const [smol, qwen] = [smolLm.name, qwenCoder.name].map((name) => `ollama/${name}`) as [string, string];
const story = "Tell a long story about a lighthouse. Use no tool.";

test("its models are found; which of them has tools, and how the others are asked, is known from their templates", async () => {
  const home = await placeWith(server);
  const listed = await runCommand(home, ["models"]);
  expect(listed.stdout).toContain(`${smol}\n`);
  expect(listed.stdout).toContain(`${qwen}\n`);
  const doctor = async (model: string): Promise<string> =>
    (await runCommand(home, ["doctor", "--verbose", "--model", model])).stdout;
  expect(await doctor(qwen)).toMatch(
    /^ok +model +ollama\/qwen2\.5-coder:0\.5b; 32,768 tokens; it sees no pictures$/mu,
  );
  expect(await doctor(smol)).toMatch(
    /^ok +model +ollama\/smollm2:135m; 8,192 tokens; .*it is taught to write its calls as text \(hermes\)/mu,
  );
});

test("an answer arrives in pieces, is kept as it was heard, and its tokens are counted by the server", async () => {
  const agent = await agentIn(await placeWith(server), {}, smol);
  const events = await collect(agent.stream("Count from one to twenty in words. Use no tool."));
  const pieces = events.flatMap((event) => (event.type === "text-delta" ? [event.text] : []));
  const said = events.flatMap((event) => (event.type === "text" && event.by === "model" ? [event.text] : []));
  expect(said.join("")).toBe(pieces.join(""));
  const answer = events.find((event) => event.type === "answer-end");
  expect(answer?.model).toBe(smolLm.name);
  expect(answer?.usage?.outputTokens).toBeGreaterThan(0);
  expect(answer?.usage?.inputTokens).toBeGreaterThan(300);
});

test("an interrupted turn frees the server, and the session goes on", async () => {
  const { session } = await agentIn(await placeWith(server), { dialect: "hermes" }, smol);
  await askUntilHeard(session, story);
  const freed = server.untilEnded(1);
  await session.command({ type: "interrupt", by: "test" });
  await freed;
  expect(session.state.turns.at(-1)?.stopped).toBe("interrupted");
  await session.command({ type: "send", content: [{ type: "text", text: "Say yes." }] });
  await session.idle();
  expect(session.state.turns.at(-1)).toMatchObject({ stopped: expect.stringMatching(/^(?:done|limit)$/u) });
});

const before = 'export const greeting = "helo";\n';
const request = 'Call edit_file on a.ts: replace "helo" with "hello". Then say that it is done.';

test("a small edit by native calls ends, whole in the log, and the file is as it was or as a call made it", async () => {
  const home = await placeWith(server, { "a.ts": before });
  const flags = [...briefly.slice(2), "--model", qwen, "--mode", "accept-edits", "--max-rounds", "3"];
  const ended = await runCommand(home, [...flags, "-p", request]);
  expect([0, 1, 3, 4]).toContain(ended.code);
  const facts = await wholeSession(home.stateDir);
  const changed = facts.some((fact) => fact.type === "turn-end" && fact.changed.length > 0);
  expect((await readFile(join(home.workspace, "a.ts"), "utf8")) !== before).toBe(changed);
});

/** What it holds: our documents name what it does not (bounds of numbers with a decimal point, `multipleOf`). */
const held: readonly [string, JsonObject][] = [
  ["whole numbers", { port: { type: "integer", minimum: 1024, maximum: 65_535 } }],
  [
    "lists of texts, choices and nothing",
    {
      tags: {
        type: "array",
        items: { type: "string", minLength: 1, maxLength: 12 },
        minItems: 2,
        maxItems: 3,
      },
      unit: { enum: ["celsius", "fahrenheit"] },
      rest: { type: "null" },
    },
  ],
  [
    "objects in objects",
    {
      place: {
        type: "object",
        properties: { city: { type: "string", maxLength: 20 }, isCapital: { type: "boolean" } },
        required: ["city", "isCapital"],
        additionalProperties: false,
      },
    },
  ],
];

test.each(held)(
  "a model without tools is held to a call that is valid by its schema: %s",
  async (_, properties) => {
    const provider = catalog.find(({ name }) => name === "ollama");
    if (!provider) throw new Error("The catalog has no Ollama.");
    const address = serverOf(provider, {}, server.url);
    const choice = { provider, server: address, model: smolLm.name, because: "it is tested" };
    const { calls, errors } = await heldCall(choice, "json-answer+schema", properties);
    expect(calls).toMatchObject([{ name: "save" }]);
    expect(calls[0]?.repairs).toBeUndefined();
    expect(errors).toEqual([]);
  },
);

test("what it refuses is told in plain words, with the next step", async () => {
  const home = await placeWith(server);
  const missing = await runCommand(home, ["--model", "ollama/no-such-model:1b", "-p", "Hello"]);
  expect(missing.code).toBe(1);
  expect(missing.stderr).toContain("ollama pull no-such-model:1b");
  const { session } = await agentIn(home, { reasoning: "high" }, qwen);
  const told = session.facts.flatMap((fact) => (fact.type === "warning" ? [fact.text] : []));
  expect(told.join()).toContain("does not think");
});

test("a prompt that it would cut silently is refused before it is sent", async () => {
  const home = await placeWith(server);
  const long = "word ".repeat(9_000);
  const known = await runCommand(home, ["--model", smol, "-p", long.repeat(2)]);
  expect(known).toMatchObject({ code: 1, stdout: "" });
  expect(known.stderr).toMatch(/The message is too long for .*: about \d+ tokens, of 8192 in all/u);
});

test("a server that is killed in the middle of an answer and comes back is asked again", async () => {
  const mortal = await startOllama();
  onTestFinished(() => mortal.kill());
  const { session } = await agentIn(
    await placeWith(mortal),
    { dialect: "hermes", smallModel: "on", retryFor: 20_000, maxTokens: 1000 },
    smol,
  );
  await askUntilHeard(session, story);
  await mortal.kill();
  const again = await startOllama({ port: Number(new URL(mortal.url).port) });
  onTestFinished(() => again.kill());
  await session.idle();
  const answers = session.facts.filter((fact) => fact.type === "answer-end");
  expect(answers.map(({ reason }) => reason === "failed")).toEqual([true, false]);
});

test("Ollama's own client asks it through the language-model server as it asks it directly", async () => {
  const home = await placeWith(server);
  const token = "a-token-for-real-models";
  const flags = ["lm-server", "--model", qwen, "--port", "0"];
  const running = startCommand(home, flags, { env: { TOOLWRIGHT_LM_TOKEN: token } });
  let said = "";
  running.child.stdout?.on("data", (text: string) => (said += text));
  await running.until("Ctrl-C");
  const through = /http:\/\/127\.0\.0\.1:\d+/u.exec(said)?.[0] ?? "";
  const asked = {
    model: qwenCoder.name,
    messages: [{ role: "user", content: "Say only the word yes." }],
    options: { temperature: 0, seed: 1 },
  };
  const direct = await new Ollama({ host: server.url }).chat(asked);
  const client = new Ollama({ host: through, headers: { authorization: `Bearer ${token}` } });
  const parts = await collect(await client.chat({ ...asked, stream: true }));
  expect(parts.map(({ message }) => message.content).join("")).toBe(direct.message.content);
  expect(parts.at(-1)).toMatchObject({ done: true, done_reason: "stop", eval_count: direct.eval_count });
});
