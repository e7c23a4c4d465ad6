/** People of a team at a gateway: what each role may do, what sharing gives, and that a revoked token ends at once. */

import { once } from "node:events";
import { expect, test } from "vitest";
import { scriptedModel } from "../providers/scripted-model.ts";
import { routes } from "../remote/api.ts";
import { type TestTeam, testTeam } from "../testing/team.ts";
import { closeOf } from "./testing/raw.ts";

const writing = (flags: readonly string[] = []) =>
  testTeam(
    scriptedModel((_, round) =>
      round === 1 ? [{ call: "write_file", with: { path: "new.txt", content: "new" } }] : [{ say: "Done." }],
    ),
    { whenAway: "wait", flags },
  );

const send = { type: "send", content: [{ type: "text", text: "Write it." }] };

/** A session of member@north that asks whether it may write a file. */
async function asking(team: TestTeam): Promise<string> {
  const ask = await team.as("member@north");
  const made = await ask("POST", "/sessions", { mode: "ask", content: send.content });
  expect(made.status, made.text).toBe(201);
  const { id }: { id: string } = JSON.parse(made.text);
  await expect.poll(async () => (await team.gateway.test.host.row(id))?.standing).toBe("waiting");
  return id;
}

async function factOf(team: TestTeam, id: string, type: string) {
  return (await team.gateway.test.host.facts(id, 0, 999)).find((fact) => fact.type === type);
}

const allow = { type: "answer-approval", callId: "call_1", answer: "allow", scope: "once", by: "the owner" };

test("an answer is in the log under the name of whoever gave it, whatever name they gave", async () => {
  const team = await writing();
  const id = await asking(team);
  const place = `/sessions/${id}`;
  const own = await team.as("member@north");
  expect((await own("POST", `${place}/shares`, { person: "Member2@North", right: "answer" })).status).toBe(
    204,
  );
  const other = await team.as("member2@north");
  expect((await other("POST", `${place}/commands`, allow)).status).toBe(200);
  await expect.poll(() => factOf(team, id, "approval-answered")).toMatchObject({ by: "member2@north" });
  await expect.poll(async () => (await team.gateway.test.host.row(id))?.standing).toBe("idle");
});

/** What a person can make of a session: each is one fact at least. */
const deeds = [
  { type: "rename", title: "Named" },
  { type: "set-mode", mode: "plan" },
  { type: "set-goal", condition: "It works." },
  { type: "undo" },
  { type: "redo" },
  { type: "keep" },
];

/** Who stands in the facts of a session in which a request was asked, queued to and withdrawn from, and more was done. */
async function signers(team: TestTeam, ask: Awaited<ReturnType<TestTeam["as"]>>) {
  const { id }: { id: string } = JSON.parse(
    (await ask("POST", "/sessions", { mode: "ask", title: "New" })).text,
  );
  const { host } = team.gateway.test;
  const command = async (one: object) => {
    const { status, text } = await ask("POST", `/sessions/${id}/commands`, one);
    expect(status, text).toBe(200);
  };
  await command({ ...send, id: "first" });
  await expect.poll(async () => (await host.row(id))?.standing).toBe("waiting");
  for (const queued of ["told", "taken back"]) await command({ ...send, id: queued });
  await command({ type: "withdraw", id: "taken back" });
  await command({ ...allow, by: "x" });
  await expect.poll(async () => (await host.row(id))?.standing).toBe("idle");
  for (const deed of deeds) await command(deed);
  const facts = await host.facts(id, 0, 999);
  return facts.flatMap((fact) => ("by" in fact && fact.type !== "text" ? [[fact.type, fact.by]] : []));
}

const signedFacts = [
  "mode-set",
  "session-renamed",
  "user-message",
  "message-queued",
  "message-queued",
  "message-withdrawn",
  "approval-answered",
  "steer",
  "session-renamed",
  "mode-set",
  "goal-set",
  "changes-undone",
  "changes-undone",
  "changes-kept",
];

test("every fact that a person causes has their name", async () => {
  const team = await writing();
  const found = await signers(team, await team.as("member@north"));
  expect(found).toEqual(signedFacts.map((type) => [type, "member@north"]));
});

