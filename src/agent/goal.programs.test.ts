/** Tests goals: a turn goes on until its goal is met and verified, within the turn's limits. */

import { expect, test } from "vitest";
import type { Entry, FactOf } from "../protocol/facts.ts";
import { textOf } from "../protocol/messages.ts";
import { ModelError } from "../protocol/model-events.ts";
import { type ModelScript, scriptedModel, type ScriptedAnswer } from "../providers/scripted-model.ts";
import { openMemoryStore } from "../session/sqlite/memory-store.ts";
import { endOf, sessionForTest } from "../testing/scripted-session.ts";
import type { TestSessionOptions } from "../testing/session.ts";
import { go, write } from "../testing/turns.ts";
import { temporaryWorkspace } from "../testing/workspace.ts";
import { verdictIn } from "./goal.ts";

const goal = { type: "set-goal", condition: "a.txt says x" } as const;
const look = { call: "read_file", with: { path: "a.txt" } };
const check = { call: "run_command", with: { command: "npm test" } };
const packageFile = { "package.json": JSON.stringify({ scripts: { test: "exit 0" } }) };
const usage = { usage: { inputTokens: 900, outputTokens: 100 } };

async function start(script: ModelScript, options: TestSessionOptions = {}) {
  const model = scriptedModel(script);
  const opened = await sessionForTest(model, { mode: "auto", files: { "a.txt": "x\n" }, ...options });
  await opened.session.command(goal);
  const run = async () => {
    await opened.session.command(go);
    await opened.session.idle();
  };
  return { ...opened, model, run };
}

const of = <Type extends Entry["type"]>(facts: readonly Entry[], type: Type) =>
  facts.filter((fact): fact is Extract<Entry, { type: Type }> => fact.type === type);
const verdicts = (facts: readonly Entry[]) =>
  of(facts, "goal-judged").map(({ met, because }: FactOf<"goal-judged">) => ({ met, because }));

test("a turn whose goal is not met goes on, and ends once the model has evidence; then there is no goal any more", async () => {
  const { run, facts, session, model } = await start([
    [{ say: "Done." }],
    [{ say: "NOT MET: nobody has read the file." }],
    [look],
    [{ say: "It says x." }],
    [{ say: "**MET**: read_file shows x." }],
  ]);
  await run();
  expect(verdicts(facts())).toEqual([
    { met: false, because: "nobody has read the file." },
    { met: true, because: "read_file shows x." },
  ]);
  expect(of(facts(), "nudge").map(({ code }) => code)).toEqual(["goal-not-met"]);
  expect(endOf(facts())).toMatchObject({ stopped: "done", text: "It says x." });
  expect(session.state.goal).toBeUndefined();
  expect(model.prompts[1]?.toolChoice).toBe("none");
  expect(
    model.prompts[2]?.messages
      .map((message) => textOf(message.role === "assistant" ? [] : message.content))
      .join(""),
  ).not.toContain("MET: the evidence");
});

test("what was changed is checked before the model is believed, and the turn names what verified it", async () => {
  const { ask, facts } = await start(
    [
      [write("b.txt")],
      [{ say: "Done." }],
      [check],
      [{ say: "It passes." }],
      [{ say: "MET: npm test passes." }],
    ],
    { files: packageFile },
  );
  await ask("go");
  expect(of(facts(), "nudge").map(({ text }) => text)).toEqual([
    "Not done yet: nothing has checked your changes. Run `npm test`, mend what it finds, and go on until this goal is met: a.txt says x",
  ]);
  expect(endOf(facts())?.verified).toHaveLength(1);
});

test("a check that the model does not run is asked for twice, and then the verdict alone counts", async () => {
  const done: ScriptedAnswer = [{ say: "Done." }];
  const { run, facts } = await start([[write("b.txt")], done, done, done, [{ say: "MET: it is there." }]], {
    files: packageFile,
  });
  await run();
  expect(of(facts(), "nudge").map(({ code }) => code)).toEqual(["goal-unchecked", "goal-unchecked"]);
  expect(endOf(facts())).toMatchObject({ stopped: "done", verified: [] });
});

test("a model that only repeats that it is done is asked three times, and the turn says what is missing", async () => {
  const { run, facts, session } = await start(
    Array.from({ length: 4 }, (): ScriptedAnswer[] => [
      [{ say: "Done." }],
      [{ say: "NOT MET: it is not." }],
    ]).flat(),
  );
  await run();
  expect(verdicts(facts())).toHaveLength(4);
  expect(endOf(facts())).toMatchObject({ stopped: "limit", because: "the goal is not met: it is not." });
  expect(session.state.goal).toBe("a.txt says x");
});

