import { readFileSync } from "node:fs";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hermes } from "../dialects/hermes.ts";
import type { Entry, Fact } from "../protocol/facts.ts";
import { pendingApprovals } from "../protocol/session-state.ts";
import { ModelError } from "../protocol/model-events.ts";
import type { Model } from "../providers/provider.ts";
import { scripted, type ScriptedAnswer, type ScriptedModel } from "../providers/scripted.ts";
import { taught } from "../providers/taught-model.ts";
import type { Rule } from "../safety/rules.ts";
import { MemoryStore } from "../session/memory.ts";
import { testSession, type TestSessionOptions } from "../testing/session.ts";
import { defineTool, ok } from "../tools/tool.ts";

async function start(script: readonly ScriptedAnswer[], options: TestSessionOptions = {}) {
  const model = scripted(script);
  return { ...(await begin(model, options)), model };
}

async function begin(model: Model, options: TestSessionOptions = {}) {
  const opened = await testSession(model, options);
  onTestFinished(() => opened.close().catch(() => undefined));
  return opened;
}

/** The same calls, read from the text of the answer. */
function asText(model: ScriptedModel): Model {
  return {
    ...model,
    async *ask(...args: Parameters<typeof model.ask>) {
      for await (const event of model.ask(...args))
        yield event.type === "call-end" ? { ...event, call: { ...event.call, source: "hermes" } } : event;
    },
  };
}

const resultsOf = (facts: readonly Entry[]) =>
  facts.flatMap((fact) => (fact.type === "result" ? [fact] : []));
const outcomes = (facts: readonly Entry[]) => resultsOf(facts).map((fact) => fact.outcome);
const words = (facts: readonly Entry[]) => JSON.stringify(resultsOf(facts).map((fact) => fact.content));
const types = (facts: readonly Entry[]) => facts.map((fact) => fact.type);
const go = { type: "send" as const, content: [{ type: "text" as const, text: "go" }] };
const write = (path: string, content = "x") => ({ call: "write_file", with: { path, content } });
const rules = (...list: Rule[]) => [{ name: "user", rules: list }];

test("FORMATS 4.8: of an answer cut off by its length, text calls only read; whole native calls are run", async () => {
  const cut: ScriptedAnswer = [
    { call: "read_file", with: { path: "a.txt" } },
    write("b.txt"),
    { call: "run_command", with: { command: "touch c.txt" } },
    { end: "length" },
  ];
  const options: TestSessionOptions = {
    mode: "auto",
    files: { "a.txt": "a" },
    rules: rules({ tool: "run_command", decision: "allow" }),
  };
  const textual = await begin(asText(scripted([cut, [{ say: "ok" }]])), options);
  await textual.ask("go");
  expect(outcomes(textual.facts())).toEqual(["ok", "cancelled", "cancelled"]);
  expect(words(textual.facts())).toContain("Not started: the answer that asked for it was cut off");
  expect(await textual.workspace.files()).toEqual(["a.txt"]);
  expect(textual.facts().at(-1)).toMatchObject({ type: "turn-end", stopped: "done", text: "ok" });

  const native = await start([cut, [{ say: "ok" }]], options);
  await native.ask("go");
  expect(outcomes(native.facts())).toEqual(["ok", "ok", "ok"]);
  expect(await native.workspace.files()).toEqual(["a.txt", "b.txt", "c.txt"]);
});

test("FORMATS 4.8: a question about a text call of a cut-off answer holds nothing up", async () => {
  const model = asText(scripted([[write("b.txt"), { end: "length" }], [{ say: "ok" }]]));
  const { session, facts, workspace } = await begin(model);
  await session.command(go);
  await session.idle();
  expect(facts().at(-1)).toMatchObject({ type: "turn-end", stopped: "done" });
  expect(pendingApprovals(session.state)).toEqual([]);
  expect(await workspace.files()).toEqual([]);
});

test("FORMATS 4.8: after a crash a text call of a cut-off answer is not run either", async () => {
  const store = new MemoryStore();
  const facts: Fact[] = [
    { type: "session-start", session: "s", workspace: "/w", version: "0" },
    { type: "user-message", content: [{ type: "text", text: "go" }] },
    { type: "turn-start", model: "m", mode: "auto" },
    {
      type: "call",
      call: { id: "c", name: "write_file", input: { path: "b.txt", content: "x" }, source: "hermes" },
    },
    { type: "answer-end", reason: "length", model: "m" },
  ];
  await store.create({ id: "s", workspace: "/w", createdAt: 0 });
  const entries = facts.map((fact, at) => ({ ...fact, v: 1, seq: at + 1, at: 1, turn: at === 0 ? 0 : 1 }));
  await store.append("s", await store.claim("s"), entries);
  const opened = await begin(scripted([[{ say: "ok" }]]), { store, resume: "s", mode: "auto" });
  await opened.session.command({ type: "go-on" });
  await opened.session.idle();
  expect(outcomes(opened.facts())).toEqual(["cancelled"]);
  expect(await opened.workspace.files()).toEqual([]);
});