test("without people no fact has a name but those that always had one", async () => {
  const team = await writing();
  const found = await signers(team, async (method, path, body) => {
    const { status, body: value } = await team.gateway.ask(method, path, body);
    return { status, text: JSON.stringify(value) ?? "" };
  });
  expect(found).toEqual([
    ["mode-set", "user"],
    ["approval-answered", "x"],
    ["mode-set", "user"],
    ["goal-set", "user"],
  ]);
});

test("whoever may answer may not do more, and whoever may read may not answer", async () => {
  const team = await writing();
  const id = await asking(team);
  const place = `/sessions/${id}`;
  const own = await team.as("member@north");
  const other = await team.as("member2@north");
  const commands = (command: object) => other("POST", `${place}/commands`, command);
  const access = async (): Promise<unknown> => JSON.parse((await other("GET", place)).text).access;
  expect((await other("GET", place)).status).toBe(404);

  await own("POST", `${place}/shares`, { right: "read" });
  expect(await access()).toBe("read");
  expect(JSON.parse((await other("GET", "/sessions")).text).sessions).toHaveLength(1);
  for (const command of [allow, send]) expect((await commands(command)).status).toBe(403);
  expect((await other("DELETE", place)).status).toBe(403);
  expect((await other("POST", `${place}/shares`, {})).status).toBe(403);
  expect(JSON.parse((await other("GET", `${place}/shares`)).text)).toEqual({
    person: "member@north",
    shares: [{ right: "read" }],
  });

  await own("POST", `${place}/shares`, { right: "answer" });
  expect(await access()).toBe("answer");
  for (const more of [send, { ...allow, command: "rm -r ." }, { ...allow, scope: "project" }])
    expect((await commands(more)).status).toBe(403);
  const reader = await team.as("reader@north");
  expect((await reader("POST", `${place}/commands`, allow)).status).toBe(403);
  const limited = await team.as("member2@north", "read");
  expect((await limited("POST", `${place}/commands`, allow)).status).toBe(403);
  expect(await factOf(team, id, "approval-answered")).toBeUndefined();
  expect((await commands({ ...allow, answer: "deny" })).status).toBe(200);

  await own("POST", `${place}/shares`, {});
  expect((await other("GET", place)).status).toBe(404);
});

test("who shared a session, and who ended a token, is in the audit log", async () => {
  const team = await writing();
  const id = await team.session("member@north");
  const own = await team.as("member@north");
  const before = (await team.people.audit(0)).length;
  await own("POST", `/sessions/${id}/shares`, { person: "member2@north", right: "answer" });
  await own("POST", `/sessions/${id}/shares`, { person: "member@south", right: "answer" });
  await own("POST", `/sessions/${id}/shares`, {});
  await team.gateway.ask("POST", `/sessions/${id}/shares`, { right: "read" });
  await own("DELETE", "/devices/this");
  const audit = await team.people.audit(0);
  expect(audit.slice(before).map(({ by, did, about }) => [by, did, about["with"], about["right"]])).toEqual([
    ["member@north", "session-shared", "member2@north", "answer"],
    ["member@north", "session-shared", "everybody of the tenant", "none"],
    ["the gateway's own token", "session-shared", "everybody of the tenant", "read"],
    ["member@north", "token-revoked", undefined, undefined],
  ]);
});

test("a session is shared only within its team, and nobody learns who is in another one", async () => {
  const team = await writing();
  const id = await team.session("member@north");
  const own = await team.as("member@north");
  const share = (person: string) => own("POST", `/sessions/${id}/shares`, { person, right: "read" });
  const [foreign, nobody] = [await share("member@south"), await share("nobody@south")];
  expect(foreign.status).toBe(409);
  expect(foreign.text.replace("member@", "nobody@")).toBe(nobody.text);
});

