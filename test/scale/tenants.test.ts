/** Limits of a team's tenants where workers run the sessions: too many wait, and a used-up day is refused. */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "../../src/client.ts";
import { People } from "../../src/hosting/people/people.ts";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { openTestDatabase } from "../../src/session/postgres/testing/postgres.ts";
import { isTurnEnd, message, scalePlace, untilFact } from "../support/scale-place.ts";

test("a tenant's sessions wait for each other at every gateway, another tenant's do not, and its day ends", async () => {
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const model = scriptedModel((_prompt, round) => [
    { wait: gates[round - 1]?.promise ?? Promise.resolve() },
    { say: "Done." },
  ]);
  const place = await scalePlace(model);
  const store = await openTestDatabase(place.database);
  onTestFinished(() => store.close());
  const people = new People(store.team);
  const gateways = [await place.gateway(), await place.gateway()] as const;
  await place.worker("--sessions", "20");
  const clientOf = async (tenant: string, at: 0 | 1) => {
    const workspace = join(place.home.workspace, tenant);
    await mkdir(workspace, { recursive: true });
    await people.putTenant(tenant, workspace);
    const person = `ada@${tenant}`;
    await people.putPerson(person, { tenant, role: "member" });
    const made = await people.newToken({ person, title: "test", most: "work", days: 1 });
    if (!made.ok) throw new Error(made.problem);
    return connect({ url: gateways[at].url, token: made.value });
  };
  const [one, same, other] = [
    await clientOf("north", 0),
    await clientOf("north", 1),
    await clientOf("south", 1),
  ];
  await people.limitTenant("north", "sessions", 2);
  await people.limitTenant("north", "rounds", 4);

  const clients = [one, same, one, same];
  const ids = await Promise.all(clients.map(async (client) => (await client.create({})).id));
  const sent = clients.map((client, at) => client.command(ids[at] ?? "", message("go")));
  await expect.poll(() => model.prompts.length).toBe(2);
  const admitted = "SELECT count(*)::int AS count FROM runs WHERE tenant = 'north' AND state = 'admitted'";
  expect(await place.rows(admitted)).toEqual([{ count: 2 }]);
  const { id } = await other.create({});
  gates[2]?.resolve();
  await other.command(id, message("go"));
  await untilFact(other, id, isTurnEnd);
  expect(await place.rows(admitted)).toEqual([{ count: 2 }]);

  for (const gate of gates) gate.resolve();
  expect(await Promise.all(sent)).toEqual(ids.map(() => ({ ok: true })));
  for (const [at, client] of clients.entries()) await untilFact(client, ids[at] ?? "", isTurnEnd);
  expect(await one.command(ids[0] ?? "", message("more"))).toEqual({
    ok: false,
    problem: expect.stringContaining("Today's limit of the tenant north is reached: 4 of 4 rounds."),
  });
  const signers = await store.read(ids[0] ?? "", 0);
  expect(signers.find(({ type }) => type === "user-message")).toMatchObject({ by: "ada@north" });
});
