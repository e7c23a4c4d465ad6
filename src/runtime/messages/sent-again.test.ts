import { expect, onTestFinished, test } from "vitest";
import type { Command } from "../../protocol/commands.ts";
import { step } from "../../protocol/fold.ts";
import { mostKnownMessages } from "../../protocol/fold.ts";
import { emptyState } from "../../protocol/session-state.ts";
import { scriptedModel, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import { testSession, type TestSessionOptions } from "../../testing/session.ts";

const send = (text: string, id: string): Command => ({ type: "send", content: [{ type: "text", text }], id });

async function start(script: readonly ScriptedAnswer[], options: TestSessionOptions = {}) {
  const opened = await testSession(scriptedModel(script), options);
  onTestFinished(() => opened.close().catch(() => undefined));
  const said = () =>
    opened
      .facts()
      .flatMap((fact) => (fact.type === "user-message" || fact.type === "steer" ? fact.content : []));
  return { ...opened, said };
}

test("a message sent twice under one id is accepted twice and taken once", async () => {
  const { session, said } = await start([[{ say: "Yes." }], [{ say: "Again." }]]);
  expect(await session.command(send("Hello.", "one"))).toEqual({ ok: true });
  await session.idle();
  expect(await session.command(send("Hello.", "one"))).toEqual({ ok: true });
  await session.idle();
  expect(said()).toEqual([{ type: "text", text: "Hello." }]);
  await session.command(send("Hello.", "two"));
  await session.idle();
  expect(said()).toHaveLength(2);
});

test("a queued message sent again is queued once, and a withdrawn one stays withdrawn", async () => {
  const gate = Promise.withResolvers<void>();
  const { session, said } = await start([[{ wait: gate.promise }, { say: "Done." }], [{ say: "And that." }]]);
  await session.command(send("First.", "one"));
  for (let time = 0; time < 2; time += 1) {
    await session.command(send("Second.", "two"));
    await session.command(send("Third.", "three"));
  }
  expect(session.state.queue.map(({ id }) => id)).toEqual(["two", "three"]);
  expect(await session.command({ type: "withdraw", id: "three" })).toEqual({ ok: true });
  expect(await session.command(send("Third.", "three"))).toEqual({ ok: true });
  gate.resolve();
  await session.idle();
  expect(said().map((part) => (part.type === "text" ? part.text : ""))).toEqual(["First.", "Second."]);
});

test("a message's id is still known after the session is reopened", async () => {
  const first = await start([[{ say: "Yes." }]]);
  await first.session.command(send("Hello.", "one"));
  await first.session.idle();
  const { store, workspace } = first;
  const resume = first.session.id;
  await first.session.close();
  const again = await start([], { store, workspace, resume });
  expect(await again.session.command(send("Hello.", "one"))).toEqual({ ok: true });
  await again.session.idle();
  expect(again.said()).toHaveLength(1);
});

test("only the newest message ids are remembered", () => {
  const state = emptyState();
  const most = mostKnownMessages;
  for (let seq = 1; seq <= most + 5; seq += 1)
    step(state, {
      type: "message-queued",
      id: `m${seq}`,
      content: [],
      when: "next",
      v: 1,
      seq,
      at: 0,
      turn: 1,
    });
  expect(state.sent).toHaveLength(most);
  expect(state.sent.at(-1)).toBe(`m${most + 5}`);
});