test("N12: a stream that fails starts nothing that had to wait, native or not, and asks for nothing", async () => {
  const broken = new ModelError("network", "The connection was lost.", { midStream: true });
  const answer: ScriptedAnswer = [write("b.txt"), write("c.txt"), { fail: broken }];
  const { session, facts, workspace } = await begin(asText(scripted([answer, [{ say: "ok" }]])), {
    mode: "auto",
  });
  await session.command(go);
  await session.idle();
  expect(outcomes(facts())).toEqual(["cancelled", "cancelled"]);
  expect(types(facts())).not.toContain("call-start");
  expect(await workspace.files()).toEqual([]);
});

test("D11: calls over the limit are not started even when one answer asks for all of them, and the turn stops", async () => {
  const many = Array.from({ length: 5 }, () => ({ call: "list_files", with: {} }));
  const { ask, facts } = await start([many], { maxCalls: 3 });
  await ask("go");
  expect(outcomes(facts()).toSorted()).toEqual(["cancelled", "cancelled", "ok", "ok", "ok"]);
  expect(facts().at(-1)).toMatchObject({ stopped: "limit", because: "the limit of 3 calls was reached" });
});

test("D11: at the limit of rounds the turn stops, says so, and claims nothing", async () => {
  const look: ScriptedAnswer = [{ call: "list_files", with: {} }];
  const { ask, facts } = await start([look, look, look], { maxRounds: 2 });
  await ask("go");
  expect(facts().at(-1)).toMatchObject({
    stopped: "limit",
    because: "the limit of 2 rounds was reached",
    changed: [],
    verified: [],
  });
  expect(facts().at(-1)).toMatchObject({ text: expect.stringMatching(/^Stopped: the limit of 2 rounds/) });
});

test("a question about a command shows the directory it runs in, and a wider yes covers only that directory", async () => {
  const command = { call: "run_command", with: { command: "./build.sh", cwd: "./sub/../sub" } };
  const { session, facts } = await start([[command], [{ say: "ok" }]], { files: { "sub/build.sh": "" } });
  await session.command(go);
  await session.idle();
  expect(facts().find((fact) => fact.type === "approval-asked")).toMatchObject({
    preview: "# in sub\n./build.sh",
    grant: "exactly this command in sub",
  });
});

test("a diff that is too long to be shown whole is approved as it is: other content since then is not overwritten", async () => {
  const store = new MemoryStore();
  const lines = (last: string) => `${"x".repeat(99)}\n`.repeat(3_000) + last;
  const first = await start([[write("big.txt", "short")]], { store, files: { "big.txt": lines("end") } });
  await first.session.command(go);
  await first.session.idle();
  const [asked] = pendingApprovals(first.session.state);
  expect(asked?.preview).toContain("[the diff goes on for");
  expect(asked?.changes).toMatchObject([{ path: "big.txt", removed: 3_001, added: 1 }]);

  await writeFile(join(first.workspace.root, "big.txt"), lines("and somebody's work"));
  const second = await start([[{ say: "I see." }]], {
    store,
    workspace: first.workspace,
    resume: first.session.id,
  });
  const callId = asked?.callId ?? "";
  await second.session.command({
    type: "answer-approval",
    callId,
    answer: "allow",
    scope: "once",
    by: "test",
  });
  await second.session.idle();
  expect(outcomes(second.facts())).toEqual(["failed"]);
  expect(await first.workspace.read("big.txt")).toBe(lines("and somebody's work"));
});

test("a refusal stays one when the file changed meanwhile", async () => {
  const store = new MemoryStore();
  const first = await start([[write("a.txt", "two")]], { store, files: { "a.txt": "one" } });
  await first.session.command(go);
  await first.session.idle();
  await writeFile(join(first.workspace.root, "a.txt"), "other");
  const { workspace } = first;
  const second = await start([[{ say: "ok" }]], { store, workspace, resume: first.session.id });
  const callId = pendingApprovals(second.session.state)[0]?.callId ?? "";
  await second.session.command({
    type: "answer-approval",
    callId,
    answer: "deny",
    scope: "once",
    by: "test",
  });
  await second.session.idle();
  expect(outcomes(second.facts())).toEqual(["denied"]);
});

