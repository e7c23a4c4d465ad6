import { afterEach, expect, test } from "vitest";
import type { Prompt } from "../providers/provider.ts";
import { scriptedModel } from "../providers/scripted-model.ts";
import { testSession, type TestSession } from "../testing/session.ts";

const open: TestSession[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});

/** The user-side text of a prompt. */
const told = ({ messages }: Prompt): string[] =>
  messages.flatMap(({ role, content }) =>
    role === "user" ? content.map((part) => (part.type === "text" ? part.text : "")) : [],
  );

const plan = /^Plan mode is on: [^|]*$/;
const off = /^The mode plan is off now: [^|]*$/;

test("a mode's instructions come with the request once, and are revoked once when the mode is over", async () => {
  const model = scriptedModel([[{ say: "a" }], [{ say: "b" }], [{ say: "c" }], [{ say: "d" }]]);
  const opened = await testSession(model, { mode: "plan" });
  open.push(opened);
  await opened.ask("one");
  await opened.ask("two");
  await opened.session.command({ type: "set-mode", mode: "ask" });
  await opened.ask("three");
  await opened.session.command({ type: "set-mode", mode: "auto" });
  await opened.ask("four");
  const last = model.prompts.at(-1);
  expect(last && told(last)).toEqual([
    "one",
    expect.stringMatching(plan),
    "two",
    "three",
    expect.stringMatching(off),
    "four",
  ]);
  expect(new Set(model.prompts.map(({ system }) => system)).size).toBe(1);
});

test("a mode set during an answer is announced after it, and earlier messages stay unchanged", async () => {
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel([
    [{ say: "I read." }, { wait: gate.promise }, { call: "read_file", with: { path: "a.txt" } }],
    [{ say: "I plan." }],
    [{ say: "I do it." }],
  ]);
  const opened = await testSession(model, { files: { "a.txt": "a\n" } });
  open.push(opened);
  const asked = opened.ask("Go.");
  await opened.session.log.until((entry) => entry.type === "turn-start", AbortSignal.timeout(60_000), 0);
  await opened.session.command({ type: "set-mode", mode: "plan" });
  gate.resolve();
  await asked;
  const [first, second] = model.prompts;
  expect(second?.messages.slice(0, 1)).toEqual(first?.messages);
  expect(second && told(second)).toEqual(["Go.", expect.stringMatching(plan)]);
  expect(second?.system).toBe(first?.system);
  await opened.session.command({ type: "set-mode", mode: "ask" });
  await opened.ask("Do it.");
  const third = model.prompts.at(-1);
  expect([third?.system, third?.tools]).toEqual([second?.system, second?.tools]);
});

test("a mode's instructions are repeated after a compaction", async () => {
  const long = "We could do it like this, or like that. ".repeat(200);
  let round = 0;
  const model = scriptedModel(({ tools }) => {
    if (tools.length === 0) return [{ say: "They talk about how to do it." }];
    round += 1;
    return [{ say: round < 4 ? long : "Yes." }];
  });
  const opened = await testSession(model, { mode: "plan" });
  open.push(opened);
  for (const words of ["one", "two", "three"]) await opened.ask(words);
  await opened.session.command({ type: "compact" });
  await opened.session.idle();
  expect(opened.session.state.compactions).toBe(1);
  await opened.ask("four");
  const last = model.prompts.at(-1);
  expect(last && told(last).slice(-2)).toEqual(["four", expect.stringMatching(plan)]);
});