test("an owner has all sessions of the tenant, an administrator those of all and of nobody", async () => {
  const team = await writing();
  const [north, south] = [await team.session("member@north"), await team.session("member2@south")];
  const nobodys = await team.gateway.newSession();
  const seen = async (who: string): Promise<string[]> => {
    const { sessions }: { sessions: { id: string }[] } = JSON.parse(
      (await (await team.as(who))("GET", "/sessions")).text,
    );
    return sessions.map(({ id }) => id).toSorted();
  };
  expect(await seen("owner@north")).toEqual([north]);
  expect(await seen("administrator@north")).toEqual([north, south, nobodys].toSorted());
  expect(await seen("reader@north")).toEqual([]);
  expect((await (await team.as("owner@north"))("DELETE", `/sessions/${north}`)).status).toBe(204);
});

test("sessions of a team work in its directory and below it, nowhere else", async () => {
  const team = await writing();
  const ask = await team.as("member@north");
  const made = async (workspace: string) => (await ask("POST", "/sessions", { workspace })).status;
  const own = team.workspaceOf("north");
  expect(await made(own)).toBe(201);
  for (const other of [
    team.workspaceOf("south"),
    `${own}/../south`,
    "/",
    `${own}x`,
    "relative",
    team.gateway.test.workspace,
  ])
    expect(await made(other), other).toBe(400);
});

test("where an administrator works outside the team's directory, nobody else does, not even in a copy", async () => {
  const team = await writing();
  const admin = await team.as("administrator@north");
  const workspace = team.workspaceOf("south");
  const { id }: { id: string } = JSON.parse((await admin("POST", "/sessions", { workspace })).text);
  const place = `/sessions/${id}`;
  expect((await admin("POST", `${place}/shares`, { right: "answer" })).status).toBe(204);
  for (const who of ["owner@north", "member@north"]) {
    const ask = await team.as(who);
    expect(JSON.parse((await ask("GET", place)).text).access).toBe("answer");
    const forked = await ask("POST", `${place}/fork`, {});
    expect(forked).toMatchObject({ status: 409, text: expect.stringContaining(team.workspaceOf("north")) });
    for (const [route, body] of [
      ["commands", send],
      ["outcome", { as: "push" }],
      ["shares", {}],
    ] as const)
      expect((await ask("POST", `${place}/${route}`, body)).status, `${who} ${route}`).toBe(403);
    expect((await ask("DELETE", place)).status).toBe(403);
  }
  expect((await admin("POST", `${place}/fork`, {})).status).toBe(201);
});

test("only administrators work without a sandbox, where a command would see what the server has", async () => {
  const team = await writing(["--i-know-this-can-change-anything"]);
  const trusted = { type: "set-mode", mode: "trusted" };
  for (const who of ["member@north", "owner@north"]) {
    const [ask, id] = [await team.as(who), await team.session(who)];
    const answer = { type: "answer-question", callId: "call_1", answer: "given", by: "me", mode: "trusted" };
    expect((await ask("POST", "/sessions", { mode: "trusted" })).status).toBe(403);
    for (const command of [trusted, answer])
      expect((await ask("POST", `/sessions/${id}/commands`, command)).status).toBe(403);
    expect((await ask("POST", `/sessions/${id}/commands`, { ...trusted, mode: "auto" })).status).toBe(200);
  }
  const admin = await team.as("administrator@north");
  const workspace = team.workspaceOf("north");
  const made = await admin("POST", "/sessions", { workspace, mode: "trusted", content: send.content });
  const { id }: { id: string } = JSON.parse(made.text);
  await admin("POST", `/sessions/${id}/shares`, { right: "read" });
  await expect.poll(async () => (await team.gateway.test.host.row(id))?.standing).toBe("idle");
  const modeOfCopy = async (who: string): Promise<unknown> => {
    const copy = await (await team.as(who))("POST", `/sessions/${id}/fork`, {});
    const { session }: { session: { id: string } } = JSON.parse(copy.text);
    const settings = await team.gateway.test.host.settings(session.id);
    return settings.ok && settings.value.mode;
  };
  expect(await modeOfCopy("administrator@north")).toBe("trusted");
  expect(await modeOfCopy("member@north")).toBe("ask");
});

test("only administrators see how busy the gateway is", async () => {
  const team = await writing();
  const health = async (who: string) => JSON.parse((await (await team.as(who))("GET", "/health")).text);
  expect(await health("owner@north")).toMatchObject({ connections: 0, sessions: { open: 0, working: 0 } });
  expect((await health("administrator@north")).connections).toBeGreaterThan(0);
});

