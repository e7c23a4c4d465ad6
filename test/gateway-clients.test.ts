import { EventSource } from "eventsource";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { connect, type Client, type Command, type ConnectOptions, GatewayError } from "../src/client.ts";
import type { Entry, Signal } from "../src/protocol/facts.ts";
import { step } from "../src/protocol/fold.ts";
import { emptyState } from "../src/protocol/session-state.ts";
import type { Prompt } from "../src/providers/provider.ts";
import { scriptedModel, type ScriptedAnswer } from "../src/providers/scripted-model.ts";
import { type Break, cuttingProxy, type CuttingProxy } from "./support/cutting-proxy.ts";
import { type GatewayPlace, gatewayPlace, token } from "./support/gateway-place.ts";

let place: GatewayPlace;
let proxy: CuttingProxy;

/** A turn of two answers: reasoning with a read, then a text in many pieces. */
const words = "The file says what it says, and nothing that it does not say. ".repeat(40);
const answers: readonly ScriptedAnswer[] = [
  [{ think: "Let me look at it first." }, { call: "read_file", with: { path: "a.txt" } }],
  [{ say: words }],
];

/** An answer that pauses in its middle. */
const middle = Promise.withResolvers<void>();
const half = "Half of it. ";
const heldUp: ScriptedAnswer = [{ say: half }, { wait: middle.promise }, { say: half }];

function script({ messages }: Prompt): ScriptedAnswer {
  const last = JSON.stringify(messages.at(-1));
  if (last.includes("Stop in the middle.")) return heldUp;
  return answers[messages.at(-1)?.role === "user" ? 0 : 1] ?? [];
}

beforeAll(async () => {
  proxy = await cuttingProxy();
  const model = scriptedModel(script, { pieces: 7 });
  place = await gatewayPlace(model, { files: { "a.txt": "one\n" }, names: [proxy.name] });
  proxy.lead(place.gateway.port);
});
afterAll(async () => {
  await place.end();
  await proxy.close();
});

const client = (options: Partial<ConnectOptions> = {}): Client =>
  connect({ url: place.url, token, random: () => 0, ...options });
const throughProxy = (): Client => client({ url: `http://${proxy.name}` });
const send = (text: string): Command => ({ type: "send", content: [{ type: "text", text }] });
const hello = send("What does it say?");

/** Reads until the `turns`-th turn is over. */
async function readTurns(events: AsyncIterable<Entry | Signal>, turns = 1): Promise<(Entry | Signal)[]> {
  const all: (Entry | Signal)[] = [];
  for await (const event of events) {
    all.push(event);
    if (event.type === "turn-end" && event.turn === turns) break;
  }
  return all;
}

const factsOf = (events: readonly (Entry | Signal)[]): Entry[] => events.filter((event) => "seq" in event);
const stateOf = (facts: readonly Entry[]) => facts.reduce(step, emptyState());

async function expectWhole(id: string, events: readonly (Entry | Signal)[]): Promise<void> {
  const stored = await place.store.read(id, 0);
  const facts = factsOf(events);
  expect(facts.map(({ seq }) => seq)).toEqual(stored.map(({ seq }) => seq));
  expect(stateOf(facts)).toEqual(stateOf(stored));
}

const breaks = fc.array(
  fc.oneof(
    fc.record({ cutAfter: fc.integer({ min: 0, max: 6_000 }) }),
    fc.record({ stallAfter: fc.integer({ min: 0, max: 6_000 }) }),
  ),
  { maxLength: 8 },
);
const numRuns = Number(process.env["TOOLWRIGHT_RUNS"] ?? 20);

/** Stalled connections are cut now and then, as a network would do eventually. */
async function underBreaks<T>(planned: readonly Break[], work: () => Promise<T>): Promise<T> {
  proxy.plan(planned);
  const stalls = planned.some((one) => "stallAfter" in one);
  const cutting = stalls ? setInterval(() => proxy.cut(), 100) : undefined;
  try {
    return await work();
  } finally {
    clearInterval(cutting);
    proxy.plan([]);
  }
}

