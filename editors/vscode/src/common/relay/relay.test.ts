/** The relay between a page and its gateway, with a real gateway behind it. */

import { expect, onTestFinished, test } from "vitest";
import type { Entry, Signal } from "../../../../../src/protocol/facts.ts";
import { scriptedModel, type ScriptedAnswer } from "../../../../../src/providers/scripted-model.ts";
import { testGateway, type TestGateway } from "../../../../../src/testing/gateway.ts";
import { testRelay } from "./testing/relay.ts";

async function relayTo(answers: readonly ScriptedAnswer[], options: { mostWaiting?: number } = {}) {
  const gateway = await testGateway(scriptedModel([...answers]), { mode: "accept-edits" });
  const relay = testRelay({ gateway: async () => addressOf(gateway), ...options });
  onTestFinished(async () => {
    relay.close();
    await gateway.close();
    await gateway.test.remove();
  });
  return { gateway, relay, client: relay.client };
}

const addressOf = ({ url, token }: TestGateway) => ({ url, token });

test("a page that knows no token reaches the gateway, which answers with what it is", async () => {
  const { gateway, client } = await relayTo([]);
  expect(await client.health()).toMatchObject({ version: "0.0.0", workspace: gateway.test.workspace });
});

test("a message sent over a relayed socket comes back as facts, in order and without a gap", async () => {
  const { client } = await relayTo([[{ say: "Hello from the other side." }]]);
  const { id } = await client.create({});
  const live = client.live();
  onTestFinished(() => live.close());
  const outcome = live.command(id, say("Hello"));
  const facts = await collect(live.follow(id));
  expect(await outcome).toEqual({ ok: true });
  expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, at) => at + 1));
});

test("an exported session streams out of the gateway, and an import streams into it", async () => {
  const { client } = await relayTo([[{ say: "Kept." }]]);
  const { id } = await client.create({});
  expect(await client.command(id, say("Keep this"))).toEqual({ ok: true });
  const pieces: Uint8Array[] = [];
  for await (const piece of client.export(id)) pieces.push(piece);
  const text = Buffer.concat(pieces).toString("utf8");
  expect(text).toContain("Keep this");
  const { session } = await client.import(new Blob([text]));
  expect((await client.session(session.id)).title).toBe((await client.session(id)).title);
});

test("a reply is read at the gateway only as fast as the page reads it, and no longer than it wants", async () => {
  let pulls = 0;
  const left = Promise.withResolvers<void>();
  const endless = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => controller.enqueue(new Uint8Array([(pulls += 1)])),
      cancel: () => left.resolve(),
    },
    { highWaterMark: 0 },
  );
  const relay = testRelay({
    gateway: async () => ({ url: "http://127.0.0.1:1", token: "t" }),
    fetch: async () => new Response(endless),
  });
  const reply = await relay.fetch("http://gateway.invalid/x");
  const reader = reply.body?.getReader();
  expect((await reader?.read())?.value).toEqual(new Uint8Array([1]));
  expect((await reader?.read())?.value).toEqual(new Uint8Array([2]));
  await reader?.cancel();
  await left.promise;
  expect(pulls).toBeLessThanOrEqual(4);
});

test("a request that is aborted rejects with the reason of the abort", async () => {
  const { relay } = await relayTo([]);
  const aborting = new AbortController();
  const asked = relay.fetch("http://gateway.invalid/health", { signal: aborting.signal });
  aborting.abort(new Error("no longer wanted"));
  await expect(asked).rejects.toThrow("no longer wanted");
});

test("a gateway that cannot be started is told in its own words", async () => {
  const relay = testRelay({ gateway: () => Promise.reject(new Error("There is no Node 24 here.")) });
  onTestFinished(relay.close);
  await expect(relay.client.health()).rejects.toThrow("There is no Node 24 here.");
  const live = relay.client.live();
  onTestFinished(() => live.close());
  for await (const state of live.states()) {
    if (state.type !== "waiting") continue;
    expect(state.because).toBe("There is no Node 24 here.");
    break;
  }
});

test("a page cannot make the extension ask another host than the gateway", async () => {
  const { relay } = await relayTo([]);
  await expect(relay.fetch("http://gateway.invalid//example.org/x")).rejects.toThrow(
    "A path of the gateway begins with one slash.",
  );
});

test("after the gateway has been replaced, the page goes on at the new one by itself", async () => {
  const first = await testGateway(scriptedModel([]));
  const second = await testGateway(scriptedModel([]));
  let now = first;
  const relay = testRelay({ gateway: async () => addressOf(now) });
  const live = relay.client.live();
  onTestFinished(async () => {
    live.close();
    relay.close();
    await second.close();
    await Promise.all([first.test.remove(), second.test.remove()]);
  });
  await until(live.states(), "open");
  now = second;
  await first.close();
  await until(live.states(), "waiting");
  await until(live.states(), "open");
  expect(await relay.client.health()).toMatchObject({ workspace: second.test.workspace });
});

test("a page that takes nothing for too long loses its socket, not its facts", async () => {
  const long = "y".repeat(50_000);
  const { client, relay, gateway } = await relayTo([[{ say: long }]], { mostWaiting: 10_000 });
  const { id } = await client.create({});
  const live = client.live();
  onTestFinished(() => live.close());
  await until(live.states(), "open");
  const followed = collect(live.follow(id));
  relay.hold();
  const closed = relay.sends("socket-closed");
  const sent = await gateway.ask("POST", `/sessions/${id}/commands`, say("Talk at length"));
  expect(sent.status).toBe(200);
  await closed;
  relay.release();
  expect((await followed).find((event) => event.type === "text")).toMatchObject({ text: long });
});

const say = (text: string) => ({ type: "send" as const, content: [{ type: "text" as const, text }] });

async function until(states: AsyncIterable<{ type: string }>, type: string): Promise<void> {
  for await (const state of states) if (state.type === type) return;
}

/** All facts up to the end of the turn. */
async function collect(events: AsyncIterable<Entry | Signal>): Promise<Entry[]> {
  const facts: Entry[] = [];
  for await (const event of events) {
    if ("seq" in event) facts.push(event);
    if (event.type === "turn-end") break;
  }
  return facts;
}
