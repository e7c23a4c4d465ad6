import { setImmediate as nextRound } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { Entry } from "../../protocol/facts.ts";
import type { ContentPart } from "../../protocol/messages.ts";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { WrappedStore } from "../../session/testing/wrapped-store.ts";
import { testSession } from "../../testing/session.ts";
import { messageBounds } from "./bounds.ts";

const words = (text: string): ContentPart[] => [{ type: "text", text }];

/** Delays the transaction with a fact of a held type until it is released. */
class HoldingStore extends WrappedStore {
  readonly #holds = new Map<string, { reached: () => void; free: Promise<void> }>();

  /** Resolves when the next such fact is about to be stored, with the function that releases it. */
  hold(type: Entry["type"]): Promise<() => void> {
    const [reached, free] = [Promise.withResolvers<() => void>(), Promise.withResolvers<void>()];
    this.#holds.set(type, { reached: () => reached.resolve(free.resolve), free: free.promise });
    return reached.promise;
  }

  override async append(session: string, epoch: number, entries: readonly Entry[]): Promise<void> {
    for (const { type } of entries) {
      const held = this.#holds.get(type);
      this.#holds.delete(type);
      held?.reached();
      await held?.free;
    }
    return super.append(session, epoch, entries);
  }
}

test("messages to a running request are queued up to the limit; the next one is refused with advice", async () => {
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel([[{ wait: gate.promise }, { say: "Done." }], [{ say: "Read." }]]);
  const { session, close } = await testSession(model);
  const send = (text: string) =>
    session.command({ type: "send", content: [{ type: "text", text }], when: "steer" });
  await send("Begin.");
  for (let index = 0; index < messageBounds.waitingMessages.most; index += 1)
    expect(await send(`And ${index}.`)).toEqual({ ok: true });
  expect(await send("One more.")).toEqual({
    ok: false,
    problem: "The queue is full (100 messages). Wait for the request, or interrupt it.",
  });
  gate.resolve();
  await session.idle();
  expect(session.state.queue).toEqual([]);
  expect(session.state.said).toHaveLength(messageBounds.waitingMessages.most + 1);
  await close();
});

test("a message that arrives while the end of a request is being stored starts the next one", async () => {
  const store = new HoldingStore();
  const ending = store.hold("turn-end");
  const { session, close } = await testSession(scriptedModel([[{ say: "Done." }], [{ say: "Read." }]]), {
    store,
  });
  onTestFinished(close);
  await session.command({ type: "send", content: words("Begin.") });
  const letGo = await ending;
  const sent = session.command({ type: "send", content: words("And this.") });
  await nextRound();
  letGo();
  expect(await sent).toEqual({ ok: true });
  await session.idle();
  expect(session.state.turns.map(({ stopped }) => stopped)).toEqual(["done", "done"]);
  expect(session.state.queue).toEqual([]);
});

test("a message that is being withdrawn does not reach the model", async () => {
  const store = new HoldingStore();
  const [answered, withdrawn] = [store.hold("answer-end"), store.hold("message-withdrawn")];
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel([[{ wait: gate.promise }, { say: "Done." }], [{ say: "Read." }]]);
  const { session, close } = await testSession(model, { store });
  onTestFinished(close);
  await session.command({ type: "send", content: words("Begin.") });
  await session.command({ type: "send", content: words("Not this.") });
  gate.resolve();
  const letAnswer = await answered;
  // A signal in between keeps the two out of one transaction.
  session.log.signal({ type: "text-delta", block: 99, offset: 0, text: "and several words more" });
  const taken = session.command({ type: "withdraw", id: session.state.queue[0]?.id ?? "" });
  await nextRound();
  letAnswer();
  const letWithdraw = await withdrawn;
  await nextRound();
  letWithdraw();
  expect(await taken).toEqual({ ok: true });
  await session.idle();
  expect(session.state.said).toEqual([words("Begin.")]);
  expect(model.prompts).toHaveLength(1);
});
