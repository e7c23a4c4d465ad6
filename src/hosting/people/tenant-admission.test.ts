/** Limits of a tenant: what counts as used, when work is refused, and that nothing but time or an administrator frees it. */

import { expect, test } from "vitest";
import { useToday } from "../../archive/tenant-use.ts";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { testTeam } from "../../testing/team.ts";
import { TenantAdmission } from "./tenant-admission.ts";

const usage = { usage: { inputTokens: 10, outputTokens: 10 } };
const send = { type: "send", content: [{ type: "text", text: "Go." }] } as const;
const done = async () => ({ ok: true as const });

/** Each request takes one round. */
async function working() {
  const team = await testTeam(scriptedModel(() => [{ say: "Done." }, usage]));
  const { host, store } = team.gateway.test;
  const ask = await team.as("member@north");
  const asked = async (id: string) => {
    const { status, text } = await ask("POST", `/sessions/${id}/commands`, send);
    await expect.poll(async () => (await host.row(id))?.standing).toBe("idle");
    return { status, text };
  };
  const rounds = async (tenant = "north") => (await useToday(store, tenant, Date.now())).rounds;
  return { ...team, host, store, ask, asked, rounds };
}

test("a tenant that has used its rounds of today is refused in a sentence, others are not", async () => {
  const { people, session, asked, as, rounds } = await working();
  await people.limitTenant("north", "rounds", 2);
  const id = await session("member@north");
  expect([(await asked(id)).status, (await asked(id)).status]).toEqual([200, 200]);
  const refused = await asked(id);
  expect(refused.status).toBe(409);
  expect(JSON.parse(refused.text).problem ?? refused.text).toMatch(
    /Today's limit of the tenant north is reached: 2 of 2 rounds\. It begins anew at 00:00 UTC, in .+; an administrator can raise it\./u,
  );
  const south = await session("member@south");
  expect((await (await as("member@south"))("POST", `/sessions/${south}/commands`, send)).status).toBe(200);
  await people.limitTenant("north", "rounds", undefined);
  expect((await asked(id)).status).toBe(200);
  expect(await rounds()).toBe(3);
});

test("what was begun is answered, stopped and changed also beyond the limit", async () => {
  const { people, session, ask } = await working();
  await people.limitTenant("north", "rounds", 0);
  const id = await session("member@north");
  const command = async (one: object) => (await ask("POST", `/sessions/${id}/commands`, one)).status;
  expect(await command({ type: "rename", title: "Still mine" })).toBe(200);
  expect(await command({ type: "set-mode", mode: "plan" })).toBe(200);
  expect(await command(send)).toBe(409);
});

test("a deleted session was used all the same, a copy was not, whether forked or imported", async () => {
  const { session, asked, ask, rounds } = await working();
  const id = await session("member@north");
  await asked(id);
  await asked(id);
  expect(await rounds()).toBe(2);
  const made = await ask("POST", `/sessions/${id}/fork`, {});
  const { session: forked }: { session: { id: string } } = JSON.parse(made.text);
  const bundle = (await ask("GET", `/sessions/${id}/export`)).text;
  expect((await ask("POST", "/sessions/import", bundle)).status).toBe(201);
  expect(await rounds()).toBe(2);
  await asked(forked.id);
  expect(await rounds()).toBe(3);
  for (const gone of [id, forked.id]) expect((await ask("DELETE", `/sessions/${gone}`)).status).toBe(204);
  expect(await rounds()).toBe(3);
});

test("the next day begins with nothing used", async () => {
  const { people, session, asked, store } = await working();
  const id = await session("member@north");
  await asked(id);
  await people.limitTenant("north", "rounds", 1);
  const admit = (now: number) =>
    new TenantAdmission({ store, areQueued: false, now: () => now }).admit({
      session: id,
      command: { ...send, content: [] },
      begin: done,
    });
  expect((await admit(Date.now())).ok).toBe(false);
  expect(await admit(Date.now() + 86_400_000)).toEqual({ ok: true });
});

test("dollars are counted with what a deleted session has cost", async () => {
  const team = await testTeam(scriptedModel(() => [{ say: "Done." }, usage]));
  const { store } = team.gateway.test;
  const north = (await team.people.tenants()).find(({ id }) => id === "north");
  await store.create({ id: "s", workspace: north?.workspace ?? "", createdAt: 1 });
  const at = Date.now();
  const answer = {
    type: "answer-end",
    reason: "stop",
    model: "m",
    cost: 2.5,
    v: 1,
    seq: 1,
    at,
    turn: 1,
  } as const;
  await store.append("s", await store.claim("s"), [answer]);
  await store.team.give("s", { tenant: "north", person: "member@north" });
  await team.people.limitTenant("north", "dollars", 2);
  const id = await team.session("member@north");
  const refusal = async () =>
    (await (await team.as("member@north"))("POST", `/sessions/${id}/commands`, send)).text;
  expect(await refusal()).toContain("$2.50 of $2.00");
  expect((await (await team.as("owner@north"))("DELETE", "/sessions/s")).status).toBe(204);
  expect(await refusal()).toContain("$2.50 of $2.00");
});

test("no more sessions run at once than the limit, however many are asked together", async () => {
  const held = Promise.withResolvers<void>();
  const team = await testTeam(scriptedModel(() => [{ wait: held.promise }, { say: "Done." }]));
  await team.people.limitTenant("north", "sessions", 2);
  const ids = await Promise.all(Array.from({ length: 5 }, () => team.session("member@north")));
  const ask = await team.as("member@north");
  const replies = await Promise.all(ids.map((id) => ask("POST", `/sessions/${id}/commands`, send)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(2);
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(3);
  const refused = replies.find(({ status }) => status === 409);
  expect(refused?.text).toContain(
    "2 of 2 sessions of the tenant north run: send this again when one is done",
  );
  const running = ids[replies.findIndex(({ status }) => status === 200)] ?? "";
  expect((await ask("POST", `/sessions/${running}/commands`, send)).status).toBe(200);
  const south = await team.session("member@south");
  expect((await (await team.as("member@south"))("POST", `/sessions/${south}/commands`, send)).status).toBe(
    200,
  );
  held.resolve();
  const { host } = team.gateway.test;
  for (const id of ids) await expect.poll(async () => (await host.row(id))?.standing).toBe("idle");
  const late = ids[replies.findIndex(({ status }) => status === 409)] ?? "";
  expect((await ask("POST", `/sessions/${late}/commands`, send)).status).toBe(200);
});
