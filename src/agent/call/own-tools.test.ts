/** Tests tools of a program that keep no contract: whatever they do, the call fails and the turn goes on. */

import { expect, onTestFinished, test, vi } from "vitest";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { testSession } from "../../testing/session.ts";
import { defineTool, ok, type Tool } from "../../tools/tool.ts";
import { turnBounds } from "../bounds.ts";

/** The results of one call, in a session that is then asked for one more answer. */
async function called(tool: Tool): Promise<[outcome: string, words: string][]> {
  const model = scriptedModel([
    [{ call: tool.name, with: {} }],
    [{ say: "Done." }],
    [{ say: "Still there." }],
  ]);
  const { ask, facts, session, close } = await testSession(model, { tools: [tool] });
  await ask("Go.");
  await ask("Are you there?");
  expect(session.state.turns.map(({ text }) => text)).toEqual(["Done.", "Still there."]);
  const results = facts().flatMap((fact): [string, string][] =>
    fact.type === "result" ? [[fact.outcome, JSON.stringify(fact.content)]] : [],
  );
  await close();
  return results;
}

const readTool = (more: { title?: () => string; run?: () => unknown }): Tool =>
  defineTool({
    name: "mine",
    does: "read",
    summary: "A tool of a program.",
    input: {},
    title: () => "Mine",
    // A program in JavaScript has no types that would refuse it.
    run: async () => ok("Fine."),
    ...Object.fromEntries(Object.entries(more)),
  });

test("what a tool returns is checked: what is no result fails the call, and says what a result is", async () => {
  const circular: Record<string, unknown> = {};
  circular["itself"] = circular;
  const wrong: unknown[] = [
    undefined,
    null,
    3,
    "hello",
    [],
    {},
    { outcome: "ok" },
    { outcome: "ok", content: "hello" },
    { outcome: "success", content: [{ type: "text", text: "x" }] },
    { outcome: "ok", content: [{ type: "text" }] },
    { outcome: "ok", content: [{ type: "audio", data: "" }] },
    { ...ok("x"), metadata: "words" },
  ];
  for (const value of wrong) {
    const told = await called(readTool({ run: async () => value }));
    expect([value, told]).toEqual([value, [["failed", expect.stringContaining("The tool failed: ")]]]);
    expect(told[0]?.[1]).toContain("ok(text)");
  }
  for (const metadata of [circular, { big: 1n }]) {
    const told = await called(readTool({ run: async () => ({ ...ok("x"), metadata }) }));
    expect(told).toEqual([["failed", expect.stringContaining("is not JSON (")]]);
  }
  expect(await called(readTool({ run: () => ok("At once.") }))).toEqual([
    ["ok", expect.stringContaining("At once.")],
  ]);
});

test("a tool that throws while it runs, or before, fails its call", async () => {
  const broken = (): never => {
    throw new Error("no title");
  };
  expect(await called(readTool({ run: async () => broken() }))).toEqual([
    ["failed", expect.stringContaining("The tool failed: no title")],
  ]);
  expect(await called(readTool({ title: broken }))).toEqual([
    ["failed", expect.stringContaining("The tool failed: no title")],
  ]);
  expect(await called(readTool({ title: () => JSON.parse("3") }))).toEqual([
    ["failed", expect.stringContaining("The tool failed: its title is no text")],
  ]);
});

test("a tool that does not end when it is interrupted is left to itself, and the session goes on", async () => {
  const begun = Promise.withResolvers<void>();
  const deaf = readTool({
    run: () => {
      begun.resolve();
      return new Promise(() => undefined);
    },
  });
  const model = scriptedModel([[{ call: "mine", with: {} }], [{ say: "Next." }]]);
  const { ask, session, close } = await testSession(model, { tools: [deaf] });
  const first = ask("Go.");
  await begun.promise;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const interrupted = session.command({ type: "interrupt" });
  await vi.advanceTimersByTimeAsync(turnBounds.deafTool.most);
  vi.useRealTimers();
  expect(await interrupted).toEqual({ ok: true });
  await first;
  await ask("And now?");
  expect(session.state.turns.map(({ stopped, text }) => [stopped, text])).toEqual([
    ["interrupted", expect.stringContaining("Mine: cancelled")],
    ["done", "Next."],
  ]);
  await close();
});
