/** Tests when an answer without calls ends the turn, and what a model that stops too early is told (A11–A13, A27). */

import { expect, onTestFinished, test } from "vitest";
import { hermes } from "../../dialects/hermes.ts";
import type { Entry } from "../../protocol/facts.ts";
import { scriptedModel, type ModelScript, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import { taughtModel } from "../../providers/taught-model.ts";
import { openMemoryStore } from "../../session/sqlite/memory-store.ts";
import { endOf, sessionForTest } from "../../testing/scripted-session.ts";
import { testSession, type TestSessionOptions } from "../../testing/session.ts";
import { temporaryWorkspace } from "../../testing/workspace.ts";

async function run(
  script: ModelScript,
  options: TestSessionOptions & { request?: string; answer?: "deny" } = {},
) {
  const model = scriptedModel(script);
  const opened = await sessionForTest(model, { mode: "auto", completion: "marker", ...options });
  await opened.ask(options.request ?? "go", options.answer);
  return { ...opened, model, end: endOf(opened.facts()), nudges: nudgesIn(opened.facts()) };
}

const nudgesIn = (facts: readonly Entry[]): string[] =>
  facts.flatMap((fact) => (fact.type === "nudge" ? [fact.code] : []));
const say = (words: string): ScriptedAnswer => [{ say: words }];
const look: ScriptedAnswer = [{ call: "list_files", with: {} }];
const write: ScriptedAnswer = [{ call: "write_file", with: { path: "a.txt", content: "x" } }];
const goOn = "Continue with the task. Use tools or respond with [TASK_COMPLETE] if finished.";

test("A11: the first answer without calls gets a nudge to continue, and the second one ends the turn", async () => {
  const { nudges, end, model } = await run([say("I will look."), say("I have nothing to add.")]);
  expect(nudges).toEqual(["continue"]);
  expect(JSON.stringify(model.prompts[1]?.messages)).toContain(goOn);
  expect(end).toMatchObject({ stopped: "done", text: "I have nothing to add." });
});

test("A11: a request that contains the words of the nudge does not count as one", async () => {
  const { nudges } = await run([say("I will."), say("Done.")], { request: goOn });
  expect(nudges).toEqual(["continue"]);
});

test("A11: calls in between reset the count, and a turn gets at most five nudges", async () => {
  const { nudges, end, model } = await run(
    (_, round) => (round % 2 === 1 ? say(`${round}`) : [{ call: "read_file", with: { path: `${round}` } }]),
    { maxRounds: 100 },
  );
  expect(nudges).toEqual(Array.from({ length: 5 }, () => "continue"));
  expect(model.prompts).toHaveLength(11);
  expect(end).toMatchObject({ stopped: "done" });
});

test("A27: a model that marks its task as complete gets no nudge, and its marker is not logged", async () => {
  const { nudges, end, facts } = await run([look, say("All done. [task_complete]")]);
  expect(nudges).toEqual([]);
  expect(end).toMatchObject({ stopped: "done", text: "All done. " });
  expect(JSON.stringify(facts())).not.toMatch(/task_complete/i);
});

test("A27: the system prompt mentions the completion marker only under the marker policy", async () => {
  const told = await run([say("[TASK_COMPLETE]")]);
  expect(told.model.prompts[0]?.system).toContain("[TASK_COMPLETE]");
  const not = await run([say("Hello.")], { completion: "calls" });
  expect(not.model.prompts[0]?.system).not.toContain("[TASK_COMPLETE]");
  expect(not.nudges).toEqual([]);
});

test("A12: ending without the requested changes is refused twice, and the turn then ends with that reason", async () => {
  const claim = say("I have fixed it. [TASK_COMPLETE]");
  const { nudges, end, model } = await run([claim, look, claim, claim], { request: "Fix the bug in a.txt" });
  expect(nudges).toEqual(["nothing-written", "nothing-written"]);
  expect(model.prompts).toHaveLength(4);
  expect(end).toMatchObject({
    stopped: "done",
    because: "nothing was written, although the request asks for changes",
    changed: [],
  });
});

test("A12: a change written after the first refusal is enough", async () => {
  const { nudges, end } = await run([say("Done. [TASK_COMPLETE]"), write, say("Now. [TASK_COMPLETE]")], {
    request: "Create a.txt",
  });
  expect(nudges).toEqual(["nothing-written"]);
  expect(end).toMatchObject({ stopped: "done", text: "Now. ", changed: ["a.txt"] });
  expect(end?.because).toBeUndefined();
});

test.each<[string, Parameters<typeof run>[1], ScriptedAnswer[]]>([
  ["a question is asked", { request: "How would I change a.txt?" }, [say("Like this. [TASK_COMPLETE]")]],
  ["only a plan is wanted", { request: "Change a.txt", mode: "plan" }, [say("Step 1. [TASK_COMPLETE]")]],
  [
    "a person said no",
    { request: "Change a.txt", mode: "ask", answer: "deny" },
    [write, say("Ok. [TASK_COMPLETE]")],
  ],
  ["it is only staged", { request: "Change a.txt", mode: "staged" }, [write, say("See. [TASK_COMPLETE]")]],
  ["the model asks back", { request: "Change it" }, [say("Which file do you mean?"), say("Which one?")]],
  [
    "a command may have written",
    { request: "Add a file", mode: "ask" },
    [[{ call: "run_command", with: { command: "touch b.txt" } }], say("Done. [TASK_COMPLETE]")],
  ],
])("A12: ending without a change is accepted where %s", async (_, options, script) => {
  const { nudges, end } = await run(script, options);
  expect(nudges).not.toContain("nothing-written");
  expect(end).toMatchObject({ stopped: "done" });
  expect(end?.because).toBeUndefined();
});

test("A12: models taught to write their calls are reminded even without the marker policy; others are not", async () => {
  const script = [say("I have changed it."), say("I really have."), say("Yes.")];
  const nudgesOf = async (model: Parameters<typeof testSession>[0]) => {
    const opened = await sessionForTest(model);
    await opened.ask("Change a.txt");
    return nudgesIn(opened.facts());
  };
  expect(await nudgesOf(taughtModel(scriptedModel(script), hermes))).toEqual([
    "nothing-written",
    "nothing-written",
  ]);
  expect(await nudgesOf(scriptedModel(script))).toEqual([]);
});

test("A13: a model that says nothing is asked once for a summary, without tools, with its last six results", async () => {
  const reads = Array.from({ length: 8 }, (_, at): ScriptedAnswer => [
    { call: "read_file", with: { path: `${at}.txt` } },
  ]);
  const files = Object.fromEntries(reads.map((_, at) => [`${at}.txt`, `${at} of many lines\n`.repeat(300)]));
  const { nudges, end, model } = await run([...reads, [], [], say("I have read eight files.")], { files });
  expect(nudges).toEqual(["continue", "summary"]);
  expect(end).toMatchObject({ stopped: "done", text: "I have read eight files." });
  const last = model.prompts.at(-1);
  expect(last?.toolChoice).toBe("none");
  const asked =
    last?.messages
      .at(-1)
      ?.content.map((part) => (part.type === "text" ? part.text : ""))
      .join("") ?? "";
  expect([...asked.matchAll(/Read (\d)\.txt: ok/gu)].map(([, at]) => at)).toEqual([
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
  ]);
  expect(asked.length).toBeGreaterThan(6 * 2_000);
  expect(asked.length).toBeLessThan(6 * 2_100 + 400);
});

test("A13: a model that stays silent ends with a list of its calls, and a failed change is given as the reason", async () => {
  const wrong: ScriptedAnswer = [{ call: "edit_file", with: { path: "a.txt", old: "b", new: "c" } }];
  const { nudges, end } = await run([wrong, [], [], []], { files: { "a.txt": "a" } });
  expect(nudges).toEqual(["continue", "summary"]);
  expect(end?.because).toBe("the last change failed (Edit a.txt)");
  expect(end?.text).toContain("- Edit a.txt: failed");
});

test("E5: a turn without any text or call is a failure, unless the model said that it is done", async () => {
  const silent: ScriptedAnswer[] = [[], [{ say: "\n \n" }], [{ think: "Hm." }]];
  for (const answer of silent)
    expect((await run([answer], { completion: "calls" })).end).toMatchObject({
      stopped: "failed",
      because: "the model returned neither text nor a call",
    });
  expect((await run([[], []])).end).toMatchObject({ stopped: "failed" });
  expect((await run([say("[TASK_COMPLETE]")])).end).toMatchObject({ stopped: "done" });
  expect((await run([look, []], { completion: "calls" })).end).toMatchObject({ stopped: "done" });
});

test("A13: a message sent during the summary is worked on with tools", async () => {
  const gate = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const model = scriptedModel((_, round): ScriptedAnswer => {
    if (round === 4) asked.resolve();
    const answers = [look, [], [], [{ wait: gate.promise }, { say: "I looked." }], look, say("Again.")];
    return answers[round - 1] ?? say("Enough. [TASK_COMPLETE]");
  });
  const { session, close } = await testSession(model, { completion: "marker" });
  onTestFinished(() => close());
  const send = (text: string) => session.command({ type: "send", content: [{ type: "text", text }] });
  await send("Look around.");
  await asked.promise;
  await send("And once more.");
  gate.resolve();
  await session.idle();
  expect(model.prompts.slice(0, 6).map(({ toolChoice }) => toolChoice)).toEqual([
    undefined,
    undefined,
    undefined,
    "none",
    undefined,
    undefined,
  ]);
  expect(session.state.turns).toHaveLength(1);
});

test("a turn at its limit gets no nudge to continue", async () => {
  const { nudges, end } = await run([look, look, look, look, say("Enough.")], { maxRounds: 5 });
  expect(nudges).toEqual([]);
  expect(end).toMatchObject({ stopped: "done", text: "Enough." });
});

test("the count of nudges survives a restart", async () => {
  const store = openMemoryStore();
  const workspace = await temporaryWorkspace({});
  onTestFinished(() => workspace.remove());
  const options = { store, workspace, completion: "marker", mode: "auto" } as const;
  const [gate, isAsked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = await testSession(
    scriptedModel((_, round) => {
      if (round === 1) return say("I will.");
      isAsked.resolve();
      return [{ wait: gate.promise }];
    }),
    options,
  );
  await first.session.command({ type: "send", content: [{ type: "text", text: "Change a.txt" }] });
  await isAsked.promise;
  const second = await testSession(scriptedModel([say("I did."), say("Really.")]), {
    ...options,
    resume: first.session.id,
  });
  await second.session.command({ type: "go-on" });
  await second.session.idle();
  expect(nudgesIn(second.facts())).toEqual(["nothing-written", "nothing-written"]);
  expect(endOf(second.facts())).toMatchObject({ stopped: "done", text: "Really." });
  gate.resolve();
});

test("A27: the marker of a model that writes its calls as text is recognised, too", async () => {
  const model = taughtModel(scriptedModel([say("All done. [TASK_COMPLETE]")], { pieces: 2 }), hermes);
  const opened = await sessionForTest(model, { completion: "marker" });
  await opened.ask("go");
  expect(nudgesIn(opened.facts())).toEqual([]);
  expect(endOf(opened.facts())).toMatchObject({ stopped: "done", text: "All done. " });
});