test("however the socket is cut, its client receives each fact once, in order, and ends with the stored state", async () => {
  await fc.assert(
    fc.asyncProperty(breaks, async (planned) => {
      const ids = [(await client().create({})).id, (await client().create({})).id];
      const live = throughProxy().live();
      const told = await underBreaks(planned, () =>
        Promise.all(
          ids.map(async (id) => {
            const reading = readTurns(live.follow(id));
            expect(await live.command(id, hello)).toEqual({ ok: true });
            return { id, events: await reading };
          }),
        ),
      );
      live.close();
      for (const { id, events } of told) {
        await expectWhole(id, events);
        expect(factsOf(events).filter(({ type }) => type === "user-message")).toHaveLength(1);
      }
    }),
    { numRuns },
  );
  expect(proxy.connections).toBeGreaterThan(numRuns * 2); // it was really cut
});

test("however the event stream is cut, its client receives each fact once, in order", async () => {
  await fc.assert(
    fc.asyncProperty(breaks, async (planned) => {
      const { id } = await client().create({});
      const events = await underBreaks([...planned], async () => {
        await client().command(id, hello);
        return readTurns(persistent(id));
      });
      await expectWhole(id, events);
    }),
    { numRuns },
  );
});

/** The first request has to get through; after that the client reconnects by itself. */
async function* persistent(id: string): AsyncGenerator<Entry | Signal> {
  for (let after = 0; ;) {
    try {
      for await (const event of throughProxy().events(id, { after })) {
        if ("seq" in event) after = event.seq;
        yield event;
      }
    } catch (error) {
      if (!(error instanceof GatewayError && error.code === "unreachable")) throw error;
    }
  }
}

test("one connection follows a session twice from different positions, each to the end of the turn", async () => {
  const { id } = await client().create({ title: "Two readers" });
  const live = client().live();
  await live.command(id, hello);
  const [whole, rest] = await Promise.all([
    readTurns(live.follow(id)),
    readTurns(live.follow(id, { after: 4 })),
  ]);
  expect(factsOf(rest)).toEqual(factsOf(whole).slice(4));
  live.close();
});

test("a client that joins during an answer receives the text so far in one piece, then the rest", async () => {
  const { id } = await client().create({});
  const live = client().live();
  const first = live.follow(id);
  await live.command(id, send("Stop in the middle."));
  let said = "";
  for await (const event of first) {
    if (event.type === "text-delta") said += event.text;
    if (said === half) break;
  }
  const second: (Entry | Signal)[] = [];
  for await (const event of live.follow(id)) {
    second.push(event);
    if (event.type === "text-delta") middle.resolve();
    if (event.type === "turn-end") break;
  }
  const [soFar, ...rest] = second.flatMap((event) => (event.type === "text-delta" ? [event] : []));
  expect(soFar).toMatchObject({ offset: 0, text: half });
  expect(rest.map(({ text }) => text).join("")).toBe(half);
  live.close();
});

test("the session list updates live for a new session and for its new name", async () => {
  const live = client().live();
  const lists = live.watch(3);
  await lists.next();
  const { id } = await client().create({});
  await live.command(id, { type: "rename", title: "A name of its own" });
  const titles: (string | undefined)[] = [];
  for await (const { sessions } of lists) {
    titles.push(sessions.find((one) => one.id === id)?.title);
    if (titles.at(-1) === "A name of its own") break;
  }
  live.close();
});

test("clients and what they follow survive a restart of the gateway", async () => {
  const before = await gatewayPlace(scriptedModel(script), { files: { "a.txt": "one\n" } });
  const own = client({ url: before.url });
  const { id } = await own.create({});
  const live = own.live();
  const states: string[] = [];
  const telling = (async () => {
    for await (const { type } of live.states()) states.push(type);
  })();
  const reading = readTurns(live.follow(id), 2);
  const list = live.watch(1);
  expect(await live.command(id, hello)).toEqual({ ok: true });
  await readTurns(live.follow(id));
  await before.gateway.drain(1_000);
  await before.stop();
  const { port } = before.gateway;
  const after = await gatewayPlace(scriptedModel(script), { root: before.root, port });
  expect(await live.command(id, hello)).toEqual({ ok: true });
  const facts = factsOf(await reading);
  expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, at) => at + 1));
  expect(facts.filter(({ type }) => type === "user-message")).toHaveLength(2);
  expect((await list.next()).value).toMatchObject({ sessions: [{ id }] });
  live.close();
  await telling;
  expect(states.slice(0, 2)).toEqual(["connecting", "open"]);
  expect(states).toContain("waiting");
  await after.end();
});

