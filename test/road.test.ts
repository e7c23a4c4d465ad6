import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadConfig } from "../src/configuration/config.ts";
import { parseArguments } from "../src/configuration/options/arguments.ts";
import type { Entry } from "../src/protocol/facts.ts";
import { conversation } from "../src/protocol/session-state.ts";
import type { Model, Prompt } from "../src/providers/provider.ts";
import { scriptedModel, type ScriptedAnswer } from "../src/providers/scripted-model.ts";
import type { LiveSession } from "../src/runtime/live-session.ts";
import { startRuntime } from "../src/runtime/runtime.ts";
import { serveModel } from "../src/testing/scripted-server.ts";
import { temporaryWorkspace } from "../src/testing/workspace.ts";

/** The same task over every format: two reads, an approved edit, a command, a last text; its bytes are cut anywhere. */
const task: readonly ScriptedAnswer[] = [
  [
    { say: "I read both files: «größe» and \u{1F600}." },
    { call: "read_file", with: { path: "a.txt" } },
    { call: "read_file", with: { path: "b.txt" } },
  ],
  [
    { say: "I change one line." },
    { call: "edit_file", with: { path: "a.txt", old: 'say "one"\n', new: 'say "two\\n"\n' } },
  ],
  [{ call: "run_command", with: { command: "cat a.txt" } }],
  [{ say: "Changed `one` to `two`, and looked at it." }, { usage: { inputTokens: 120, outputTokens: 7 } }],
];

const asText = (answer: ScriptedAnswer): ScriptedAnswer =>
  answer.map((step) =>
    "call" in step
      ? { say: `\n<tool_call>\n${JSON.stringify({ name: step.call, arguments: step.with })}\n</tool_call>` }
      : step,
  );

/** A model without native tools that writes its calls in the Hermes dialect, as its prompt tells it. */
function textOnly(answers: readonly ScriptedAnswer[]): Model {
  return scriptedModel(
    (prompt: Prompt, round) => {
      expect(prompt.tools).toEqual([]);
      expect(prompt.system).toContain("<tool_call>");
      return asText(answers[round - 1] ?? []);
    },
    { pieces: 5 },
  );
}

type Road = {
  name: string;
  model: string;
  env(url: string): Record<string, string>;
  flags?: string[];
  serve: Model;
  capabilities?: string[];
};

const native = () => scriptedModel(task, { pieces: 5 });
const roads: readonly Road[] = [
  {
    name: "Anthropic Messages",
    model: "anthropic/claude-x",
    env: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "key-for-tests" }),
    serve: native(),
  },
  {
    name: "OpenAI Responses",
    model: "openai/gpt-x",
    env: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "key-for-tests" }),
    serve: native(),
  },
  {
    name: "OpenAI Chat Completions",
    model: "openai-compatible/any",
    env: (url) => ({ OPENAI_COMPATIBLE_BASE_URL: `${url}/v1` }),
    serve: native(),
  },
  {
    name: "Gemini",
    model: "gemini/gemini-x",
    env: (url) => ({ GOOGLE_GEMINI_BASE_URL: `${url}/v1beta`, GEMINI_API_KEY: "key-for-tests" }),
    serve: native(),
  },
  {
    name: "Cohere",
    model: "cohere/command-x",
    env: (url) => ({ CO_API_URL: url, COHERE_API_KEY: "key-for-tests" }),
    serve: native(),
  },
  { name: "Ollama", model: "ollama/qwen:1b", env: (url) => ({ OLLAMA_HOST: url }), serve: native() },
  {
    name: "the hermes dialect over Ollama",
    model: "ollama/plain:1b",
    env: (url) => ({ OLLAMA_HOST: url }),
    serve: textOnly(task),
    capabilities: ["completion"],
  },
  {
    name: "the hermes dialect over OpenAI Chat Completions",
    model: "openai-compatible/any",
    env: (url) => ({ OPENAI_COMPATIBLE_BASE_URL: `${url}/v1` }),
    flags: ["--dialect", "hermes"],
    serve: textOnly(task),
  },
];

