/** Tests tools of a program that keep no contract: whatever they do, the call fails and the turn goes on. */

import { expect, test } from "vitest";
import * as z from "zod/mini";
import type { JsonObject } from "../base/json.ts";
import { scriptedModel } from "../providers/scripted-model.ts";
import { testSession } from "../testing/session.ts";
import { checkedTools } from "./checked-tools.ts";
import { tools as builtIn } from "./index.ts";
import { testContext } from "./testing/context.ts";
import { defineTool, ok, type Tool } from "./tool.ts";

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

test("a tool that fails before it runs is not asked about, and its arguments are not blamed", async () => {
  const broken: Tool = {
    ...readTool({}),
    does: "execute",
    prepare() {
      throw new Error("no such thing");
    },
  };
  const model = scriptedModel([[{ call: "mine", with: {} }], [{ say: "Done." }]]);
  const { ask, facts, close } = await testSession(model, { tools: [broken] });
  await ask("Go.");
  const seen = facts().filter(({ type }) => type === "approval-asked" || type === "result");
  expect(seen).toEqual([expect.objectContaining({ type: "result", outcome: "failed" })]);
  await close();
});

test("what a person edits a command into is checked as well", async () => {
  const [tool] = checkedTools([
    defineTool({
      name: "mine",
      does: "execute",
      summary: "A tool of a program.",
      input: { command: z.string() },
      title: ({ command }) => command,
      command: ({ command }) => command,
      editable: () => "command",
      run: async () => JSON.parse("3"),
    }),
  ]);
  const prepared = tool?.prepare({ command: "a" });
  const edited = prepared?.ok ? prepared.value.edited?.("b") : undefined;
  expect(edited?.ok && (await edited.value.run(testContext("/"))).outcome).toBe("failed");
});

test("a tool may be a class with private fields; it is read when it is needed, and stays the same", () => {
  let made = 0;
  class OwnTool implements Tool {
    readonly name = "mine";
    readonly aliases = [];
    readonly does = "read";
    #words = "Before.";
    get summary(): string {
      return this.#words;
    }
    get schema(): JsonObject {
      made += 1;
      return { type: "object" };
    }
    rename(words: string): void {
      this.#words = words;
    }
    prepare(input: JsonObject): ReturnType<Tool["prepare"]> {
      return readTool({}).prepare(input);
    }
  }
  const own = Object.freeze(new OwnTool());
  const [tool] = checkedTools([own]);
  expect([tool?.summary, made]).toEqual(["Before.", 0]);
  own.rename("After.");
  expect([tool?.summary, tool?.schema]).toEqual(["After.", { type: "object" }]);
  expect(checkedTools([own])[0]).toBe(tool);
});

test("the built-in tools are what they are", () => {
  expect(checkedTools(builtIn)).toEqual(builtIn);
  expect(checkedTools(builtIn)[0]).toBe(builtIn[0]);
});