test("C2: no spelling and no link leads a change into a protected place", async () => {
  const workspaceFiles = { ".git/config": "old", "node_modules/p/index.js": "old", "a.txt": "a" };
  const paths = [
    ".git/config",
    "./.git/config",
    "x/../.git/config",
    ".GIT/config",
    "dir/config",
    "link",
    "deep/config",
  ];
  const calls = paths.flatMap((path) => [
    write(path, "new"),
    { call: "edit_file", with: { path, old: "old", new: "new" } },
  ]);
  const { ask, facts, workspace } = await start([calls, [{ say: "ok" }]], {
    mode: "auto",
    files: workspaceFiles,
    rules: rules({ tool: "*", decision: "allow" }),
  });
  const { root } = workspace;
  await symlink(".git", join(root, "dir"));
  await symlink(".git/config", join(root, "link"));
  await symlink("dir", join(root, "deep"));
  const absolute = [write(join(root, ".git/config"), "new"), write(join(root, "dir", "hooks", "x"), "new")];
  calls.push(...absolute);
  await ask("go");
  expect(await workspace.read(".git/config")).toBe("old");
  const done = outcomes(facts());
  expect(done).toHaveLength(calls.length);
  expect(done).not.toContain("ok");
  expect(done.filter((outcome) => outcome === "denied").length).toBeGreaterThanOrEqual(paths.length);
});

test("C3: a rule about a path holds for every spelling of it and for links to it", async () => {
  const files = { "secret/key": "s3cret", "open.txt": "o" };
  const denied = rules({ tool: "*", path: "secret/**", decision: "deny" });
  const { ask, facts, workspace } = await start(
    [
      [
        ...["secret/key", "./secret/key", "x/../secret/key", "SECRET/key", "link", "dir/key"].map((path) => ({
          call: "read_file",
          with: { path },
        })),
        { call: "read_file", with: { path: "open.txt" } },
        { call: "run_command", with: { command: "cat secret/key" } },
        { call: "run_command", with: { command: "head -n 1 ./key", cwd: "dir" } },
      ],
      [{ say: "ok" }],
    ],
    { files, rules: denied },
  );
  await symlink("secret/key", join(workspace.root, "link"));
  await symlink("secret", join(workspace.root, "dir"));
  await ask("go");
  expect(words(facts())).not.toContain("s3cret");
  expect(outcomes(facts()).toSorted()).toEqual([...Array.from({ length: 8 }, () => "denied"), "ok"]);
});

test("C3: an allow is for what is written and for what is behind it", async () => {
  const allowed = rules({ tool: "write_file", path: "docs/**", decision: "allow" });
  const { ask, facts, workspace } = await start(
    [[write("./docs/a.md"), write("docs/link/b.md"), write("docs/../b.md")], [{ say: "ok" }]],
    { files: { "src/x.ts": "" }, rules: allowed, interactive: false },
  );
  await mkdir(join(workspace.root, "docs"));
  await symlink("../src", join(workspace.root, "docs/link"));
  await ask("go");
  expect(outcomes(facts()).toSorted()).toEqual(["denied", "denied", "ok"]);
  expect(await workspace.files()).toEqual(["docs/a.md", "docs/link", "src/x.ts"]);
});

test("C1, C3: a denied change is not even planned: its failure would tell what is in the file", async () => {
  const edit = (path: string) => ({ call: "edit_file", with: { path, old: "s3cret word", new: "x" } });
  const { ask, facts } = await start(
    [[edit("secret/key"), edit("./secret/key"), edit("open.txt")], [{ say: "ok" }]],
    {
      files: { "secret/key": "the s3cret\nword\n", "open.txt": "open\n" },
      rules: rules({ tool: "*", path: "secret/**", decision: "deny" }),
    },
  );
  await ask("go");
  expect(outcomes(facts())).toEqual(["denied", "denied", "failed"]);
  expect(words(facts())).not.toContain("the s3cret");
});

test("a plain reading command that goes through a link out of the workspace is asked about", async () => {
  const { session, facts, workspace } = await start([
    [{ call: "run_command", with: { command: "cat users" } }],
    [{ say: "ok" }],
  ]);
  await symlink("/etc/shadow", join(workspace.root, "users"));
  await session.command(go);
  await session.idle();
  expect(types(facts())).toContain("approval-asked");
  expect(words(facts())).not.toContain("root:");
});

