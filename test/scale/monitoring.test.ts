/** What gateways and workers tell of themselves and of the queues that they share: read by a parser that we did not write. */

import { hostname } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { metricsIn } from "../../src/testing/metrics.ts";
import { databaseServer } from "../postgres/server.ts";
import { isTurnEnd, message, scalePlace, untilFact } from "../support/scale-place.ts";

type StatusPlace = { url: string; token: string };

async function figuresOf({ url, token }: StatusPlace): Promise<Record<string, number>> {
  const reply = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  expect(reply.status).toBe(200);
  return metricsIn(await reply.text());
}

const readyOf = async ({ url }: StatusPlace): Promise<number> => (await fetch(`${url}/health/ready`)).status;

test("every gateway and worker tells of all queues and tenants, and of its own work", async () => {
  const gates = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  const model = scriptedModel((_prompt, round) => [
    { say: "Some words." },
    { wait: gates[round - 1]?.promise ?? Promise.resolve() },
    { say: " The rest." },
  ]);
  const place = await scalePlace(model);
  const gateway = await place.gateway("--tenant", 'a "red" one', "--tenant-sessions", "2");
  const { client } = gateway;
  const worker = await place.toldWorker("--sessions", "20");
  const [host, tenant] = [`{host="${hostname()}"}`, '{tenant="a \\"red\\" one"}'];
  expect(await figuresOf(gateway)).toMatchObject({ [`toolwright_workers${host}`]: 1, toolwright_ready: 1 });
  const ids: string[] = [];
  for (const _ of gates) ids.push((await client.create({})).id);
  const sent = ids.map((id) => client.command(id, message("go")));
  await expect.poll(() => model.prompts.length).toBe(2);
  const shared = {
    [`toolwright_workers${host}`]: 1,
    [`toolwright_queue_running${host}`]: 2,
    [`toolwright_queue_waiting${host}`]: 1,
    [`toolwright_tenant_running${tenant}`]: 2,
    [`toolwright_tenant_waiting${tenant}`]: 1,
    [`toolwright_tenant_limit${tenant}`]: 2,
  };
  await expect.poll(() => figuresOf(gateway)).toMatchObject(shared);
  const told = await figuresOf(worker);
  expect(told).toMatchObject({ ...shared, toolwright_sessions_working: 2 });
  expect(told[`toolwright_queue_oldest_wait_seconds${host}`]).toBeGreaterThan(0);
  expect(told["toolwright_facts_total"]).toBeGreaterThan(0);
  for (const gate of gates) gate.resolve();
  await Promise.all(sent);
  for (const id of ids) await untilFact(client, id, isTurnEnd);
  await expect
    .poll(() => figuresOf(worker))
    .toMatchObject({
      [`toolwright_queue_running${host}`]: 0,
      [`toolwright_queue_waiting${host}`]: 0,
      [`toolwright_queue_oldest_wait_seconds${host}`]: 0,
    });
  expect((await figuresOf(worker))["toolwright_signals_total"]).toBeGreaterThan(0);
  expect((await figuresOf(gateway))['toolwright_events_total{type="fact"}']).toBeGreaterThan(0);
});

test("without its database a process is alive and not ready, and ready again when it is back", async () => {
  const server = await databaseServer();
  onTestFinished(() => server.remove());
  const place = await scalePlace(scriptedModel([]), { server: server.address });
  const both = [await place.gateway(), await place.toldWorker()];
  const ready = () => Promise.all(both.map(readyOf));
  expect(await ready()).toEqual([200, 200]);
  await server.kill();
  await expect.poll(ready).toEqual([503, 503]);
  for (const one of both) {
    expect((await fetch(`${one.url}/health/alive`)).status).toBe(200);
    const figures = await figuresOf(one);
    expect(figures).toMatchObject({ toolwright_ready: 0 });
    expect(Object.keys(figures).some((name) => name.startsWith("toolwright_queue"))).toBe(false);
    const headers = { authorization: `Bearer ${one.token}` };
    const health: unknown = await (await fetch(`${one.url}/health`, { headers })).json();
    expect(health).toMatchObject({ status: "unready", problem: expect.any(String) });
  }
  await server.start();
  await expect.poll(ready).toEqual([200, 200]);
});

test("a worker that ends its turns after SIGTERM says that it takes nothing new", async () => {
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel([[{ say: "One" }, { wait: gate.promise }, { say: " two." }]]);
  const place = await scalePlace(model);
  const { client } = await place.gateway();
  const worker = await place.toldWorker();
  const { id } = await client.create({});
  await client.command(id, message("one"));
  await expect.poll(() => model.prompts.length).toBe(1);
  worker.child.kill("SIGTERM");
  await expect.poll(() => readyOf(worker)).toBe(503);
  expect(await figuresOf(worker)).toMatchObject({ toolwright_ready: 0, toolwright_sessions_working: 1 });
  gate.resolve();
  await untilFact(client, id, isTurnEnd);
  expect((await worker.ended).code).toBe(0);
});
