/** A session as server-sent events: complete, in order, from any position, and stopped when the reader leaves. */

import { expect, onTestFinished, test } from "vitest";
import { isObject } from "../base/json.ts";
import type { Entry, Signal } from "../protocol/facts.ts";
import { type ModelScript, scriptedModel } from "../providers/scripted-model.ts";
import { testGateway, type TestGateway, testToken } from "../testing/gateway.ts";
import { Clockwork } from "./clockwork.ts";
import { GatewayCounts } from "./counts.ts";
import { eventStream } from "./event-stream.ts";

async function stage(script: ModelScript, pieces?: number): Promise<TestGateway> {
  const gateway = await testGateway(scriptedModel(script, pieces === undefined ? {} : { pieces }));
  onTestFinished(async () => {
    await gateway.close();
    await gateway.test.remove();
  });
  return gateway;
}

type Told = { event: string; id: string | undefined; data: { type: string; seq?: number } };

/** Reads events up to the last one wanted, then disconnects. */
async function read(response: Response, isLast: (told: Told) => boolean): Promise<Told[]> {
  const all: Told[] = [];
  let text = "";
  for await (const piece of response.body ?? []) {
    text += new TextDecoder().decode(piece);
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks.filter((one) => !one.startsWith(":"))) {
      const told = readBlock(block);
      all.push(told);
      if (isLast(told)) return all;
    }
  }
  return all;
}

function readBlock(block: string): Told {
  const fields = Object.fromEntries(
    block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
  return { event: fields["event"] ?? "", id: fields["id"], data: JSON.parse(fields["data"] ?? "{}") };
}

const follow = (gateway: TestGateway, id: string, query = "", headers: Record<string, string> = {}) =>
  gateway.raw(`/sessions/${id}/events${query}`, {
    headers: { authorization: `Bearer ${testToken}`, ...headers },
  });
const send = (gateway: TestGateway, id: string) =>
  gateway.ask("POST", `/sessions/${id}/commands`, { type: "send", content: [{ type: "text", text: "hi" }] });
const isEnd = ({ data }: Told): boolean => data.type === "turn-end";
const seqs = (all: readonly Told[]): number[] => all.flatMap(({ data }) => data.seq ?? []);

test("facts have their number as id, signals have none, and a late reader gets the open block so far", async () => {
  const gate = Promise.withResolvers<void>();
  const gateway = await stage([[{ say: "Half of it. " }, { wait: gate.promise }, { say: "The rest." }]], 4);
  const id = await gateway.newSession();
  await send(gateway, id);
  const isSoFar = ({ event, data }: Told): boolean =>
    event === "signal" && JSON.stringify(data).includes("Half of it. ");
  await read(await follow(gateway, id), ({ event }) => event === "signal");
  const late = await read(await follow(gateway, id), isSoFar);
  expect(late.filter(isSoFar)).toHaveLength(1);
  gate.resolve();
  const whole = await read(await follow(gateway, id), isEnd);
  for (const { event, id: number, data } of whole) {
    expect(event).toBe(data.seq === undefined ? "signal" : "fact");
    expect(number).toBe(data.seq === undefined ? undefined : String(data.seq));
  }
  expect(seqs(whole)).toEqual(seqs(whole).map((_, index) => index + 1));
});

test("a returning reader resumes by `after` or by Last-Event-ID, which takes precedence", async () => {
  const gateway = await stage([[{ say: "Hello." }]]);
  const id = await gateway.newSession();
  await send(gateway, id);
  const all = seqs(await read(await follow(gateway, id), isEnd));
  const from = async (query: string, headers = {}) =>
    seqs(await read(await follow(gateway, id, query, headers), isEnd));
  for (const after of all.slice(0, -1)) {
    expect(await from(`?after=${after}`)).toEqual(all.slice(after));
    expect(await from("?after=0", { "last-event-id": String(after) })).toEqual(all.slice(after));
  }
  for (const wrong of ["x", "-1", "1.5", "1e2"])
    expect((await follow(gateway, id, "", { "last-event-id": wrong })).status).toBe(400);
});

test("a reader that disconnects is released", async () => {
  const gateway = await stage([]);
  const id = await gateway.newSession();
  const leave = new AbortController();
  const readers = [1, 2, 3].map(() =>
    gateway.raw(`/sessions/${id}/events`, {
      headers: { authorization: `Bearer ${testToken}` },
      signal: leave.signal,
    }),
  );
  await Promise.all(readers);
  await expect.poll(() => gateway.test.host.figures().followers).toBe(3);
  leave.abort();
  await expect.poll(() => gateway.test.host.figures().followers).toBe(0);
  expect(gateway.logged).toEqual([]);
});

test("closing the gateway ends its event streams", async () => {
  const gateway = await testGateway(scriptedModel([]));
  const id = await gateway.newSession();
  const response = await follow(gateway, id);
  const read: string[] = [];
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    read.push(piece);
    if (piece.includes("\nid: 1\n")) await gateway.close();
  }
  expect(read.join("")).toMatch(/^: here\n\nevent: fact\nid: 1\n/u);
  await gateway.test.remove();
});

test("an idle stream sends a keep-alive every fifteen seconds without losing an event", async () => {
  let now = 0;
  const clock = new Clockwork(() => now);
  const gate = Promise.withResolvers<Signal>();
  async function* events(): AsyncGenerator<Entry | Signal, void> {
    yield await gate.promise;
  }
  const stream = eventStream(events(), { clock, counts: new GatewayCounts() });
  const next = async () => (await stream.next()).value;
  expect(await next()).toBe(": here\n\n");
  const waiting = next();
  for (now = 1_000; now < 15_000; now += 1_000) clock.tick();
  expect(await Promise.race([waiting, Promise.resolve("nothing")])).toBe("nothing");
  now = 15_000;
  clock.tick();
  expect(await waiting).toBe(": here\n\n");
  const last = next();
  gate.resolve({ type: "text-delta", block: 1, offset: 0, text: "a\nb" });
  expect(await last).toBe(
    'event: signal\ndata: {"type":"text-delta","block":1,"offset":0,"text":"a\\nb"}\n\n',
  );
  expect(await next()).toBeUndefined();
});

test("B13: an approval is asked only if a reader says that a person is present; otherwise it is denied", async () => {
  const publish: ModelScript = (_, round) =>
    round % 2 === 1 ? [{ call: "run_command", with: { command: "npm publish" } }] : [{ say: "Done." }];
  const gateway = await stage(publish);
  const isSettled = ({ data }: Told): boolean => data.type === "approval-asked" || data.type === "result";
  for (const [query, outcome] of [
    ["", "result"],
    ["?person=0", "result"],
    ["?person=1", "approval-asked"],
  ] as const) {
    const { body } = await gateway.ask("POST", "/sessions", { mode: "ask" });
    const id = idOf(body);
    const response = await follow(gateway, id, query);
    await send(gateway, id);
    expect((await read(response, isSettled)).at(-1)?.data.type, query).toBe(outcome);
  }
});

const idOf = (body: unknown): string => (isObject(body) && typeof body["id"] === "string" ? body["id"] : "");