test("C3: in plan mode a command that only looks harmless is denied", async () => {
  const { ask, facts, workspace } = await start(
    [
      [
        { call: "run_command", with: { command: "cat users" } },
        { call: "run_command", with: { command: "ls" } },
        { call: "run_command", with: { command: "ls; touch x" } },
        { call: "run_command", with: { command: "ls\ntouch x" } },
        write("x"),
      ],
      [{ say: "ok" }],
    ],
    { mode: "plan", rules: rules({ tool: "*", decision: "allow" }) },
  );
  await symlink("/etc/shadow", join(workspace.root, "users"));
  await ask("go");
  expect(outcomes(facts()).toSorted()).toEqual(["denied", "denied", "denied", "denied", "ok"]);
  expect(await workspace.files()).toEqual(["users"]);
});

test("C1: deny, schema, plan mode, protected places: each check comes before those behind it, and nobody is asked", async () => {
  const decide = async (mode: "plan" | "ask", call: ReturnType<typeof write>, list: Rule[] = []) => {
    const { ask, facts } = await start([[call], [{ say: "ok" }]], { mode, rules: rules(...list) });
    await ask("go");
    expect(types(facts())).not.toContain("approval-asked");
    return words(facts());
  };
  const invalid = { call: "write_file", with: { path: ".git/x", content: 1, extra: [] } } as never;
  const deny: Rule = { tool: "write_file", decision: "deny" };
  expect(await decide("plan", invalid, [deny])).toContain("Denied: the rule");
  expect(await decide("plan", invalid)).toContain("Your input to the tool was invalid");
  expect(await decide("plan", write(".git/x"))).toContain("the mode is plan");
  expect(await decide("ask", write(".git/x"))).toContain("protected");
});

test("C4: what a tool does decides how it is scheduled: reads overlap, anything else is alone", async () => {
  const running = { now: 0, most: 0 };
  const counting = (name: string, does: "read" | "execute", command: string) =>
    defineTool({
      name,
      does,
      summary: "Counts.",
      input: {},
      title: () => name,
      ...(does === "execute" ? { command: () => command } : {}),
      run: async () => {
        running.most = Math.max(running.most, (running.now += 1));
        await new Promise((resolve) => setImmediate(resolve));
        running.now -= 1;
        return ok("done");
      },
    });
  const mostAtOnce = async (does: "read" | "execute", command = "touch x") => {
    Object.assign(running, { now: 0, most: 0 });
    const calls = Array.from({ length: 3 }, () => ({ call: "count", with: {} }));
    const allowed = rules({ tool: "*", decision: "allow" });
    const { ask } = await start([calls, [{ say: "ok" }]], {
      tools: [counting("count", does, command)],
      rules: allowed,
    });
    await ask("go");
    return running.most;
  };
  expect(await mostAtOnce("read")).toBe(3);
  expect(await mostAtOnce("execute")).toBe(1);
  expect(await mostAtOnce("execute", "sleep 1; cat a.txt | wc -l")).toBe(3);
});

test("D1, D10: the next prompt holds each round's calls with their results, in the order of the calls", async () => {
  const { ask, model } = await start(
    [
      [
        { say: "I look." },
        { call: "run_command", with: { command: "echo one" }, id: "first" },
        { call: "read_file", with: { path: "missing" }, id: "second" },
      ],
      [{ call: "list_files", with: {}, id: "third" }],
      [{ say: "ok" }],
    ],
    { files: { "a.txt": "a" } },
  );
  await ask("go");
  const told = model.prompts.map(({ messages }) =>
    messages.map((message) =>
      message.role === "tool" ? `${message.callId} ${message.isError}` : message.role,
    ),
  );
  expect(told).toEqual([
    ["user"],
    ["user", "assistant", "first false", "second true"],
    ["user", "assistant", "first false", "second true", "assistant", "third false"],
  ]);
});

