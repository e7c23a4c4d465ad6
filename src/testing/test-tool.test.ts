import { expect, test } from "vitest";
import * as z from "zod/mini";
import { tools } from "../tools/index.ts";
import { defineTool, failedResult, ok } from "../tools/tool.ts";
import { checkTool } from "./check-tool.ts";
import { testTool } from "./test-tool.ts";

const shout = defineTool({
  name: "shout",
  aliases: ["yell"],
  argumentAliases: { words: ["text"] },
  does: "read",
  summary: "Say it louder.",
  input: { words: z.string(), times: z.optional(z.int().check(z.minimum(1), z.maximum(5))) },
  title: ({ words }) => `Shout ${JSON.stringify(words.slice(0, 20))}`,
  run: async ({ words, times = 1 }) =>
    words === "" ? failedResult("Nothing to shout.") : ok(words.toUpperCase().repeat(times)),
});

const named = (name: string) => {
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new Error(`no ${name}`);
  return tool;
};

test("a call is run as by the agent: with tool aliases, argument repair, title and validation", async () => {
  const call = await testTool(shout, { as: "yell", input: { text: "hi", times: "2" } });
  expect(call).toMatchObject({
    outcome: "ok",
    text: "HIHI",
    title: 'Shout "hi"',
    asked: undefined,
    changed: [],
  });
  expect(call.repairs.length).toBeGreaterThan(0);
  expect(await testTool(shout, { input: { times: 1 } })).toMatchObject({
    outcome: "invalid",
    title: undefined,
    text: expect.stringContaining("words"),
  });
});

test("changes need approval and are reported; a denied change leaves the files unchanged", async () => {
  const files = { "a.txt": "one\n" };
  const input = { path: "a.txt", old: "one", new: "two" };
  const made = await testTool(named("edit_file"), { input, files });
  expect(made).toMatchObject({ outcome: "ok", files: { "a.txt": "two\n" }, changed: [{ path: "a.txt" }] });
  expect(made.asked?.preview).toContain("+two");
  const denied = await testTool(named("edit_file"), { input, files, answer: "deny" });
  expect(denied).toMatchObject({ outcome: "denied", files, changed: [] });
  const unasked = await testTool(named("edit_file"), { input, files, mode: "accept-edits" });
  expect(unasked.asked).toBeUndefined();
});

test("C9: a valid tool passes the contract check, as do our own tools", async () => {
  expect(await checkTool(shout, { input: { words: "hi" } })).toEqual([]);
  const files = { "a.txt": "one\n" };
  expect(await checkTool(named("read_file"), { input: { path: "a.txt" }, files })).toEqual([]);
  expect(
    await checkTool(named("edit_file"), { input: { path: "a.txt", old: "one", new: "2" }, files }),
  ).toEqual([]);
  expect(await checkTool(named("search_workspace"), { input: { pattern: "one" }, files })).toEqual([]);
});

test("each contract violation is reported in a line of its own", async () => {
  const deaf = defineTool({
    name: "Deaf tool!",
    aliases: ["Deaf tool!"],
    does: "read",
    summary: " ",
    input: { words: z.string(), "what?": z.optional(z.any()) },
    title: ({ words }) => words,
    run: async ({ words }, { signal }) => {
      if (words.length > 1_000) throw new Error("too long for me");
      return words === "wait" && signal.aborted ? new Promise(() => undefined) : ok("");
    },
  });
  const problems = await checkTool(deaf, { input: { words: "wait" }, abortMs: 20 });
  for (const words of [
    "is refused by providers",
    "is the name itself",
    "summary is empty",
    "names that providers refuse",
    "`run` threw",
    "after it was broken off",
  ])
    expect(problems.join("\n").replace("a name that", "names that")).toContain(words);
  const throwing = defineTool({
    name: "t",
    does: "read",
    summary: "s",
    input: { n: z.string() },
    title: ({ n }) => new URL(n).host,
    run: async () => ok(""),
  });
  expect((await checkTool(throwing, { input: { n: "http://a/" } })).join("\n")).toContain(
    "`prepare` threw for",
  );
  // A program in JavaScript has no types that would refuse it.
  const wordy = defineTool({
    name: "t",
    does: "read",
    summary: "s",
    input: {},
    title: () => "T",
    run: async () => JSON.parse('"hello"'),
  });
  expect((await checkTool(wordy, { input: {} })).join("\n")).toContain(
    "`run` returned no result for {}: what it returned must be an object.",
  );
});

test("C9: adding a tool takes one value in a list, with no other registration", async () => {
  const call = await testTool(shout, { input: { words: "hi" }, tools });
  expect(call.outcome).toBe("ok");
  expect(call.facts.find((fact) => fact.type === "decision")).toMatchObject({ verdict: "allow" });
});