/** Facts without ids, sources and times; the facts of one call are grouped. */
function comparable(entries: readonly Entry[]): unknown[] {
  const ids = entries.flatMap((entry) => (entry.type === "call" ? [entry.call.id] : []));
  const nth = (id: string) => `call ${ids.indexOf(id) + 1}`;
  const plain = entries.flatMap((entry): unknown[] => {
    const { v: _v, seq: _seq, at: _at, ...fact } = entry;
    if (fact.type === "session-start" || fact.type === "unknown") return [];
    if (fact.type === "call")
      return [{ ...fact, call: { name: fact.call.name, input: fact.call.input, id: nth(fact.call.id) } }];
    if (fact.type === "turn-start" || fact.type === "answer-end")
      return [{ ...fact, model: "", usage: undefined, cost: undefined, state: undefined }];
    if (fact.type === "turn-end") return [{ ...fact, verified: fact.verified.map(nth) }];
    return "callId" in fact ? [] : [fact];
  });
  const ofCall = (id: string) =>
    entries.flatMap((entry) => {
      if (!("callId" in entry) || entry.callId !== id) return [];
      const { v: _v, seq: _seq, at: _at, turn: _turn, callId: _callId, ...fact } = entry;
      return [fact];
    });
  return [...plain, ...ids.map((id) => [nth(id), ...ofCall(id)])];
}

async function answerAll(session: LiveSession): Promise<void> {
  session.log.listen((event) => {
    if (event.type !== "approval-asked") return;
    queueMicrotask(
      () =>
        void session.command({
          type: "answer-approval",
          callId: event.callId,
          answer: "allow",
          scope: "once",
          by: "test",
        }),
    );
  });
  const sent = await session.command({ type: "send", content: [{ type: "text", text: "Do the task." }] });
  expect(sent).toEqual({ ok: true });
  await session.log.until((entry) => entry.type === "turn-end", AbortSignal.timeout(60_000), 0);
  await session.idle();
}

describe("the same scripted task on every road", () => {
  let state = "";
  const seen = new Map<string, unknown[]>();
  beforeAll(async () => {
    state = await mkdtemp(join(tmpdir(), "toolwright-road-"));
  });
  afterAll(() => rm(state, { recursive: true }));

  test.each(roads.map((road) => [road.name, road] as const))(
    "completes over %s, however its bytes are split",
    async (name, road) => {
      const workspace = await temporaryWorkspace({ "a.txt": 'say "one"\n', "b.txt": "b\n" });
      const server = await serveModel(road.serve, {
        chunk: 7,
        ...(road.capabilities ? { capabilities: road.capabilities } : {}),
      });
      const argv = [
        "--model",
        road.model,
        "--cwd",
        workspace.root,
        "--state-dir",
        state,
        ...(road.flags ?? []),
      ];
      const parsed = parseArguments(argv, {});
      if (!parsed.ok) throw new Error(parsed.problem);
      const env = { HOME: state, ...road.env(server.url) };
      const settings = await loadConfig({ arguments: parsed.value, env, cwd: workspace.root });
      if (!settings.ok) throw new Error(settings.problem);
      const runtime = await startRuntime(settings.value, { env, interactive: true });
      if (!runtime.ok) throw new Error(runtime.problem);
      const opened = await runtime.value.open({});
      if (!opened.ok) throw new Error(opened.problem);
      await answerAll(opened.value);

      expect(await workspace.read("a.txt")).toBe('say "two\\n"\n');
      expect(conversation(opened.value.state).at(-1)?.text).toContain("«größe» and \u{1F600}");
      expect(opened.value.state.usage.inputTokens).toBeGreaterThan(0);
      seen.set(name, comparable(opened.value.log.entries));
      await opened.value.close();
      await runtime.value.close();
      await server.close();
      await workspace.remove();
    },
  );

  test("leaves the same facts everywhere, except for ids and sources", () => {
    const [first, ...others] = [...seen.values()];
    expect(others).toHaveLength(roads.length - 1);
    for (const other of others) expect(other).toEqual(first);
  });
});
