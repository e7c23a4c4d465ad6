/** A gateway that only accepts and shows, and workers that run the turns: whole processes over a real PostgreSQL. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { isTurnEnd, message, scalePlace, untilFact } from "../support/scale-place.ts";
import { expectWhole } from "../support/whole-log.ts";

const never = new Promise<never>(() => undefined);
const writing = (path: string) => [{ call: "write_file", with: { path, text: `${path}\n` } }];
const resting = [{ state: "rests", worker: null }];

test("a worker runs what a gateway accepts, and both agree on what happened", async () => {
  const place = await scalePlace(scriptedModel([writing("a.txt"), [{ say: "Written." }]]));
  const { client } = await place.gateway();
  await place.worker();
  const { id } = await client.create({ mode: "accept-edits", title: "first" });
  expect(await client.command(id, message("write a file"))).toEqual({ ok: true });
  const facts = await untilFact(client, id, isTurnEnd);
  expect(facts.at(-1)).toMatchObject({ type: "turn-end", stopped: "done" });
  expect(await readFile(join(place.home.workspace, "a.txt"), "utf8")).toBe("a.txt\n");
  await expect.poll(async () => (await client.session(id)).standing).toBe("idle");
  expect(await client.session(id)).toMatchObject({ title: "first", turns: 1 });
  await expect.poll(() => place.rows("SELECT state, worker FROM runs")).toEqual(resting);
  expect(await place.rows("SELECT * FROM asks")).toEqual([]);
  expect(await place.rows("SELECT * FROM holders")).toEqual([]);
});

test("a worker is killed in the middle of a turn: another goes on with it, and nothing is done twice", async () => {
  const model = scriptedModel((_prompt, round) => {
    if (round === 1) return writing("a.txt");
    return round === 2 ? [{ say: "Half" }, { wait: never }] : [{ say: "Whole." }];
  });
  const place = await scalePlace(model);
  const { client } = await place.gateway();
  const first = await place.worker();
  const { id } = await client.create({ mode: "accept-edits" });
  await client.command(id, message("write a file"));
  await expect.poll(() => model.prompts.length).toBe(2);
  await place.worker();
  first.child.kill("SIGKILL");
  const facts = await untilFact(client, id, isTurnEnd);
  expectWhole(facts);
  expect(facts.at(-1)).toMatchObject({ stopped: "done" });
  expect(facts.filter(({ type }) => type === "change-applied")).toHaveLength(1);
  expect(facts.filter(({ type }) => type === "turn-start")).toHaveLength(1);
  await expect.poll(() => place.rows("SELECT state, worker FROM runs")).toEqual(resting);
});

test("on SIGTERM a worker ends its turns and takes no others", async () => {
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel((_prompt, round) =>
    round === 1 ? [{ say: "One" }, { wait: gate.promise }, { say: " two." }] : [{ say: "Other." }],
  );
  const place = await scalePlace(model);
  const { client } = await place.gateway();
  const first = await place.worker();
  const { id } = await client.create({});
  await client.command(id, message("one"));
  await expect.poll(() => model.prompts.length).toBe(1);
  first.child.kill("SIGTERM");
  const second = await place.worker();
  const other = await client.create({});
  await client.command(other.id, message("two"));
  await untilFact(client, other.id, isTurnEnd);
  gate.resolve();
  expect((await untilFact(client, id, isTurnEnd)).at(-1)).toMatchObject({ stopped: "done" });
  expect(await first.ended).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("Waiting for one session, at most 600 s"),
  });
  second.child.kill("SIGTERM");
  expect((await second.ended).code).toBe(0);
});

test("a turn that outlasts --drain is not stopped: another worker goes on with it", async () => {
  const model = scriptedModel((_prompt, round) =>
    round === 1 ? [{ say: "Half" }, { wait: never }] : [{ say: "Whole." }],
  );
  const place = await scalePlace(model);
  const { client } = await place.gateway();
  const first = await place.worker("--drain", "1");
  const { id } = await client.create({});
  await client.command(id, message("one"));
  await expect.poll(() => model.prompts.length).toBe(1);
  await place.worker();
  first.child.kill("SIGTERM");
  expect(await first.ended).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("Left to other workers: one session."),
  });
  const facts = await untilFact(client, id, isTurnEnd);
  expectWhole(facts);
  expect(facts.at(-1)).toMatchObject({ stopped: "done" });
});

test("a turn that waits for a person occupies no worker, and goes on in another one when it is answered", async () => {
  const model = scriptedModel([writing("a.txt"), [{ say: "Written." }]]);
  const place = await scalePlace(model);
  const { client } = await place.gateway();
  const first = await place.worker();
  const { id } = await client.create({ mode: "ask" });
  await client.command(id, message("write a file"));
  const asked = (await untilFact(client, id, ({ type }) => type === "approval-asked")).at(-1);
  await expect.poll(() => place.rows("SELECT state, worker FROM runs")).toEqual(resting);
  expect(await place.rows("SELECT * FROM holders")).toEqual([]);
  expect((await client.session(id)).standing).toBe("waiting");
  first.child.kill("SIGTERM");
  expect((await first.ended).code).toBe(0);
  await place.worker();
  const { client: elsewhere } = await place.gateway();
  const callId = asked?.type === "approval-asked" ? asked.callId : "";
  const answer = { type: "answer-approval", callId, answer: "allow", scope: "once", by: "Ann" } as const;
  expect(await elsewhere.command(id, answer)).toEqual({ ok: true });
  expect((await untilFact(client, id, isTurnEnd)).at(-1)).toMatchObject({ stopped: "done" });
  expect(await readFile(join(place.home.workspace, "a.txt"), "utf8")).toBe("a.txt\n");
});

test("words are heard on every gateway as they come, and any of them may interrupt", async () => {
  const model = scriptedModel([[{ say: "Words that come before the end. " }, { wait: never }]]);
  const place = await scalePlace(model);
  const [one, other] = [await place.gateway(), await place.gateway()];
  await place.worker();
  const { id } = await one.client.create({});
  const heard: string[] = [];
  const stop = new AbortController();
  await one.client.command(id, message("say something"));
  for await (const event of other.client.events(id, {}, { signal: stop.signal })) {
    if (event.type === "text-delta") heard.push(event.text);
    if (heard.join("") === "Words that come before the end.") break;
  }
  stop.abort();
  expect(await other.client.command(id, { type: "interrupt", by: "Ann" })).toEqual({ ok: true });
  expect((await untilFact(one.client, id, isTurnEnd)).at(-1)).toMatchObject({ stopped: "interrupted" });
});

test("no more sessions of a tenant run at once than it may have, and another tenant does not wait for it", async () => {
  const gates = Array.from({ length: 6 }, () => Promise.withResolvers<void>());
  const model = scriptedModel((_prompt, round) => [
    { wait: gates[round - 1]?.promise ?? Promise.resolve() },
    { say: "Done." },
  ]);
  const place = await scalePlace(model);
  const limited = await place.gateway("--tenant", "one", "--tenant-sessions", "2");
  const free = await place.gateway("--tenant", "two");
  await place.worker("--sessions", "20");
  const ids = await Promise.all(gates.map(async () => (await limited.client.create({})).id));
  const sent = ids.map((id) => limited.client.command(id, message("go")));
  await expect.poll(() => model.prompts.length).toBe(2);
  const running = "SELECT count(*)::int AS count FROM runs WHERE tenant = 'one' AND state = 'admitted'";
  expect(await place.rows(running)).toEqual([{ count: 2 }]);
  const { id } = await free.client.create({});
  gates[2]?.resolve();
  await free.client.command(id, message("go"));
  await untilFact(free.client, id, isTurnEnd);
  expect(await place.rows(running)).toEqual([{ count: 2 }]);
  for (const gate of gates) gate.resolve();
  expect(await Promise.all(sent)).toEqual(ids.map(() => ({ ok: true })));
  for (const one of ids)
    expect((await untilFact(limited.client, one, isTurnEnd)).at(-1)).toMatchObject({ stopped: "done" });
});

test("what is sent while a turn runs is done in order, one after the other", async () => {
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel((_prompt, round) => [
    ...(round === 1 ? [{ wait: gate.promise }] : []),
    { say: `Answer ${round}.` },
  ]);
  const place = await scalePlace(model);
  const { client } = await place.gateway();
  await place.worker();
  const { id } = await client.create({});
  const words = Array.from({ length: 20 }, (_, at) => `message ${at}`);
  for (const text of words) await client.command(id, { ...message(text), when: "next" });
  gate.resolve();
  let ends = 0;
  const facts = await untilFact(client, id, (entry) => isTurnEnd(entry) && (ends += 1) === words.length);
  expectWhole(facts);
  const said = facts.flatMap((fact) => (fact.type === "user-message" ? fact.content : []));
  expect(said.map((part) => (part.type === "text" ? part.text : ""))).toEqual(words);
});
