/** Tests one call, from its name to its result: approval, scheduling, recording, and the result for the model. */

import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hermes } from "../../dialects/hermes.ts";
import { pendingApprovals } from "../../protocol/session-state.ts";
import { scriptedModel, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import { taughtModel } from "../../providers/taught-model.ts";
import { openMemoryStore } from "../../session/sqlite/memory-store.ts";
import {
  resultsOf,
  scriptedSession,
  sessionForTest,
  outcomesOf,
  toldIn,
  typesOf,
} from "../../testing/scripted-session.ts";
import { go, write, rules } from "../../testing/turns.ts";
import { defineTool, ok } from "../../tools/tool.ts";

test("D11: calls beyond the limit are not started even when one answer asks for all of them, and the turn stops", async () => {
  const many = Array.from({ length: 5 }, () => ({ call: "list_files", with: {} }));
  const { ask, facts } = await scriptedSession([many], { maxCalls: 3 });
  await ask("go");
  expect(outcomesOf(facts()).toSorted()).toEqual(["cancelled", "cancelled", "ok", "ok", "ok"]);
  expect(facts().at(-1)).toMatchObject({ stopped: "limit", because: "the limit of 3 calls was reached" });
});

test("D11: at the limit of rounds the turn stops, says so, and claims no changes and no verification", async () => {
  const look: ScriptedAnswer = [{ call: "list_files", with: {} }];
  const { ask, facts } = await scriptedSession([look, look, look], { maxRounds: 2 });
  await ask("go");
  expect(facts().at(-1)).toMatchObject({
    stopped: "limit",
    because: "the limit of 2 rounds was reached",
    changed: [],
    verified: [],
  });
  expect(facts().at(-1)).toMatchObject({ text: expect.stringMatching(/^Stopped: the limit of 2 rounds/) });
});

test("an approval for a command shows its directory, and a wider grant covers only that directory", async () => {
  const command = { call: "run_command", with: { command: "./build.sh", cwd: "./sub/../sub" } };
  const { session, facts } = await scriptedSession([[command], [{ say: "ok" }]], {
    files: { "sub/build.sh": "" },
  });
  await session.command(go);
  await session.idle();
  expect(facts().find((fact) => fact.type === "approval-asked")).toMatchObject({
    preview: "# in sub\n./build.sh",
    place: { directory: "sub" },
    grant: "exactly this command in sub",
  });
});

test("approving a diff too long to be shown in full does not overwrite content written since then", async () => {
  const store = openMemoryStore();
  const lines = (last: string) => `${"x".repeat(99)}\n`.repeat(3_000) + last;
  const first = await scriptedSession([[write("big.txt", "short")]], {
    store,
    files: { "big.txt": lines("end") },
  });
  await first.session.command(go);
  await first.session.idle();
  const [asked] = pendingApprovals(first.session.state);
  expect(asked?.preview).toContain("[the diff goes on for");
  expect(asked?.changes).toMatchObject([{ path: "big.txt", removed: 3_001, added: 1 }]);

  await writeFile(join(first.workspace.root, "big.txt"), lines("and somebody's work"));
  const second = await scriptedSession([[{ say: "I see." }]], {
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
  expect(outcomesOf(second.facts())).toEqual(["failed"]);
  expect(await first.workspace.read("big.txt")).toBe(lines("and somebody's work"));
});

test("a refusal still counts as denied when the file changed in the meantime", async () => {
  const store = openMemoryStore();
  const first = await scriptedSession([[write("a.txt", "two")]], { store, files: { "a.txt": "one" } });
  await first.session.command(go);
  await first.session.idle();
  await writeFile(join(first.workspace.root, "a.txt"), "other");
  const { workspace } = first;
  const second = await scriptedSession([[{ say: "ok" }]], { store, workspace, resume: first.session.id });
  const callId = pendingApprovals(second.session.state)[0]?.callId ?? "";
  await second.session.command({
    type: "answer-approval",
    callId,
    answer: "deny",
    scope: "once",
    by: "test",
  });
  await second.session.idle();
  expect(outcomesOf(second.facts())).toEqual(["denied"]);
});

test("C4: a tool's effect decides how it is scheduled: reads overlap, anything else runs alone", async () => {
  const running = { now: 0, most: 0 };
  let together = Promise.withResolvers<void>();
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
        if (running.now === expected) together.resolve();
        await together.promise;
        running.now -= 1;
        return ok("done");
      },
    });
  let expected = 0;
  const mostAtOnce = async (most: number, does: "read" | "execute", command = "touch x") => {
    Object.assign(running, { now: 0, most: 0 });
    expected = most;
    together = Promise.withResolvers<void>();
    const calls = Array.from({ length: 3 }, () => ({ call: "count", with: {} }));
    const allowed = rules({ tool: "*", decision: "allow" });
    const { ask } = await scriptedSession([calls, [{ say: "ok" }]], {
      tools: [counting("count", does, command)],
      rules: allowed,
    });
    await ask("go");
    return running.most;
  };
  expect(await mostAtOnce(3, "read")).toBe(3);
  expect(await mostAtOnce(1, "execute")).toBe(1);
  expect(await mostAtOnce(3, "execute", "sleep 1; cat a.txt | wc -l")).toBe(3);
});

