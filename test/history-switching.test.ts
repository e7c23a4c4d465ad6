import { afterAll, beforeAll, expect, test } from "vitest";
import type { Expected } from "../src/base/expected.ts";
import type { ContentPart } from "../src/protocol/messages.ts";
import { chooseModel } from "../src/providers/discover.ts";
import { openModel } from "../src/providers/open-model.ts";
import type { Model } from "../src/providers/provider.ts";
import { scriptedModel, type ScriptedAnswer } from "../src/providers/scripted-model.ts";
import type { LiveSession } from "../src/runtime/live-session.ts";
import { openSession } from "../src/runtime/open-session.ts";
import { openMemoryStore } from "../src/session/sqlite/memory-store.ts";
import { testPicture } from "../src/testing/pictures.ts";
import { serveModel, type ServedModel } from "../src/testing/scripted-server.ts";
import { temporaryWorkspace, type TemporaryWorkspace } from "../src/testing/workspace.ts";
import { tools } from "../src/tools/index.ts";
import { wires } from "../src/wires/index.ts";
import { wireNames, type WireName } from "../src/wires/wire.ts";
import { complaintsOf } from "./support/valid-requests.ts";

/** One session with turns on each wire in turn and back, with everything that providers sign. */

const signed = {
  anthropic: {
    from: "anthropic",
    value: { type: "thinking", thinking: "Hm.", signature: "signed by Anthropic" },
  },
  openai: {
    from: "openai-responses",
    value: { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "signed by OpenAI" },
  },
  gemini: { from: "gemini", value: "signed by Google" },
};
const read = { call: "read_file", with: { path: "a.txt" } };
const asText = {
  say: `<tool_call>\n${JSON.stringify({ name: read.call, arguments: read.with })}\n</tool_call>`,
};

/** For each turn: the model, the user's text, and the model's answers. */
const turns: readonly { model: string; says: string; answers: readonly ScriptedAnswer[] }[] = [
  {
    model: "anthropic/claude-sonnet-5-5",
    says: "First, «größe».",
    answers: [
      [
        { think: "Hm.", state: signed.anthropic },
        { ...read, id: "toolu_01" },
        { ...read, id: "toolu_02" },
      ],
      [{ think: "Hm.", state: signed.anthropic }, { say: "Read by Claude." }],
    ],
  },
  {
    model: "openai/gpt-5.5",
    says: "Second, \u{1F600}.",
    answers: [
      [
        { think: "So.", state: signed.openai },
        { ...read, id: `call_${"x".repeat(70)}` },
      ],
      [{ think: "So.", state: signed.openai }, { say: "Read by GPT." }],
    ],
  },
  {
    model: "gemini/gemini-3-pro",
    says: "Third.",
    answers: [
      [{ ...read, id: "function:1", state: signed.gemini }],
      [{ say: "Read by Gemini." }, { state: signed.gemini }],
    ],
  },
  { model: "ollama/plain:1b", says: "Fourth.", answers: [[asText], [{ say: "Read by a model of text." }]] },
  { model: "cohere/command-x", says: "Fifth.", answers: [[read], [{ say: "Read by Command." }]] },
  { model: "openai-compatible/any", says: "Sixth.", answers: [[read], [{ say: "Read by any." }]] },
  { model: "anthropic/claude-sonnet-5-5", says: "Seventh.", answers: [[read], [{ say: "Again Claude." }]] },
  { model: "openai/gpt-5.5", says: "Eighth.", answers: [[read], [{ say: "Again GPT." }]] },
  { model: "gemini/gemini-3-pro", says: "Ninth.", answers: [[read], [{ say: "Again Gemini." }]] },
  { model: "anthropic/claude-haiku-4-5", says: "Tenth.", answers: [[read], [{ say: "Haiku." }]] },
];
const script = turns.flatMap(({ answers }) => answers);

let server: ServedModel;
let workspace: TemporaryWorkspace;
beforeAll(async () => {
  workspace = await temporaryWorkspace({ "a.txt": "one\n" });
  server = await serveModel(scriptedModel(script, { pieces: 7 }), { capabilities: ["completion"] });
});
afterAll(async () => {
  await server.close();
  await workspace.remove();
});

async function opened(name: string): Promise<Expected<Model>> {
  const { url } = server;
  const env = {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "key-for-tests",
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: "key-for-tests",
    GOOGLE_GEMINI_BASE_URL: `${url}/v1beta`,
    GEMINI_API_KEY: "key-for-tests",
    CO_API_URL: url,
    COHERE_API_KEY: "key-for-tests",
    OLLAMA_HOST: url,
    OPENAI_COMPATIBLE_BASE_URL: `${url}/v1`,
  };
  const found = await chooseModel({ named: name, env });
  if (!found.ok) return { ok: false, problem: found.message };
  return { ok: true, value: await openModel(found.choice, { reasoning: "high" }) };
}

async function started(): Promise<LiveSession> {
  const model = await opened(turns[0]?.model ?? "");
  if (!model.ok) throw new Error(model.problem);
  const session = await openSession({
    store: openMemoryStore(),
    model: model.value,
    openModel: opened,
    tools,
    workspace: workspace.root,
    mode: "ask",
    rules: [],
    interactive: true,
  });
  if (!session.ok) throw new Error(session.problem);
  return session.value;
}

type Sent = { wire: WireName; turn: number; body: unknown };

function sentIn(turn: number, from: number): Sent[] {
  return server.requests.slice(from).flatMap(({ path, body }): Sent[] => {
    const wire = wireNames.find((name) => wires[name].match(path) !== undefined);
    return wire ? [{ wire, turn, body }] : [];
  });
}

test("a session switches between providers and back, and each accepts the history of the others", async () => {
  const session = await started();
  const sent: Sent[] = [];
  const picture = testPicture();
  for (const [at, { model, says }] of turns.entries()) {
    const before = server.requests.length;
    expect(await session.command({ type: "set-model", model })).toEqual({ ok: true });
    const content: ContentPart[] = [{ type: "text", text: says }, ...(at === 0 ? [picture] : [])];
    expect(await session.command({ type: "send", content })).toEqual({ ok: true });
    await session.idle();
    sent.push(...sentIn(at, before));
    expect(session.state.turns.at(-1)).toMatchObject({ stopped: "done", answers: 2 });
  }
  expect(sent).toHaveLength(script.length);
  for (const { wire, turn, body } of sent) {
    expect({ turn, said: complaintsOf(wire, body) }).toEqual({ turn, said: [] });
    const text = JSON.stringify(body);
    for (const { says } of turns.slice(0, turn + 1)) expect(text).toContain(says);
    for (const [maker, models] of Object.entries(makers))
      if (!models.includes(turns[turn]?.model ?? "")) expect(text).not.toContain(maker);
  }
  const last = (turn: number): string =>
    JSON.stringify(sent.filter((each) => each.turn === turn).at(-1)?.body);
  expect(last(6).split("signed by Anthropic")).toHaveLength(3);
  expect(last(7).split("signed by OpenAI")).toHaveLength(3);
  expect(last(8).split("signed by Google")).toHaveLength(3);
  expect(last(3)).toContain("A picture (image/png), which this model cannot see.");
  expect(last(3)).not.toContain(picture.data);
  expect(last(5)).toContain(picture.data);
  await session.close();
});

const makers = {
  "signed by Anthropic": ["anthropic/claude-sonnet-5-5"],
  "signed by OpenAI": ["openai/gpt-5.5"],
  "signed by Google": ["gemini/gemini-3-pro"],
};
