/** Tests calls of answers that were cut off, failed or needed guessing: which run, and what the model is told. */

import { expect, test } from "vitest";
import type { Fact } from "../protocol/facts.ts";
import { ModelError } from "../protocol/model-events.ts";
import { pendingApprovals } from "../protocol/session-state.ts";
import type { Model } from "../providers/provider.ts";
import { scriptedModel, type ScriptedAnswer, type ScriptedModel } from "../providers/scripted-model.ts";
import { openMemoryStore } from "../session/sqlite/memory-store.ts";
import {
  resultsOf,
  scriptedSession,
  sessionForTest,
  outcomesOf,
  toldIn,
  typesOf,
} from "../testing/scripted-session.ts";
import type { TestSessionOptions } from "../testing/session.ts";
import { go, write, rules } from "../testing/turns.ts";

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

test("FORMATS 4.8: after an answer cut off by its length, text calls only read, and whole native calls run", async () => {
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
  const textual = await sessionForTest(asText(scriptedModel([cut, [{ say: "ok" }]])), options);
  await textual.ask("go");
  expect(outcomesOf(textual.facts())).toEqual(["ok", "cancelled", "cancelled"]);
  expect(toldIn(textual.facts())).toContain("Not started: the answer that asked for it was cut off");
  expect(await textual.workspace.files()).toEqual(["a.txt"]);
  expect(textual.facts().at(-1)).toMatchObject({ type: "turn-end", stopped: "done", text: "ok" });

  const native = await scriptedSession([cut, [{ say: "ok" }]], options);
  await native.ask("go");
  expect(outcomesOf(native.facts())).toEqual(["ok", "ok", "ok"]);
  expect(await native.workspace.files()).toEqual(["a.txt", "b.txt", "c.txt"]);
});

test("FORMATS 4.8: a text call of a cut-off answer leaves no open approval", async () => {
  const model = asText(scriptedModel([[write("b.txt"), { end: "length" }], [{ say: "ok" }]]));
  const { session, facts, workspace } = await sessionForTest(model);
  await session.command(go);
  await session.idle();
  expect(facts().at(-1)).toMatchObject({ type: "turn-end", stopped: "done" });
  expect(pendingApprovals(session.state)).toEqual([]);
  expect(await workspace.files()).toEqual([]);
});

test("FORMATS 4.8: after a crash a text call of a cut-off answer does not run either", async () => {
  const store = openMemoryStore();
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
  const opened = await sessionForTest(scriptedModel([[{ say: "ok" }]]), { store, resume: "s", mode: "auto" });
  await opened.session.command({ type: "go-on" });
  await opened.session.idle();
  expect(outcomesOf(opened.facts())).toEqual(["cancelled"]);
  expect(await opened.workspace.files()).toEqual([]);
});

test("N12: a stream that fails cancels its waiting calls and starts none of them", async () => {
  const broken = new ModelError("network", "The connection was lost.", { midStream: true });
  const answer: ScriptedAnswer = [write("b.txt"), write("c.txt"), { fail: broken }];
  const { session, facts, workspace } = await sessionForTest(
    asText(scriptedModel([answer, [{ say: "ok" }]])),
    {
      mode: "auto",
    },
  );
  await session.command(go);
  await session.idle();
  expect(outcomesOf(facts())).toEqual(["cancelled", "cancelled"]);
  expect(typesOf(facts())).not.toContain("call-start");
  expect(await workspace.files()).toEqual([]);
});

test("a change whose arguments were guessed needs approval even in auto mode", async () => {
  const guessed = { call: "write_file", with: { path: "a.json", content: { a: 1 } } };
  const { ask, facts } = await scriptedSession([[guessed], [{ say: "ok" }]], { mode: "auto" });
  await ask("go");
  expect(facts().filter((fact) => fact.type === "approval-asked")).toMatchObject([
    { preview: expect.stringContaining('+{"a":1}') },
  ]);
});

test("N11: the result of a cut-off call says where it was cut off and how to send less at once", async () => {
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
  const { ask, facts } = await sessionForTest(cut(scriptedModel([[write("a.txt")], [{ say: "ok" }]])));
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