test("A28: of a call that is written as text nothing is shown, only that it is being written", async () => {
  const said = 'Let me see.\n<tool_call>{"name": "list_files", "arguments": {}}</tool_call>';
  const model = taught(scripted([[{ say: said }], [{ say: "ok" }]], { pieces: 3 }), hermes);
  const { session, ask, facts } = await begin(model);
  const shown: string[] = [];
  session.log.listen((event) => {
    if (event.type === "text-delta") shown.push(event.text);
  });
  await ask("go");
  expect(shown.join("")).not.toMatch(/[<{]|tool_call/);
  expect(facts().find((fact) => fact.type === "text")).toMatchObject({ text: "Let me see." });
  expect(outcomes(facts())).toEqual(["ok"]);
});

test("B13: without a person a question is a denial, told to the model as a result", async () => {
  const { ask, facts, workspace } = await start(
    [[write("a.txt"), { call: "run_command", with: { command: "touch b.txt" } }], [{ say: "ok" }]],
    { interactive: false },
  );
  await ask("go");
  expect(outcomes(facts())).toEqual(["denied", "denied"]);
  expect(words(facts())).toContain("there is nobody to ask");
  expect(types(facts())).not.toContain("approval-asked");
  expect(await workspace.files()).toEqual([]);
});

test("D9: the intent is in the log before anything happens, with the hashes of what a change will leave", async () => {
  const { session, ask, facts, workspace } = await start([[write("a.txt", "two")], [{ say: "ok" }]], {
    mode: "auto",
    files: { "a.txt": "one" },
  });
  const contents: string[] = [];
  session.log.listen((event) => {
    if (event.type === "call-start") contents.push(readFileSync(join(workspace.root, "a.txt"), "utf8"));
  });
  await ask("go");
  expect(contents).toEqual(["one"]);
  const started = facts().find((fact) => fact.type === "call-start");
  const applied = facts().find((fact) => fact.type === "change-applied");
  expect(started?.changes).toEqual(applied?.changes);
  const all = types(facts());
  expect(all.indexOf("call-start")).toBeLessThan(all.indexOf("change-applied"));
});

test("an interruption while a change is about to be written writes nothing and says so", async () => {
  const { session, facts, workspace } = await start([[write("a.txt")], [{ say: "ok" }]], { mode: "auto" });
  session.log.listen((event) => {
    if (event.type === "call-start") void session.command({ type: "interrupt" });
  });
  await session.command(go);
  await session.log.until((entry) => entry.type === "turn-end", new AbortController().signal, 0);
  expect(resultsOf(facts()).map((fact) => [fact.outcome, fact.content])).toEqual([
    ["cancelled", [{ type: "text", text: "It was stopped before anything was written." }]],
  ]);
  expect(await workspace.files()).toEqual([]);
});

test("a workspace that vanishes in the middle of a turn gives failed results, not a crash", async () => {
  const gate = Promise.withResolvers<void>();
  const { session, facts, workspace } = await start(
    [
      [{ call: "read_file", with: { path: "a.txt" } }],
      [
        { wait: gate.promise },
        { call: "read_file", with: { path: "a.txt" } },
        write("b.txt"),
        { call: "run_command", with: { command: "ls" } },
      ],
      [{ say: "It is gone." }],
    ],
    { mode: "auto", files: { "a.txt": "a" } },
  );
  session.log.listen((event) => {
    if (event.type === "answer-end")
      void rm(workspace.root, { recursive: true, force: true }).then(gate.resolve);
  });
  await session.command(go);
  await session.idle();
  expect(outcomes(facts())).toEqual(["ok", "failed", "failed", "failed"]);
  expect(words(facts())).toContain("the workspace itself cannot be found any more");
  expect(facts().at(-1)).toMatchObject({ stopped: "done", text: "It is gone." });
});

test("a change whose arguments were guessed is asked about, whatever the mode", async () => {
  const guessed = { call: "write_file", with: { path: "a.json", content: { a: 1 } } };
  const { ask, facts } = await start([[guessed], [{ say: "ok" }]], { mode: "auto" });
  await ask("go");
  expect(facts().filter((fact) => fact.type === "approval-asked")).toMatchObject([
    { preview: expect.stringContaining('+{"a":1}') },
  ]);
});

test("N11: a call that was cut off is told where, and how its tool is used with less at once", async () => {
  const cut = (model: ScriptedModel): Model => ({
    ...model,
    async *ask(...args: Parameters<typeof model.ask>) {
      for await (const event of model.ask(...args)) {
        if (event.type !== "call-end") yield event;
        else {
          const broken = { rawArguments: '{"path": "a.txt", "content": "on', problem: "it was cut off" };
          yield { ...event, call: { ...event.call, input: {}, ...broken, fault: "truncated" } };
        }
      }
    },
  });
  const { ask, facts } = await begin(cut(scripted([[write("a.txt")], [{ say: "ok" }]])));
  await ask("go");
  expect(resultsOf(facts())).toMatchObject([
    {
      outcome: "invalid",
      content: [
        {
          text:
            "ERROR: The call of write_file was cut off before its end, so nothing of it was run.\n" +
            'It ended with: {"path": "a.txt", "content": "on\n' +
            "Send the whole call again. If it is long, send less at once: write the first part of the file like this, then add the rest by editing it.",
        },
      ],
    },
  ]);
});