test("the turn's limits hold: at the limit of rounds a person is asked, and a no ends it with the goal kept", async () => {
  const { run, facts, session } = await start([[{ say: "Done." }], [{ say: "NOT MET: no." }]], {
    maxRounds: 1,
    limits: { onLimit: "ask" },
  });
  await run();
  expect(session.state.limitAsked).toMatchObject({ limit: "rounds", most: 1 });
  await session.command({ type: "answer-limit", answer: "stop", by: "test" });
  await session.idle();
  expect(endOf(facts())).toMatchObject({ stopped: "limit" });
  expect(session.state.goal).toBe("a.txt says x");
});

test("verdicts are paid for: they count towards the turn and the session", async () => {
  const { run, session } = await start(
    [
      [{ say: "Done." }, usage],
      [{ say: "MET: seen." }, usage],
    ],
    { pricing: () => 0.5 },
  );
  await run();
  expect(session.state.cost).toBe(1);
  expect(session.state.turns[0]).toMatchObject({ cost: 1, usage: { inputTokens: 1_800 } });
});

test("a verdict that cannot be had is none: the model is told to go on", async () => {
  const { run, facts } = await start([
    [{ say: "Done." }],
    [{ fail: new ModelError("auth", "The key was refused.") }],
    [look],
    [{ say: "Done." }],
    [{ say: "MET: x." }],
  ]);
  await run();
  expect(verdicts(facts())[0]).toEqual({
    met: false,
    because: "the model gave no verdict: The key was refused.",
  });
});

test("an interruption during the verdict ends the turn; the goal is kept for the next one", async () => {
  const never = new Promise(() => undefined);
  const { session, facts } = await start([[{ say: "Done." }], [{ wait: never }]]);
  await session.command(go);
  await session.log.until(({ type }) => type === "answer-end", new AbortController().signal);
  await session.command({ type: "interrupt", by: "test" });
  expect(endOf(facts())).toMatchObject({ stopped: "interrupted" });
  expect(session.state.goal).toBe("a.txt says x");
});

test("a goal that is changed and then dropped during its verdicts does not stop the turn", async () => {
  const script = (_: unknown, round: number): ScriptedAnswer => {
    if (round === 1) return [{ say: "Done." }];
    const condition = round === 2 ? "b.txt says y" : undefined;
    return [{ wait: session.command({ type: "set-goal", condition }) }, { say: "MET: x." }];
  };
  const { session, run, facts } = await start(script);
  await run();
  const because = "it is the goal no more";
  expect(verdicts(facts())).toEqual([
    { met: false, because },
    { met: false, because },
  ]);
  expect(endOf(facts())).toMatchObject({ stopped: "done", text: "Done." });
});

test("a goal survives its program, and can be dropped", async () => {
  const workspace = await temporaryWorkspace({});
  const store = openMemoryStore();
  const first = await start([], { store, workspace });
  await first.session.close();
  const again = await sessionForTest(scriptedModel([[{ say: "Hello." }]]), {
    store,
    workspace,
    resume: first.session.id,
  });
  expect(again.session.state.goal).toBe("a.txt says x");
  await again.session.command({ type: "set-goal" });
  expect(again.session.state.goal).toBeUndefined();
  await again.session.command(go);
  await again.session.idle();
  expect(endOf(again.facts())).toMatchObject({ stopped: "done" });
  await workspace.remove();
});

test("setting the same goal again stores nothing; a blank one is refused", async () => {
  const { session, facts } = await start([]);
  const before = facts().length;
  await session.command(goal);
  expect(facts()).toHaveLength(before);
  expect(await session.command({ type: "set-goal", condition: " \n" })).toEqual({
    ok: false,
    problem: "A goal needs a condition: say what has to be true.",
  });
});

test.each([
  ["MET: npm test passes", { met: true, because: "npm test passes" }],
  ["> **NOT MET** — two tests fail\nMET: never", { met: false, because: "two tests fail" }],
  ["Let me think.\nmet: yes", { met: true, because: "yes" }],
  ["MET", { met: false, because: "the model gave no evidence" }],
  ["I have met it before", { met: false, because: "the model gave no clear verdict" }],
  ["", { met: false, because: "the model gave no clear verdict" }],
])("a verdict is read from %j", (text, verdict) => {
  expect(verdictIn(text)).toEqual(verdict);
});
