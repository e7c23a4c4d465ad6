import { expect, test } from "vitest";
import type { AgentDefinition } from "../../addons/skills/definition.ts";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { give, of, parentSession, promptOf, resultIn } from "../../testing/parent.ts";
import { noAddons } from "../addons/session-addons.ts";

const reviewer: AgentDefinition = {
  name: "code-reviewer",
  description: "Reviews changes.",
  tools: ["Read", "Grep", "Bash(git diff:*)"],
  model: "sonnet",
  maxRounds: 20,
  prompt: "You review code. Be strict.",
  path: "/agents/code-reviewer.md",
  from: "user",
};

const fixer: AgentDefinition = {
  name: "fixer",
  description: "Fixes.",
  withoutTools: ["Bash"],
  prompt: "Fix it.",
  path: "/agents/fixer.md",
  from: "workspace",
};

const agents = [reviewer, fixer];

const withAgents = { addons: () => ({ ...noAddons, agents: () => agents }) };

test("an agent defined for another program keeps its prompt, its tools and its name", async () => {
  const context = await parentSession(
    {
      Ask: (round) => (round === 1 ? [give({ task: "Review", agent: "code_reviewer" })] : [{ say: "Told." }]),
      Review: () => [{ say: "Good." }],
    },
    withAgents,
  );
  await context.ask("Ask it.");
  const asked = promptOf(context.model, "Review");
  expect(asked?.system).toMatch(
    /# You are code-reviewer\n\nYou review code\. Be strict\.\n\nYou work in the directory [^\n]*$/u,
  );
  expect(asked?.system).toContain("You have 6 answers at most");
  expect(asked?.tools.map(({ name }) => name)).toEqual(["read_file", "search_workspace", "run_command"]);
  expect(of(context.facts(), "child-started")).toMatchObject([{ agent: "code-reviewer", task: "Review" }]);
  const told = promptOf(context.model, "Ask")?.tools.find(({ name }) => name === "delegate");
  expect(told?.description).toContain("Agents:\n- code-reviewer: Reviews changes.\n- fixer: Fixes.");
  expect(told?.schema["properties"]).toHaveProperty("agent");
});

test("an agent without a tool list gets every tool not denied to it; a call cannot add tools its agent lacks", async () => {
  const context = await parentSession(
    {
      Ask: (round) =>
        round === 1
          ? [
              give({ task: "All", agent: "fixer" }),
              give({
                task: "Some",
                agent: "code-reviewer",
                allowed_tools: ["read_file", "write_file", "made_up"],
              }),
              give({ task: "None", agent: "nobody" }),
            ]
          : [{ say: "Told." }],
      All: () => [{ say: "Fixed." }],
      Some: () => [{ say: "Seen." }],
    },
    withAgents,
  );
  await context.ask("Ask them.");
  const names = (task: string) => promptOf(context.model, task)?.tools.map(({ name }) => name);
  expect(names("All")).toContain("write_file");
  expect(names("All")).not.toContain("run_command");
  expect(names("Some")).toEqual(["read_file"]);
  const words = [0, 1, 2].map((at) => resultIn(context, at).words);
  expect(words).toContainEqual(expect.stringContaining("It had no tool made_up: there is none here."));
  expect(words).toContainEqual(
    'There is no agent "nobody". There are: code-reviewer, fixer. Or leave it out.',
  );
});

test("an agent runs on its own model if that can be opened, otherwise on its parent's", async () => {
  const other = scriptedModel([[{ say: "I am another." }]], { name: "box/other" });
  const known: AgentDefinition = { ...fixer, name: "known", model: "box/other" };
  const context = await parentSession(
    {
      Ask: (round) =>
        round === 1
          ? [give({ task: "One", agent: "known" }), give({ task: "Two", agent: "code-reviewer" })]
          : [{ say: "Told." }],
      Two: () => [{ say: "I am the same." }],
    },
    {
      addons: () => ({ ...noAddons, agents: () => [known, reviewer] }),
      openModel: async (name) =>
        name === "box/other" ? { ok: true, value: other } : { ok: false, problem: `No ${name} here.` },
    },
  );
  await context.ask("Ask both.");
  expect([resultIn(context, 0).words, resultIn(context, 1).words].toSorted()).toEqual([
    "I am another.",
    "I am the same.",
  ]);
});

test("a subagent whose model never opens times out, and its session is never created", async () => {
  const slow: AgentDefinition = { ...reviewer, name: "slow" };
  const context = await parentSession(
    {
      Ask: (round) => (round === 1 ? [give({ task: "Look", agent: "slow" })] : [{ say: "Told." }]),
    },
    {
      addons: () => ({ ...noAddons, agents: () => [slow] }),
      openModel: () => new Promise<never>(() => {}),
      subagents: { timeMs: 100, endingMs: 100 },
    },
  );
  await context.ask("Ask it.");
  expect(resultIn(context)).toMatchObject({
    outcome: "timeout",
    words: "The subagent could not begin in time: its model or its session did not open.",
  });
  expect(of(context.facts(), "turn-end")).toMatchObject([{ stopped: "done" }]);
  expect(await context.store.list()).toHaveLength(1);
});
