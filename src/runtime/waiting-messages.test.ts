import { expect, test } from "vitest";
import { bounds } from "../base/bounds.ts";
import { scripted } from "../providers/scripted.ts";
import { testSession } from "../testing/session.ts";

test("messages to a running request wait, as many as there is room for; the next one is refused with advice", async () => {
  const gate = Promise.withResolvers<void>();
  const model = scripted([[{ wait: gate.promise }, { say: "Done." }], [{ say: "Read." }]]);
  const { session, close } = await testSession(model);
  const send = (text: string) =>
    session.command({ type: "send", content: [{ type: "text", text }], when: "steer" });
  await send("Begin.");
  for (let index = 0; index < bounds.session.waitingMessages.most; index += 1)
    expect(await send(`And ${index}.`)).toEqual({ ok: true });
  expect(await send("One more.")).toEqual({
    ok: false,
    problem: "100 messages wait already. Let the request take them, or interrupt it.",
  });
  gate.resolve();
  await session.idle();
  expect(session.state.queue).toEqual([]);
  expect(session.state.said).toHaveLength(bounds.session.waitingMessages.most + 1);
  await close();
});
