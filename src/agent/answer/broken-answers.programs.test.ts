/** Tests answers that break off, say nothing, or contain only unusable calls. */

import { expect, test } from "vitest";
import { hermes } from "../../dialects/hermes.ts";
import { ModelError } from "../../protocol/model-events.ts";
import { conversation } from "../../protocol/session-state.ts";
import { scriptedModel, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import { taughtModel } from "../../providers/taught-model.ts";
import { endOf, scriptedSession, sessionForTest } from "../../testing/scripted-session.ts";

test("an answer that breaks off is requested again, and the turn finishes", async () => {
  const broken = new ModelError("network", "The connection was lost.", { midStream: true });
  const { ask, facts, model } = await scriptedSession(
    [
      [{ say: "I read." }, { call: "read_file", with: { path: "a.txt" } }, { fail: broken }],
      [{ say: "Done." }],
    ],
    { files: { "a.txt": "a" } },
  );
  await ask("go");
  expect(
    facts()
      .filter((fact) => fact.type === "answer-end")
      .map((fact) => fact.reason),
  ).toEqual(["failed", "stop"]);
  expect(model.prompts).toHaveLength(2);
  expect(endOf(facts())).toMatchObject({ stopped: "done" });
});

test("an answer that keeps breaking off fails the turn with its reason after ten retries", async () => {
  const broken: ScriptedAnswer = [
    { say: "x" },
    { fail: new ModelError("network", "The connection was lost.", { midStream: true }) },
  ];
  const { ask, facts, model } = await scriptedSession(() => broken);
  await ask("go");
  expect(model.prompts).toHaveLength(11);
  expect(endOf(facts())).toMatchObject({ stopped: "failed", because: "The connection was lost." });
});

test("E5, E6: a rejected key fails the turn with one clear line, logged before its end and kept in the conversation", async () => {
  const { ask, facts, session } = await scriptedSession([
    [{ fail: new ModelError("auth", "The key was refused.", { advice: "Check it.", said: "no" }) }],
  ]);
  await ask("go");
  const [answer, text, end] = facts().slice(-3);
  expect(answer).toMatchObject({
    failure: { kind: "auth", message: "The key was refused.", advice: "Check it.", said: "no" },
  });
  expect(text).toMatchObject({ type: "text", text: "The request failed: The key was refused. Check it." });
  expect(end).toMatchObject({ stopped: "failed", because: "The key was refused.", advice: "Check it." });
  expect(conversation(session.state).at(-1)?.text).toContain("was refused");
});

test("E5: a turn whose model stays silent ends with our own text, which names the failed command", async () => {
  const { ask, facts } = await scriptedSession([[{ call: "run_command", with: { command: "exit 3" } }], []]);
  await ask("go");
  const text = facts().findLast((fact) => fact.type === "text");
  expect(text).toMatchObject({ by: "toolwright" });
  expect(JSON.stringify(text)).toContain("the last command failed");
});

test("D8: a model whose calls stay invalid after five corrections ends the turn as failed", async () => {
  const invalid: ScriptedAnswer = [
    { call: "read_file", with: { nothing: 1 } },
    { call: "no_such_tool", with: {} },
  ];
  const { facts, ask, model } = await scriptedSession(Array.from({ length: 9 }, () => invalid));
  await ask("go");
  expect(model.prompts).toHaveLength(6);
  expect(endOf(facts())).toMatchObject({
    stopped: "failed",
    because: "the model's calls could not be used 6 times in a row.",
    advice: expect.stringMatching(/^Try again/),
  });
});

test("D8: calls that cannot be parsed count half, so that the model can be taught another way to write them", async () => {
  const unreadable = taughtModel(
    scriptedModel(() => [
      { say: '<tool_call>\n{"name": "read_file", "arguments": {"path": }}\n</tool_call>' },
    ]),
    hermes,
  );
  const opened = await sessionForTest(unreadable);
  await opened.ask("go");
  expect(opened.facts().filter(({ type }) => type === "answer-end")).toHaveLength(12);
  expect(endOf(opened.facts())).toMatchObject({ because: expect.stringContaining("could not be used") });
});

test("D8: calls that are cut off every time count fully, since no other format makes them shorter", async () => {
  const cut = '<tool_call>\n{"name": "write_file", "arguments": {"path": "a.txt", "content": "on';
  const opened = await sessionForTest(
    taughtModel(
      scriptedModel(() => [{ say: cut }, { end: "length" }]),
      hermes,
    ),
  );
  await opened.ask("go");
  expect(opened.facts().filter(({ type }) => type === "answer-end")).toHaveLength(6);
  expect(endOf(opened.facts())).toMatchObject({ advice: expect.stringContaining("ask for less at a time") });
});

test("D8: one usable call between invalid ones resets the count", async () => {
  const invalid: ScriptedAnswer = [{ call: "read_file", with: {} }];
  const mixed: ScriptedAnswer = [
    { call: "read_file", with: {} },
    { call: "list_files", with: {} },
  ];
  const { facts, ask } = await scriptedSession([
    ...Array.from({ length: 12 }, (_, at) => (at % 5 === 4 ? mixed : invalid)),
    [{ say: "done" }],
  ]);
  await ask("go");
  expect(endOf(facts())).toMatchObject({ stopped: "done", text: "done" });
});

test("an answer cut off at its length ends the turn as stopped by a limit", async () => {
  const { ask, facts } = await scriptedSession([[{ say: "And then" }, { end: "length" }]]);
  await ask("go");
  expect(endOf(facts())).toMatchObject({ stopped: "limit", text: "And then" });
});
