import { expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../base/json.ts";
import { temporaryWorkspace } from "../testing/workspace.ts";
import { type NamedAgent, delegateAmong, findAgent, toolsFor } from "./delegate.ts";
import { mostListed } from "./delegate.ts";
import { tools } from "./index.ts";
import { testContext } from "./testing/context.ts";
import { describeTool, ok } from "./tool.ts";

const agents: readonly NamedAgent[] = [
  { name: "reader", description: "Reads.\nA lot.", tools: ["read_file", "list_files"] },
  { name: "fixer", description: "Fixes.", withoutTools: ["run_command"] },
];
const choice = { agents, tools };
const among = delegateAmong(choice);

function prepared(input: JsonObject, tool = among) {
  const read = tool.prepare(input);
  if (!read.ok) throw new Error(read.problem);
  return read.value;
}

const names = (chosen: { tools: readonly { name: string }[] }): string[] =>
  chosen.tools.map(({ name }) => name);

test.each<[JsonObject, "read" | undefined]>([
  [{ task: "Look." }, "read"],
  [{ task: "Look.", allowed_tools: ["read_file", "grep"] }, "read"],
  [{ task: "Look.", allowed_tools: [] }, "read"],
  [{ task: "Look.", agent: "reader" }, "read"],
  [{ task: "Look.", agent: "nobody" }, "read"],
  [{ task: "Change.", allowed_tools: ["read_file", "write_file"] }, undefined],
  [{ task: "Change.", agent: "fixer" }, undefined],
  [{ task: "Look.", agent: "fixer", allowed_tools: ["read_file"] }, "read"],
  [{ task: "Look.", agent: "reader", allowed_tools: ["read_file", "write_file"] }, "read"],
])("the access of a task with %j is: %s", (input, does) => {
  expect(prepared(input).does).toBe(does);
});

test("arguments are accepted under the names other agents use", () => {
  const called = prepared({ description: "d", prompt: "Look.\nThen tell.", subagent_type: "reader" });
  expect(called.title).toBe("Subagent reader: Look.");
  expect(among.prepare({ task: "" })).toMatchObject({ ok: false });
  expect(among.prepare({ task: "x", max_rounds: 0 })).toMatchObject({ ok: false });
});

test("unknown names among the allowed tools allow nothing", () => {
  expect(toolsFor({ tools: ["made_up", "Read", "ask_user"] }, choice)).toMatchObject({
    tools: [{ name: "read_file" }],
    unknown: ["made_up", "ask_user"],
  });
  expect(names(toolsFor({ tools: [] }, choice))).toEqual([]);
  expect(names(toolsFor({}, choice))).toEqual(["read_file", "list_files", "search_workspace", "read_result"]);
  const all = names(toolsFor({ tools: ["*"] }, choice));
  expect(all).toContain("run_command");
  for (const name of ["delegate", "ask_user", "todos", "propose_plan"]) expect(all).not.toContain(name);
});

test("agents are listed briefly by name, as many as fit", () => {
  expect(among.summary).toContain("Agents:\n- reader: Reads.\n- fixer: Fixes.");
  expect(describeTool(among).schema["properties"]).toHaveProperty("agent");
  expect(describeTool(delegateAmong({ agents: [], tools })).schema["properties"]).not.toHaveProperty("agent");
  const many = Array.from({ length: 500 }, (_, at) => ({
    name: `agent-${at}`,
    description: "x".repeat(500),
  }));
  const { summary } = delegateAmong({ agents: many, tools });
  expect(summary.length).toBeLessThan(mostListed + 400);
  expect(summary).toMatch(/\n- and 4\d\d more$/u);
});

test("an agent is found by name in any case; for an unknown name the existing ones are listed", () => {
  expect(findAgent("Fixer", agents)).toMatchObject({ ok: true, value: { name: "fixer" } });
  expect(findAgent("writer", agents)).toEqual({
    ok: false,
    problem: 'There is no agent "writer". There are: reader, fixer. Or leave it out.',
  });
  expect(findAgent("writer", [])).toMatchObject({ problem: expect.stringContaining("There are none here") });
});

test("a task is passed on unchanged; without a delegate the call fails", async () => {
  const workspace = await temporaryWorkspace({});
  onTestFinished(workspace.remove);
  const context = testContext(workspace.root);
  const input = {
    task: "Look.",
    context: "There.",
    allowed_tools: ["read_file"],
    max_rounds: 2,
    agent: "reader",
  };
  expect(await prepared(input).run(context)).toMatchObject({ outcome: "failed" });
  const given: unknown[] = [];
  await prepared(input).run({
    ...context,
    delegate: async (delegation) => (given.push(delegation), ok("Done.")),
  });
  expect(given).toEqual([
    { task: "Look.", context: "There.", agent: "reader", tools: ["read_file"], maxRounds: 2 },
  ]);
});
