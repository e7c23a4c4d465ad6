/** A model that fails for good has a substitute: who goes on, what is told, and when the turn ends all the same. */

import { expect, test } from "vitest";
import { ModelError, type ModelErrorKind } from "../../protocol/model-events.ts";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { testSession } from "../../testing/session.ts";
import type { Model } from "./models.ts";

const failing = (name: string, kind: ModelErrorKind = "overloaded", message = "It is overloaded.") =>
  scriptedModel(() => [{ fail: new ModelError(kind, message) }], { name });
const answering = (name: string) => scriptedModel(() => [{ say: `I am ${name}.` }], { name });

/** A session whose model is the first; the others go on in their order. A name alone cannot be opened. */
async function sessionOf(first: Model, ...others: readonly (Model | string)[]) {
  const models = [first, ...others.filter((one) => typeof one !== "string")];
  const started = await testSession(first, {
    files: { "a.txt": "alpha\n" },
    fallback: others.map((one) => (typeof one === "string" ? one : one.name)),
    openModel: async (name) => {
      const value = models.find((model) => model.name === name);
      return value ? { ok: true, value } : { ok: false, problem: "It is not there." };
    },
  });
  const told = () =>
    started
      .facts()
      .flatMap((fact) =>
        fact.type === "warning"
          ? [fact.text]
          : fact.type === "model-set"
            ? [`${fact.by}: ${fact.model}`]
            : [],
      );
  return { ...started, told };
}

test.each<ModelErrorKind>(["overloaded", "auth", "unknown-model", "rate-limit", "network", "bad-request"])(
  "a model that fails for good (%s) is left for the next one within the turn, which is told with the reason",
  async (kind) => {
    const { ask, session, told, close } = await sessionOf(failing("one", kind), answering("two"));
    await ask("Who are you?");
    expect(session.state.turns[0]).toMatchObject({ stopped: "done", text: "I am two." });
    expect(told()).toEqual(["one failed: It is overloaded. two goes on.", "toolwright: two"]);
    await close();
  },
);

test("the substitute stays for the session, until a person chooses a model: then all are there again", async () => {
  const one = failing("one");
  const two = answering("two");
  const { ask, session, told, close } = await sessionOf(one, two);
  await ask("First.");
  await ask("Second.");
  expect([one.prompts.length, two.prompts.length]).toEqual([1, 2]);
  await session.command({ type: "set-model", model: "one" });
  await ask("Third.");
  expect([one.prompts.length, two.prompts.length]).toEqual([2, 3]);
  expect(told().filter((line) => line.startsWith("toolwright: "))).toEqual([
    "toolwright: two",
    "toolwright: two",
  ]);
  await close();
});

test("what cannot be opened is passed over and told, and when none is left the last failure ends the turn", async () => {
  const last = failing("three", "auth", "The key was refused.");
  const { ask, session, told, close } = await sessionOf(failing("one"), "two", last);
  await ask("Go.");
  expect(session.state.turns[0]?.stopped).toBe("failed");
  expect(session.state.turns[0]?.text).toContain("The key was refused.");
  expect(told()[0]).toBe(
    "one failed: It is overloaded. two cannot be opened: It is not there. three goes on.",
  );
  await close();
});

test("calls that were done before the failure stay done, and the substitute goes on after them", async () => {
  const one = scriptedModel(
    (_, round) =>
      round === 1
        ? [{ call: "read_file", with: { path: "a.txt" } }]
        : [{ fail: new ModelError("auth", "The key was refused.") }],
    { name: "one" },
  );
  const two = answering("two");
  const { ask, session, close } = await sessionOf(one, two);
  await ask("Read it.");
  expect(session.state.turns[0]).toMatchObject({ stopped: "done", text: "I am two." });
  expect(JSON.stringify(two.prompts[0]?.messages)).toContain("alpha");
  await close();
});

test("a history that is too long for a model goes to the next one, which is asked with all of it", async () => {
  const small = scriptedModel(() => [{ say: "Never." }], { name: "small", contextTokens: 3_000 });
  const large = answering("large");
  const { ask, session, told, close } = await sessionOf(small, large);
  const long = "word ".repeat(9_000);
  await ask(long);
  expect(session.state.turns[0]).toMatchObject({ stopped: "done", text: "I am large." });
  expect(JSON.stringify(large.prompts[0]?.messages)).toContain(long);
  expect(told()[0]).toMatch(/^small failed: the conversation is too long for the model .* large goes on\.$/u);
  await close();
});

test("an interruption, a limit and a model that declines are no reason for another model", async () => {
  const declines = scriptedModel(() => [{ say: "No." }, { end: "refusal" }], { name: "one" });
  const two = answering("two");
  const { ask, session, told, close } = await sessionOf(declines, two);
  await ask("Do it.");
  expect([session.state.turns[0]?.stopped, two.prompts.length, told()]).toEqual(["failed", 0, []]);
  await close();
});
