/**
 * Incoming messages: resolved in order, cancelled when a person does not want to wait, and accepted once if sent twice.
 */

import { expect, test } from "vitest";
import type { ContentPart } from "../../protocol/messages.ts";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { testSession } from "../../testing/session.ts";
import type { MessageReader } from "./take-message.ts";

const text = (words: string): ContentPart => ({ type: "text", text: words });
const send = (words: string, id?: string) => ({
  type: "send" as const,
  content: [text(words)],
  ...(id === undefined ? {} : { id }),
});
const fine = scriptedModel(() => [{ say: "Fine." }]);

test.each([
  ["whose lookup then returns a problem", false],
  ["whose lookup then fails", true],
])("an interruption cancels the lookup of a message %s, and nothing is sent", async (_, fails) => {
  await using stage = await opened();
  const begun = Promise.withResolvers<void>();
  const endless: MessageReader = (_content, signal) => {
    begun.resolve();
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => {
        if (fails) reject(signal.reason);
        else resolve({ ok: false, problem: "late" });
      });
    });
  };
  const sent = stage.session.command(send("/slow"), endless);
  await begun.promise;
  const interrupted = stage.session.command({ type: "interrupt" });
  expect(await sent).toMatchObject({ ok: false, problem: expect.stringContaining("was not sent") });
  await interrupted;
  expect(stage.facts().filter(({ type }) => type === "user-message")).toEqual([]);
  expect(await stage.session.command(send("next"))).toEqual({ ok: true });
});

test("a message sent again under its id is not looked up again", async () => {
  await using stage = await opened();
  let looked = 0;
  const reading: MessageReader = async (content) => {
    looked += 1;
    return { ok: true, value: [...content, text("more")] };
  };
  expect(await stage.session.command(send("once", "a"), reading)).toEqual({ ok: true });
  expect(await stage.session.command(send("once", "a"), reading)).toEqual({ ok: true });
  await stage.session.idle();
  const said = stage.facts().filter((fact) => fact.type === "user-message");
  expect([looked, said]).toMatchObject([1, [{ content: [text("once"), text("more")] }]]);
});

test("an expansion without text is refused like an empty message", async () => {
  await using stage = await opened();
  const nothing: MessageReader = async () => ({ ok: true, value: [text(" ")] });
  expect(await stage.session.command(send("/empty"), nothing)).toEqual({
    ok: false,
    problem: "The request is empty. Say what to do.",
  });
});

async function opened() {
  const stage = await testSession(fine);
  return Object.assign(stage, { [Symbol.asyncDispose]: () => stage.close() });
}
