/**
 * Many sessions at once: their order, the limits of tenants, what waits for people, words for many followers, and facts.
 * Counts are hard; times are told.
 */

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { Entry } from "../../src/client.ts";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { newDatabase, openTestDatabase } from "../../src/session/postgres/testing/postgres.ts";
import { note } from "../../src/session/sqlite/testing/sqlite.ts";
import { quantile, told } from "../support/figures.ts";
import { isTurnEnd, message, scalePlace, untilFact } from "../support/scale-place.ts";
import { sized, slack } from "../support/scale-size.ts";
import { expectWhole } from "../support/whole-log.ts";

const madeBy = async (client: Client, many: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let at = 0; at < many; at += 1) ids.push((await client.create({ mode: "ask" })).id);
  return ids;
};
type Gateway = Awaited<ReturnType<Awaited<ReturnType<typeof scalePlace>>["gateway"]>>;
type Client = Gateway["client"];

test("what is sent to many sessions is done in each in order, one after the other", async () => {
  const [many, messages] = [sized(4, 100), 20];
  const place = await scalePlace(scriptedModel(() => [{ say: "Done." }]));
  const { client } = await place.gateway();
  await Promise.all([place.worker(), place.worker()]);
  const ids = await madeBy(client, many);
  const words = Array.from({ length: messages }, (_, at) => `message ${at}.`);
  await Promise.all(
    ids.map(async (id) => {
      for (const text of words)
        expect(await client.command(id, { ...message(text), when: "next" })).toEqual({ ok: true });
    }),
  );
  for (const id of ids) {
    let ends = 0;
    const facts = await untilFact(client, id, (fact) => isTurnEnd(fact) && (ends += 1) === messages);
    expectWhole(facts);
    expect(facts.flatMap(wordsOf)).toEqual(words);
    const turns = facts.filter(({ type }) => type === "turn-start" || type === "turn-end");
    expect(turns.map(({ type }) => type)).toEqual(words.flatMap(() => ["turn-start", "turn-end"]));
  }
});

const wordsOf = (fact: Entry): string[] =>
  fact.type === "user-message"
    ? fact.content.flatMap((part) => (part.type === "text" ? [part.text] : []))
    : [];

test("of a tenant never more run than it may have, however many are sent, and another one hardly waits", async () => {
  const [many, limit] = [sized(20, 200), 5];
  const counts: number[] = [];
  const look = async (): Promise<void> => {
    const rows = await place.rows(
      "SELECT count(*)::int AS one FROM runs WHERE tenant = 'one' AND state = 'admitted'",
    );
    counts.push(Number(rows[0]?.["one"]));
  };
  const model = scriptedModel((prompt) =>
    JSON.stringify(prompt.messages).includes("limited")
      ? [{ say: "Some. " }, { wait: look() }, { say: "Done." }]
      : [{ say: "Done." }],
  );
  const place = await scalePlace(model);
  const limited = await place.gateway("--tenant", "one", "--tenant-sessions", String(limit));
  const free = await place.gateway("--tenant", "two");
  await place.worker("--sessions", "20");
  const ids = await madeBy(limited.client, many);
  const sent = ids.map((id) => limited.client.command(id, message("limited")));
  const { id } = await free.client.create({});
  const begun = performance.now();
  await free.client.command(id, message("go"));
  await untilFact(free.client, id, isTurnEnd);
  const otherMs = performance.now() - begun;
  expect(await Promise.all(sent)).toEqual(ids.map(() => ({ ok: true })));
  for (const one of ids) await untilFact(limited.client, one, isTurnEnd);
  expect(Math.max(...counts)).toBe(limit);
  expect(counts).toHaveLength(many);
  told({ sent: many, mostAtOnce: Math.max(...counts), otherTenantMs: otherMs });
  expect(otherMs).toBeLessThan(1_000 * slack);
});

test("sessions that wait for people cost no worker, and go on at once when one is there again", async () => {
  const many = sized(20, 5_000);
  const model = scriptedModel((prompt) =>
    prompt.messages.some(({ role }) => role === "tool")
      ? [{ say: "Written." }]
      : [{ call: "write_file", with: { path: "a.txt", content: "a\n" } }],
  );
  const place = await scalePlace(model);
  const { client } = await place.gateway();
  const first = await place.worker("--sessions", "16");
  const ids = await madeBy(client, many);
  await Promise.all(ids.map((id) => client.command(id, message("write"))));
  const asked = new Map<string, string>();
  for (const id of ids) {
    const fact = (await untilFact(client, id, ({ type }) => type === "approval-asked")).at(-1);
    if (fact?.type === "approval-asked") asked.set(id, fact.callId);
  }
  const open = "SELECT count(*)::int AS count FROM runs WHERE state <> 'rests'";
  await expect.poll(() => place.rows(open)).toEqual([{ count: 0 }]);
  expect(await place.rows("SELECT * FROM holders")).toEqual([]);
  first.child.kill("SIGTERM");
  expect((await first.ended).code).toBe(0);
  await place.worker();
  const waits: number[] = [];
  for (const [id, callId] of asked) {
    const { facts: before } = await client.facts(id, { limit: 1_000 });
    const begun = performance.now();
    const next = untilFact(client, id, ({ seq }) => seq > before.length);
    const answer = { type: "answer-approval", callId, answer: "deny", scope: "once", by: "Ann" } as const;
    expect(await client.command(id, answer)).toEqual({ ok: true });
    await next;
    waits.push(performance.now() - begun);
  }
  told({ parked: many, nextFactP50Ms: quantile(waits, 0.5), nextFactP99Ms: quantile(waits, 0.99) });
  expect(quantile(waits, 0.5)).toBeLessThan(250 * slack);
});

