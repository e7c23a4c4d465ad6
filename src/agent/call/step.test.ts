/** Tests when a call starts: reads in parallel, anything else alone, and all as soon as they are complete. */

import { expect, test } from "vitest";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { scriptedSession, sessionForTest, typesOf } from "../../testing/scripted-session.ts";
import { settle, gatedTool } from "../../testing/turns.ts";

test("C5: all reads of one answer run at the same time", async () => {
  const slow = gatedTool("wait", "read");
  const ids = ["1", "2", "3", "4", "5", "6"];
  const { ask } = await scriptedSession(
    [ids.map((id) => ({ call: "wait", with: { id } })), [{ say: "ok" }]],
    {
      tools: [slow.tool],
    },
  );
  const asked = ask("go");
  await Promise.all(ids.map((id) => slow.begins(id)));
  expect(slow.started).toEqual(ids);
  ids.forEach(slow.open);
  await asked;
});

test("C5: a change or command between reads is a barrier", async () => {
  const read = gatedTool("look", "read");
  const run = gatedTool("act", "execute");
  const calls = [
    { call: "look", with: { id: "before" } },
    { call: "act", with: { id: "between" } },
    { call: "look", with: { id: "after" } },
  ];
  const rules = [{ name: "user", rules: [{ tool: "*", decision: "allow" as const }] }];
  const { ask } = await scriptedSession([calls, [{ say: "ok" }]], { tools: [read.tool, run.tool], rules });
  const asked = ask("go");
  await read.begins("before");
  await settle();
  expect(run.started).toEqual([]);
  read.open("before");
  await run.begins("between");
  await settle();
  expect(read.started).toEqual(["before"]);
  run.open("between");
  await read.begins("after");
  read.open("after");
  await asked;
});

test("C6: a complete call starts while the answer is still streaming", async () => {
  const slow = gatedTool("wait", "read");
  const more = Promise.withResolvers<void>();
  const { ask, facts, session } = await scriptedSession(
    [
      [{ call: "wait", with: { id: "early" } }, { wait: more.promise }, { say: "And more." }],
      [{ say: "ok" }],
    ],
    { tools: [slow.tool] },
  );
  const asked = ask("go");
  await slow.begins("early");
  expect(typesOf(facts())).not.toContain("answer-end");
  slow.open("early");
  await session.log.until((entry) => entry.type === "result", new AbortController().signal, 0);
  expect(typesOf(facts())).not.toContain("answer-end");
  more.resolve();
  await asked;
});

test("a call parsed from text reads immediately but changes files only after its answer ends", async () => {
  const more = Promise.withResolvers<void>();
  const model = scriptedModel([
    [
      { call: "read_file", with: { path: "a.txt" } },
      { call: "write_file", with: { path: "b.txt", content: "x" } },
      { wait: more.promise },
      { say: "." },
    ],
    [{ say: "ok" }],
  ]);
  const asText = {
    ...model,
    async *ask(...args: Parameters<typeof model.ask>) {
      for await (const event of model.ask(...args))
        yield event.type === "call-end" ? { ...event, call: { ...event.call, source: "hermes" } } : event;
    },
  };
  const opened = await sessionForTest(asText, { mode: "auto", files: { "a.txt": "a" } });
  const asked = opened.ask("go");
  await opened.session.log.until((entry) => entry.type === "result", new AbortController().signal, 0);
  await settle();
  expect(await opened.workspace.files()).toEqual(["a.txt"]);
  more.resolve();
  await asked;
  expect(await opened.workspace.files()).toEqual(["a.txt", "b.txt"]);
});