test("a revoked token ends its sockets, its event streams and its requests", async () => {
  const team = await writing();
  const id = await team.session("member@north");
  const token = await team.token("member@north");
  const socket = team.gateway.socket({ token });
  const closed = closeOf(socket);
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "follow", id: "f", session: id, after: 0 }));
  const watching = team.gateway.socket({ token });
  const left = closeOf(watching);
  await once(watching, "open");
  watching.send(JSON.stringify({ type: "watch", limit: 9 }));
  const headers = { authorization: `Bearer ${token}` };
  const events = await team.gateway.raw(`/sessions/${id}/events`, { headers });
  expect(events.status).toBe(200);
  const ended = events.text().catch(() => "cut off");
  for (const one of await team.people.tokens()) await team.people.revokeToken(one.id);
  expect([(await closed).code, (await left).code]).toEqual([4401, 4401]);
  await ended;
  expect((await team.gateway.raw("/health", { headers })).status).toBe(401);
});

test("a follower whose share is taken back is left at once", async () => {
  const team = await writing();
  const id = await team.session("member@north");
  const own = await team.as("member@north");
  await own("POST", `/sessions/${id}/shares`, { person: "member2@north", right: "read" });
  const headers = { authorization: `Bearer ${await team.token("member2@north")}` };
  const events = await team.gateway.raw(`/sessions/${id}/events`, { headers });
  expect(events.status).toBe(200);
  await own("POST", `/sessions/${id}/shares`, { person: "member2@north" });
  await events.text().catch(() => "cut off");
  expect((await team.gateway.raw(`/sessions/${id}/events`, { headers })).status).toBe(404);
});

test("a token ends with its time, its person, and what an administrator makes of their role", async () => {
  const team = await writing();
  const ask = await team.as("member@north");
  const create = async () => (await ask("POST", "/sessions", {})).status;
  expect(await create()).toBe(201);
  await team.people.putPerson("member@north", { tenant: "north", role: "reader" });
  expect(await create()).toBe(403);
  await team.people.dropPerson("member@north");
  expect(await create()).toBe(401);
  await team.people.putPerson("member@north", { tenant: "north", role: "member" });
  expect(await create()).toBe(401);
  const made = await team.people.newToken({ person: "member@north", title: "", most: "work", days: 0 });
  expect(made.ok).toBe(false);
});

test("only a hash of a token is stored", async () => {
  const team = await writing();
  const token = await team.token("member@north");
  const stored = JSON.stringify(await team.gateway.test.store.team.records("token"));
  expect(stored).toContain("member@north");
  expect(stored).not.toContain(token.split("-").at(-1));
});

test("a person sees and ends their own tokens, with a token for less only that one", async () => {
  const team = await writing();
  await team.token("member2@north");
  const [ask, limited] = [await team.as("member@north"), await team.as("member@north", "work")];
  const tokens = async (): Promise<{ id: string; isThis: boolean }[]> =>
    JSON.parse((await limited("GET", "/devices")).text).devices;
  expect(await tokens()).toHaveLength(2);
  const [other, own] = (await tokens()).toSorted((one, two) => Number(one.isThis) - Number(two.isThis));
  expect((await limited("DELETE", `/devices/${other?.id}`)).status).toBe(403);
  const [foreign] = (await team.people.tokens()).filter(({ person }) => person === "member2@north");
  for (const id of [foreign?.id, "0123456789abcdef"])
    expect((await ask("DELETE", `/devices/${id}`)).status).toBe(404);
  expect((await ask("DELETE", `/devices/${own?.id}`)).status).toBe(204);
  expect((await limited("GET", "/devices")).status).toBe(401);
});

test("a browser of a person is signed out by itself", async () => {
  const team = await writing();
  const token = await team.token("member@north");
  const headers = { authorization: `Bearer ${token}` };
  const { method, path } = routes.revoke;
  expect((await team.gateway.raw(path.replace(":id", "this"), { method, headers })).status).toBe(204);
  expect((await team.gateway.raw("/health", { headers })).status).toBe(401);
});