test("D1, D10: the next prompt holds each round's calls with their results, in call order", async () => {
  const { ask, model } = await scriptedSession(
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

test("A28: a call written as text is left out of the streamed text and still runs", async () => {
  const said = 'Let me see.\n<tool_call>{"name": "list_files", "arguments": {}}</tool_call>';
  const model = taughtModel(scriptedModel([[{ say: said }], [{ say: "ok" }]], { pieces: 3 }), hermes);
  const { session, ask, facts } = await sessionForTest(model);
  const shown: string[] = [];
  session.log.listen((event) => {
    if (event.type === "text-delta") shown.push(event.text);
  });
  await ask("go");
  expect(shown.join("")).not.toMatch(/[<{]|tool_call/);
  expect(facts().find((fact) => fact.type === "text")).toMatchObject({ text: "Let me see." });
  expect(outcomesOf(facts())).toEqual(["ok"]);
});

test("B13: without a person a call that needs approval is denied, and the model gets the denial as its result", async () => {
  const { ask, facts, workspace } = await scriptedSession(
    [[write("a.txt"), { call: "run_command", with: { command: "touch b.txt" } }], [{ say: "ok" }]],
    { interactive: false },
  );
  await ask("go");
  expect(outcomesOf(facts())).toEqual(["denied", "denied"]);
  expect(toldIn(facts())).toContain("there is nobody to ask");
  expect(typesOf(facts())).not.toContain("approval-asked");
  expect(await workspace.files()).toEqual([]);
});

test("D9: the intent is logged before a change is written, with the hashes that the change will leave", async () => {
  const { session, ask, facts, workspace } = await scriptedSession(
    [[write("a.txt", "two")], [{ say: "ok" }]],
    {
      mode: "auto",
      files: { "a.txt": "one" },
    },
  );
  const contents: string[] = [];
  session.log.listen((event) => {
    if (event.type === "call-start") contents.push(readFileSync(join(workspace.root, "a.txt"), "utf8"));
  });
  await ask("go");
  expect(contents).toEqual(["one"]);
  const started = facts().find((fact) => fact.type === "call-start");
  const applied = facts().find((fact) => fact.type === "change-applied");
  expect(started?.changes).toEqual(applied?.changes);
  const all = typesOf(facts());
  expect(all.indexOf("call-start")).toBeLessThan(all.indexOf("change-applied"));
});

test("an interruption just before a change is written writes nothing and says so", async () => {
  const { session, facts, workspace } = await scriptedSession([[write("a.txt")], [{ say: "ok" }]], {
    mode: "auto",
  });
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

test("a workspace that vanishes during a turn gives failed results, not a crash", async () => {
  const gate = Promise.withResolvers<void>();
  const { session, facts, workspace } = await scriptedSession(
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
  expect(outcomesOf(facts())).toEqual(["ok", "failed", "failed", "failed"]);
  expect(toldIn(facts())).toContain("the workspace itself cannot be found any more");
  expect(facts().at(-1)).toMatchObject({ stopped: "done", text: "It is gone." });
});
