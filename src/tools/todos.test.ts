import { expect, test } from "vitest";
import type { JsonObject } from "../base/json.ts";
import { scriptedModel } from "../providers/scripted-model.ts";
import { testSession } from "../testing/session.ts";
import { temporaryWorkspace } from "../testing/workspace.ts";
import { testContext } from "./testing/context.ts";
import { todos } from "./todos.ts";

async function kept(input: JsonObject) {
  const prepared = todos.prepare(input);
  if (!prepared.ok) return { words: prepared.problem, list: undefined };
  const workspace = await temporaryWorkspace({});
  const context = testContext(workspace.root);
  const produced = await prepared.value.run(context);
  context.files.close();
  await workspace.remove();
  const words = produced.content.flatMap((part) => (part.type === "text" ? part.text : [])).join();
  return { words, list: produced.todos };
}

test("the model sends the whole list and gets the new state back", async () => {
  const items = [
    { text: "Look", state: "done" },
    { text: "Write", state: "doing" },
    { text: "Check", state: "open" },
  ];
  expect(await kept({ items })).toEqual({
    words: "The list now:\n1. [x] Look\n2. [>] Write\n3. [ ] Check",
    list: items,
  });
  expect(await kept({ items: [] })).toEqual({ words: "The list is empty now.", list: [] });
});

test("working on one item at a time is advice, never an error; bare strings are open items", async () => {
  expect((await kept({ todos: ["Look", "Write"] })).words).toBe(
    "The list now:\n1. [ ] Look\n2. [ ] Write\nMark what you do next as doing.",
  );
  const both = [
    { content: "Look", status: "doing" },
    { content: "Write", status: "DOING" },
  ];
  expect((await kept({ todos: both })).words).toBe(
    "The list now:\n1. [>] Look\n2. [>] Write\nBetter have one thing doing at a time.",
  );
});

test.each<[JsonObject, string]>([
  [{}, `"items" is required`],
  [{ items: Array.from({ length: 101 }, () => "x") }, `"items" must have at most 100 items`],
  [{ items: ["x".repeat(501)] }, `"items[0].text" must have at most 500 characters`],
  [{ items: [{ text: "x", state: "someday" }] }, `"items[0].state" must be one of "open", "doing", "done"`],
])("a list that is too long or has invalid items is refused with the problem", async (input, problem) => {
  expect((await kept(input)).words).toContain(problem);
});

test("each list is a fact, the last one counts, and it may be set in plan mode and without a person", async () => {
  const call = (text: string) => ({ call: "todos", with: { items: [{ text, state: "open" }] } });
  const model = scriptedModel([
    [call("one"), call("two")],
    [call("three"), call("four")],
    [{ say: "Done." }],
  ]);
  const { session, ask, facts, close } = await testSession(model, { mode: "plan", interactive: false });
  await ask("Go.");
  expect(session.state.todos).toEqual([{ text: "four", state: "open" }]);
  expect(
    facts().flatMap((fact) => (fact.type === "todos-set" ? fact.items.map(({ text }) => text) : [])),
  ).toEqual(["one", "two", "three", "four"]);
  await close();
});
