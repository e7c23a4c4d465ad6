/** Tests which messages are refused before they are sent, since the model could never take them. */

import { expect, test } from "vitest";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { lines, overflow, withSession } from "../../testing/long-conversation.ts";
import { factsOf } from "../../testing/scripted-session.ts";

const send = (text: string) => ({ type: "send" as const, content: [{ type: "text" as const, text }] });

test("a message that is longer than the model's window is refused, and nothing of it is kept", async () => {
  const model = scriptedModel([[{ say: "Read." }]], { contextTokens: 16_000 });
  await withSession(model, async ({ session, ask, facts }) => {
    const outcome = await session.command(send(lines("log", 10_000)));
    expect(outcome).toMatchObject({
      ok: false,
      problem: expect.stringMatching(
        /^The message is too long for scripted\/model: about \d+ tokens, of 16000 in all/u,
      ),
    });
    expect(factsOf(facts(), "user-message")).toEqual([]);
    await ask("Short");
    expect(session.state.turns.at(-1)?.stopped).toBe("done");
  });
});

test("what may just fit is sent, and so is anything to a model whose window is not known", async () => {
  for (const contextTokens of [140_000, undefined]) {
    const model = scriptedModel([[{ say: "Read." }]], contextTokens === undefined ? {} : { contextTokens });
    await withSession(model, async ({ session }) => {
      expect(await session.command(send(lines("log", 10_000)))).toEqual({ ok: true });
      await session.idle();
    });
  }
});

test("a message queued while a request runs is held to the same bound", async () => {
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel([[{ say: "One." }, { wait: gate.promise }], [{ fail: overflow() }]], {
    contextTokens: 16_000,
  });
  await withSession(model, async ({ session }) => {
    await session.command(send("go"));
    expect(await session.command(send(lines("log", 10_000)))).toMatchObject({ ok: false });
    expect(session.state.queue).toEqual([]);
    gate.resolve();
    await session.idle();
  });
});
