/** Tests side questions: answered from the conversation, beside a turn, paid for, and never told to the model again. */

import { expect, test } from "vitest";
import { ModelError } from "../protocol/model-events.ts";
import { scriptedModel } from "../providers/scripted-model.ts";
import { sessionForTest } from "../testing/scripted-session.ts";
import { go } from "../testing/turns.ts";

const usage = { usage: { inputTokens: 900, outputTokens: 100 } };

test("a side question is answered from the conversation, and no later prompt has a trace of it", async () => {
  const model = scriptedModel([
    [{ say: "Hello." }],
    [{ say: "The port is 80." }, { call: "read_file", with: { path: "a" } }, usage],
    [{ say: "Bye." }],
  ]);
  const { session, facts } = await sessionForTest(model, { pricing: () => 0.25 });
  await session.command(go);
  await session.idle();
  const { cost } = session.state;
  expect(await session.aside("Which port was it?")).toEqual({ ok: true });
  expect(facts().at(-1)).toMatchObject({
    type: "aside-answered",
    question: "Which port was it?",
    reason: "stop",
    text: "The port is 80.",
    cost: 0.25,
  });
  expect(session.state.cost).toBe(cost + 0.25);
  expect(session.state.turns[0]?.cost).toBe(cost);
  await session.command(go);
  await session.idle();
  expect(model.prompts[1]?.messages.slice(0, 2)).toEqual(model.prompts[2]?.messages.slice(0, 2));
  expect(JSON.stringify(model.prompts[1])).toContain("Which port was it?");
  expect(JSON.stringify(model.prompts[2]?.messages)).not.toMatch(/port/iu);
});

test("it is answered while a turn runs, whose answer goes on undisturbed", async () => {
  const gate = Promise.withResolvers<undefined>();
  const model = scriptedModel(({ toolChoice }) =>
    toolChoice === "none" ? [{ say: "Three." }] : [{ say: "One " }, { wait: gate.promise }, { say: "two." }],
  );
  const { session, facts } = await sessionForTest(model);
  await session.command(go);
  await session.aside("What comes after two?");
  gate.resolve(undefined);
  await session.idle();
  expect(facts().flatMap((fact) => ("text" in fact ? [`${fact.type}: ${fact.text}`] : []))).toEqual([
    "aside-answered: Three.",
    "text: One two.",
    "turn-end: One two.",
  ]);
});

test("an interruption gives it up, and says so; a session that closes does, too", async () => {
  const never = new Promise(() => undefined);
  const model = scriptedModel([[{ wait: never }], [{ wait: never }]]);
  const { session, facts } = await sessionForTest(model);
  const first = session.aside("Why?");
  await session.command({ type: "interrupt", by: "test" });
  await first;
  const second = session.aside("Why not?");
  await session.close();
  await second;
  expect(facts().flatMap((fact) => (fact.type === "aside-answered" ? [fact.reason] : []))).toEqual([
    "interrupted",
    "interrupted",
  ]);
  expect(await session.aside("Still there?")).toMatchObject({ ok: false });
});

test("a failure of the model is the answer, and costs nothing unknown", async () => {
  const model = scriptedModel([[{ fail: new ModelError("auth", "The key was refused.") }]]);
  const { session, facts } = await sessionForTest(model);
  await session.aside("Why?");
  expect(facts().at(-1)).toMatchObject({
    reason: "failed",
    text: "There is no answer: The key was refused.",
  });
  expect(session.state.unpriced).toBe(0);
});
