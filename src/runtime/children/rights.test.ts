import { expect, test } from "vitest";
import { give, lastTold, of, parentSession, promptOf, resultIn, write } from "../../testing/parent.ts";
import { tools } from "../../tools/index.ts";
import { defineTool, ok } from "../../tools/tool.ts";

test("a subagent never does what needs approval: it is told to leave that to its parent", async () => {
  const context = await parentSession(
    {
      Ask: (round) =>
        round === 1 ? [give({ task: "Change", allowed_tools: ["write_file"] })] : [{ say: "Done." }],
      Change: (round, prompt) =>
        round === 1 ? [write("a.txt", "new\n")] : [{ say: `I was told: ${lastTold(prompt)}` }],
    },
    { mode: "ask" },
  );
  await context.ask("Ask for it.");
  expect(of(context.facts(), "approval-asked")).toEqual([]);
  expect(resultIn(context).words).toBe(
    "I was told: Denied: it changes files, and there is nobody to ask. Leave it to whoever gave you this task: say in your report what has to be done. Nothing was done; do not try the same again.",
  );
  expect(await context.workspace.files()).toEqual([]);
});

test("an approval for the session also covers its subagents", async () => {
  const context = await parentSession(
    {
      Ask: (round) =>
        round === 1
          ? [write("a.txt", "one\n")]
          : round === 2
            ? [give({ task: "Change", allowed_tools: ["write_file"] })]
            : [{ say: "Done." }],
      Change: (round) => (round === 1 ? [write("b.txt", "two\n")] : [{ say: "Changed." }]),
    },
    { mode: "ask" },
  );
  const { session, workspace } = context;
  session.log.listen((event) => {
    if (event.type !== "approval-asked") return;
    const { callId } = event;
    queueMicrotask(
      () =>
        void session.command({
          type: "answer-approval",
          callId,
          answer: "allow",
          scope: "session",
          by: "test",
        }),
    );
  });
  await session.command({ type: "send", content: [{ type: "text", text: "Ask for both." }] });
  await session.log.until(({ type }) => type === "turn-end", new AbortController().signal);
  expect(await workspace.files()).toEqual(["a.txt", "b.txt"]);
});

test.each([
  ["plan", "Denied: the mode is plan: files are read, nothing is changed or run."],
  ["staged", "Denied: the mode is plan: files are read, nothing is changed or run."],
  ["deny", "Denied: the mode is deny: nothing that would need a question is done."],
] as const)("in mode %s a subagent changes nothing", async (mode, told) => {
  const context = await parentSession(
    {
      Ask: (round) =>
        round === 1 ? [give({ task: "Change", allowed_tools: ["write_file"] })] : [{ say: "Done." }],
      Change: (round, prompt) => (round === 1 ? [write("a.txt", "new\n")] : [{ say: lastTold(prompt) }]),
    },
    { mode },
  );
  await context.ask("Ask for it.");
  expect(resultIn(context).words).toContain(told);
  expect(await context.workspace.files()).toEqual([]);
  expect(resultIn(context).words.includes("stage the changes yourself")).toBe(mode === "staged");
});

test("a subagent can call only the tools allowed to it, including those of servers; any other call is invalid", async () => {
  const query = (name: string) =>
    defineTool({
      name,
      does: "read",
      summary: "Asks a server.",
      input: {},
      title: () => name,
      run: async () => ok("42"),
    });
  const context = await parentSession(
    {
      Ask: (round) =>
        round === 1 ? [give({ task: "Query", allowed_tools: ["mcp__db__query"] })] : [{ say: "Done." }],
      Query: (round, prompt) => {
        if (round === 1)
          return [
            { call: "mcp__db__query", with: {} },
            { call: "mcp__db__drop", with: {} },
          ];
        if (round === 2) return [{ call: "run_command", with: { command: "touch a.txt" } }];
        return [{ say: lastTold(prompt) }];
      },
    },
    { mode: "auto", tools: [...tools, query("mcp__db__query"), query("mcp__db__drop")] },
  );
  await context.ask("Ask for it.");
  expect(promptOf(context.model, "Query")?.tools.map(({ name }) => name)).toEqual(["mcp__db__query"]);
  expect(resultIn(context).words).toContain('The tool "run_command" does not exist.');
  const [child] = await context.store.children(context.session.id);
  const results = of(await context.store.read(child?.id ?? "", 0), "result");
  expect(results.map(({ outcome }) => outcome).toSorted()).toEqual(["invalid", "invalid", "ok"]);
  expect(await context.workspace.files()).toEqual([]);
});

test("a subagent cannot delegate and has none of the tools that involve people", async () => {
  const context = await parentSession({
    Ask: (round) =>
      round === 1
        ? [give({ task: "Deep", allowed_tools: ["*", "delegate", "ask_user"] })]
        : [{ say: "Done." }],
    Deep: (round, prompt) =>
      round === 1
        ? [give({ task: "Deeper" }), { call: "ask_user", with: { question: "Why?" } }]
        : [{ say: lastTold(prompt) }],
  });
  await context.ask("Ask for it.");
  expect(resultIn(context).words).toContain('The tool "ask_user" does not exist.');
  const names = promptOf(context.model, "Deep")?.tools.map(({ name }) => name);
  for (const name of ["delegate", "ask_user", "todos", "propose_plan"]) expect(names).not.toContain(name);
  expect(names).toContain("run_command");
  expect(await context.store.list()).toHaveLength(2);
});

test.each([
  ["accept-edits", "plan", "Denied: the mode is plan", []],
  ["accept-edits", "ask", "Denied: it changes files, and there is nobody to ask", []],
  ["plan", "accept-edits", "Created a.txt", ["a.txt"]],
] as const)(
  "a subagent running while its parent's mode changes from %s to %s follows the new mode",
  async (mode, next, told, files) => {
    const [begun, set] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const context = await parentSession(
      {
        Ask: (round) =>
          round === 1 ? [give({ task: "Change", allowed_tools: ["write_file"] })] : [{ say: "Done." }],
        Change: (round, prompt) => {
          begun.resolve();
          if (round > 1) return [{ say: lastTold(prompt) }];
          return [{ wait: set.promise }, write("a.txt", "new\n")];
        },
      },
      { mode },
    );
    const asked = context.ask("Ask for it.");
    await begun.promise;
    await context.session.command({ type: "set-mode", mode: next });
    set.resolve();
    await asked;
    expect(resultIn(context).words).toContain(told);
    expect(await context.workspace.files()).toEqual(files);
  },
);