test("words of many sessions reach followers of every gateway, each once", async () => {
  const [many, words, pauseMs] = [sized(10, 500), 100, 20];
  const gate = Promise.withResolvers<void>();
  /** Words come as fast as a model writes them: 50 a second. */
  const paced = (at: number) =>
    gate.promise.then(() => new Promise<void>((resolve) => void setTimeout(resolve, pauseMs * at)));
  const model = scriptedModel(() =>
    Array.from({ length: words }, (_, at) => at).flatMap((at) => [{ wait: paced(at) }, { say: `w${at}_ ` }]),
  );
  const place = await scalePlace(model);
  const gateways: Gateway[] = [];
  while (gateways.length < sized(2, 4)) gateways.push(await place.gateway());
  await place.worker("--sessions", String(many));
  const ids = await madeBy(gateways[0]?.client ?? unreachable(), many);
  const delays: number[] = [];
  let begun = 0;
  const followed = ids.flatMap((id) =>
    gateways.map(async ({ client }) => {
      let text = "";
      const heard = new Set<number>();
      for await (const event of client.events(id, {}, {})) {
        if ("seq" in event) {
          if (isTurnEnd(event)) return text;
          if (event.type === "text") text += event.text;
          continue;
        }
        if (event.type !== "text-delta") continue;
        for (const [, at = ""] of event.text.matchAll(/w(\d+)_/gu)) {
          if (heard.has(Number(at))) continue;
          heard.add(Number(at));
          delays.push(performance.now() - begun - pauseMs * Number(at));
        }
      }
      return text;
    }),
  );
  const [{ client } = unreachable()] = gateways;
  await Promise.all(ids.map((id) => client.command(id, message("say"))));
  await expect.poll(() => model.prompts.length).toBe(many);
  begun = performance.now();
  gate.resolve();
  const whole = Array.from({ length: words }, (_, at) => `w${at}_ `)
    .join("")
    .trim();
  for (const text of await Promise.all(followed)) expect(text.trim()).toBe(whole);
  const [p50, p99] = [quantile(delays, 0.5), quantile(delays, 0.99)];
  told({ followers: many * gateways.length, wordP50Ms: p50, wordP99Ms: p99 });
  expect(p50).toBeLessThan(60 * slack);
  expect(p99).toBeLessThan(250 * slack);
});

function unreachable(): never {
  throw new Error("There is one for each.");
}

test("facts are stored by many writers at once, without gaps", async () => {
  const [writers, facts] = [32, sized(50, 500)];
  const address = await newDatabase();
  const stores = await Promise.all(Array.from({ length: 4 }, () => openTestDatabase(address)));
  const all = await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      const store = stores[writer % stores.length] ?? unreachable();
      const id = `20260101-000000-${String(writer).padStart(6, "0")}`;
      await store.create({ id, workspace: "/w", createdAt: 1_000 });
      return { store, id, epoch: await store.claim(id) }; // the connections are there now
    }),
  );
  const begun = performance.now();
  await Promise.all(
    all.map(async ({ store, id, epoch }) => {
      for (let at = 1; at <= facts; at += 1) await store.append(id, epoch, [note(at, "x".repeat(400))]);
    }),
  );
  const perSecond = (writers * facts) / ((performance.now() - begun) / 1_000);
  told({ writers, factsPerSecond: perSecond });
  expect(perSecond).toBeGreaterThan(2_500 / slack);
  for (const { store, id } of all) {
    const stored = await store.read(id, 0);
    expect(stored.map(({ seq }) => seq)).toEqual(Array.from({ length: facts }, (_, at) => at + 1));
  }
});

test("DBOS carries out enough steps a second", async () => {
  const [flows, steps] = [sized(50, 500), 20];
  const child = join(import.meta.dirname, "../../src/hosting/dbos/testing/steps-child.ts");
  const words = [child, await newDatabase(), String(flows), String(steps)];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  const { perSecond, processorMs }: { perSecond: number; processorMs: number } = JSON.parse(stdout);
  told({ flows, stepsPerSecond: perSecond, processorMicrosecondsPerStep: processorMs * 1_000 });
  expect(perSecond).toBeGreaterThan(400 / slack);
});