test("a wrong token is refused, over the socket and over HTTP", async () => {
  const stranger = client({ token: "x".repeat(43) });
  await expect(stranger.sessions()).rejects.toMatchObject({ name: "GatewayError", status: 401 });
  const live = stranger.live();
  await expect(live.follow("any").next()).rejects.toMatchObject({ status: 401, code: "unauthorized" });
  expect(live.state().type).toBe("refused");
});

test("a message too long for a frame is delivered all the same, with the same outcome", async () => {
  const { id } = await client().create({});
  const live = client().live();
  const text = "x".repeat(1_500_000);
  expect(await live.command(id, send(text))).toEqual({ ok: true });
  const facts = factsOf(await readTurns(live.follow(id)));
  expect(facts.find(({ type }) => type === "user-message")).toMatchObject({
    content: [{ type: "text", text }],
  });
  live.close();
});

test("deleting a session ends its followers with an error", async () => {
  const { id } = await client().create({});
  const live = client().live();
  const following = live.follow(id);
  await following.next();
  const ended = (async () => {
    for await (const _ of following) continue;
  })().catch((error: unknown) => error); // the follower may hear of it before the reply has come
  await client().remove(id);
  expect(await ended).toBeInstanceOf(GatewayError);
  await expect(live.follow(id).next()).rejects.toMatchObject({ code: "no-such-session" });
  await expect(client().session(id)).rejects.toMatchObject({ status: 404, code: "no-such-session" });
  live.close();
});

test("a third-party EventSource resumes from its last event id after a cut", async () => {
  const { id } = await client().create({});
  await client().command(id, hello);
  proxy.plan([{ cutAfter: 1_500 }]);
  const before = proxy.connections;
  const source = new EventSource(`http://${proxy.name}/sessions/${id}/events`, {
    fetch: (url, init) =>
      fetch(url, { ...init, headers: { ...init?.headers, authorization: `Bearer ${token}` } }),
  });
  const told: Entry[] = [];
  await new Promise<void>((resolve) => {
    source.addEventListener("fact", ({ data, lastEventId }) => {
      const fact: Entry = JSON.parse(data);
      expect(lastEventId).toBe(String(fact.seq));
      told.push(fact);
      if (fact.type === "turn-end") resolve();
    });
  });
  source.close();
  expect(proxy.connections - before).toBe(2);
  await expectWhole(id, told);
});

test("the ws package can drive the socket: follow, command, receive facts", async () => {
  const { id } = await client().create({});
  const socket = new WebSocket(`${place.url.replace("http", "ws")}/socket`, ["toolwright", `token.${token}`]);
  const frames: Record<string, unknown>[] = [];
  const over = Promise.withResolvers<void>();
  socket.on("message", (data: Buffer) => {
    const frame: Record<string, unknown> & { events?: { type: string }[] } = JSON.parse(data.toString());
    frames.push(frame);
    if (frame.events?.some(({ type }) => type === "turn-end")) over.resolve();
  });
  await new Promise((resolve) => socket.once("open", resolve));
  expect(socket.protocol).toBe("toolwright");
  socket.send(JSON.stringify({ type: "follow", id: "mine", session: id, after: 0 }));
  socket.send(JSON.stringify({ type: "command", id: "c1", session: id, command: hello }));
  await over.promise;
  socket.close();
  expect(frames[0]).toEqual({ type: "welcome", version: "0.0.0-test" });
  expect(frames).toContainEqual({ type: "outcome", id: "c1", outcome: { ok: true } });
  const events = frames.flatMap((frame) => (frame["type"] === "events" ? [frame] : []));
  expect(new Set(events.map((frame) => frame["id"]))).toEqual(new Set(["mine"]));
});

test("a page signs in with the code from the link, only once", async () => {
  const code = new URL(place.gateway.link()).hash.replace("#code=", "");
  const newcomer = connect({ url: place.url });
  const { token: own } = await newcomer.exchange({ code });
  expect((await connect({ url: place.url, token: own }).health()).status).toBe("ok");
  await expect(newcomer.exchange({ code })).rejects.toBeInstanceOf(GatewayError);
});
