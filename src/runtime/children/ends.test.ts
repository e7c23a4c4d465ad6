import { expect, test } from "vitest";
import { ModelError } from "../../protocol/model-events.ts";
import type { ScriptedAnswer } from "../../providers/scripted-model.ts";
import { give, of, parentSession, readFileCall, resultIn, write } from "../../testing/parent.ts";
import { tools } from "../../tools/index.ts";
import { defineTool } from "../../tools/tool.ts";

/** A timer that expires for every subagent once this has happened, and never before. */
const lateAfter = (moment: Promise<unknown>) => (late: () => void) => {
  void moment.then(late);
  return () => undefined;
};

test("a hanging subagent is ended at its time limit, and its findings so far are returned as partial", async () => {
  const never = new Promise<never>(() => {});
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const hang = (): ScriptedAnswer => {
    reached.resolve();
    return [{ say: "Hm" }, { wait: never }];
  };
  const context = await parentSession(
    {
      Ask: (round) => (round === 1 ? [give({ task: "Hang" }), give({ task: "Work" })] : [{ say: "Told." }]),
      Hang: (round) => (round === 1 ? [{ say: "I begin with a.txt." }, readFileCall("a.txt")] : hang()),
      Work: () => [{ say: "Found." }],
    },
    {
      files: { "a.txt": "green\n" },
      subagents: { timer: lateAfter(Promise.all([reached.promise, gate.promise])) },
    },
  );
  context.session.log.listen(
    (event) => event.type === "child-ended" && event.outcome === "ok" && gate.resolve(),
  );
  await context.ask("Ask both.");
  const results = of(context.facts(), "result");
  const [hung] = results.filter(({ outcome }) => outcome === "timeout");
  const words = hung?.content.flatMap((part) => (part.type === "text" ? part.text : [])).join("") ?? "";
  expect(words).toMatch(/^\[Partial: the subagent did not finish: its time was over \(10 min\)\./u);
  expect(words).toContain("I begin with a.txt.");
  expect(words).toContain("- Read a.txt:\n");
  expect(words).toContain("green");
  expect(hung?.metadata).toMatchObject({ ended: "time", partial: true });
  expect(results.map(({ outcome }) => outcome).toSorted()).toEqual(["ok", "timeout"]);
  expect(of(context.facts(), "turn-end")).toMatchObject([{ stopped: "done" }]);
  const children = await context.store.children(context.session.id);
  for (const { id } of children) {
    const facts = await context.store.read(id, 0);
    expect(facts.at(-1)).toMatchObject({ type: "turn-end" });
    expect(await context.store.holder(id)).toBeUndefined();
  }
});

test("a subagent whose tool never ends is left behind, and its parent continues", async () => {
  const reached = Promise.withResolvers<void>();
  const stuck = defineTool({
    name: "stuck",
    summary: "Never ends.",
    does: "read",
    input: {},
    title: () => "Be stuck",
    run: () => {
      reached.resolve();
      return new Promise<never>(() => {});
    },
  });
  const context = await parentSession(
    {
      Ask: (round) => (round === 1 ? [give({ task: "Stick" })] : [{ say: "Told." }]),
      Stick: () => [{ call: "stuck", with: {} }],
    },
    { tools: [...tools, stuck], subagents: { timer: lateAfter(reached.promise), endingMs: 50 } },
  );
  await context.ask("Ask it.");
  expect(resultIn(context)).toMatchObject({
    outcome: "timeout",
    words: expect.stringContaining("What it was at has not ended yet, and may still do something."),
  });
  expect(of(context.facts(), "turn-end")).toMatchObject([{ stopped: "done", text: "Told." }]);
});

test("a subagent whose model fails reports why, and one at its round limit reports what it found", async () => {
  const down = new ModelError("bad-request", "The model is gone.");
  const context = await parentSession(
    {
      Ask: (round) =>
        round === 1 ? [give({ task: "Fail" }), give({ task: "Look", max_rounds: 2 })] : [{ say: "Told." }],
      Fail: () => [{ fail: down }],
      Look: (round) => [{ say: `Step ${round}.` }, readFileCall(`${round}.txt`)],
    },
    { files: { "1.txt": "one\n", "2.txt": "two\n" } },
  );
  await context.ask("Ask both.");
  const words = [resultIn(context, 0).words, resultIn(context, 1).words].toSorted();
  expect(words[0]).toContain("did not finish: The model is gone. Nothing");
  expect(words[1]).toContain("did not finish: the limit of 2 rounds was reached");
  expect(words[1]).toContain("What it had said:\nStep 1.\n\nStep 2.");
  expect(of(context.facts(), "result").map(({ outcome }) => outcome)).toEqual(["failed", "failed"]);
  expect(of(context.facts(), "turn-end")).toMatchObject([{ stopped: "done" }]);
});

test("subagents that together exhaust their parent's token limit are ended, and the turn stops at the limit", async () => {
  const context = await parentSession(
    {
      Ask: () => [
        give({ task: "Look 1" }),
        give({ task: "Look 2" }),
        { usage: { inputTokens: 10, outputTokens: 0 } },
      ],
      Look: (round) => [
        { say: `Step ${round}.` },
        { call: "list_files", with: {} },
        { usage: { inputTokens: 100, outputTokens: 0 } },
      ],
    },
    { limits: { maxTokens: 500 } },
  );
  await context.ask("Ask both.");
  const results = of(context.facts(), "result");
  expect(results.some(({ metadata }) => metadata?.["ended"] === "budget")).toBe(true);
  expect(results.every(({ outcome }) => outcome === "failed")).toBe(true);
  expect(of(context.facts(), "turn-end")).toMatchObject([{ stopped: "limit" }]);
  expect(context.session.state.usage.inputTokens).toBeLessThan(800);
});

test("an interruption ends subagents and keeps their changes, and the next request is accepted", async () => {
  const gate = Promise.withResolvers<void>();
  const context = await parentSession({
    Ask: (round) =>
      round === 1 ? [give({ task: "Change", allowed_tools: ["write_file"] })] : [{ say: "Done." }],
    Change: (round) => {
      if (round === 1) return [write("a.txt", "new\n")];
      gate.resolve();
      return [{ wait: new Promise<never>(() => {}) }];
    },
    Next: () => [{ say: "Here." }],
  });
  const { session, facts, workspace, store } = context;
  const asked = context.ask("Ask it.");
  await gate.promise;
  await session.command({ type: "interrupt" });
  await asked;
  expect(of(facts(), "turn-end")).toMatchObject([{ stopped: "interrupted", changed: ["a.txt"] }]);
  expect(of(facts(), "child-ended")).toMatchObject([{ outcome: "cancelled" }]);
  const [child] = await store.children(session.id);
  expect((await store.read(child?.id ?? "", 0)).at(-1)).toMatchObject({
    type: "turn-end",
    stopped: "interrupted",
  });
  expect(await session.command({ type: "undo" })).toEqual({ ok: true });
  expect(await workspace.files()).toEqual([]);
  await context.ask("Next.");
  expect(of(facts(), "turn-end").at(-1)).toMatchObject({ stopped: "done" });
});
