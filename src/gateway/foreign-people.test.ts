/**
 * Whoever is of another tenant, or whom a session is not shared with, learns nothing about it: each route and frame is
 * tried with its id, and answers as for an id that there is not. The lists are made from the tables of routes, commands
 * and frames, so that a new one is tried as well.
 */

import { on, once } from "node:events";
import { beforeAll, expect, test } from "vitest";
import type { RawData, WebSocket } from "ws";
import type { Command } from "../protocol/commands.ts";
import { rights } from "../protocol/rights.ts";
import { scriptedModel } from "../providers/scripted-model.ts";
import { type ApiRoute, type RouteName, routes } from "../remote/api.ts";
import type { ClientFrame } from "../remote/frames.ts";
import { type TestTeam, testTeam } from "../testing/team.ts";
import type { ChatRequest } from "./chat/requests.ts";
import { textOf } from "./testing/raw.ts";

/** Words that are in the session of the north, and nowhere else. */
const secret = "zebra";
const absent = "20200101-000000-abcdef";

/** A person of another tenant, and one of the same whom nothing is shared with. */
const strangers = ["owner@south", "member@south", "member2@north", "reader@north"];

const text = (words: string) => [{ type: "text" as const, text: words }];

const commandSamples: { [Type in Command["type"]]: Extract<Command, { type: Type }> } = {
  send: { type: "send", content: text("hello") },
  withdraw: { type: "withdraw", id: "m" },
  "answer-approval": {
    type: "answer-approval",
    callId: "call_1",
    answer: "allow",
    scope: "once",
    by: "member@north",
  },
  "answer-question": { type: "answer-question", callId: "call_1", answer: "given", by: "me" },
  "answer-limit": { type: "answer-limit", answer: "extend", by: "me" },
  "go-on": { type: "go-on" },
  interrupt: { type: "interrupt" },
  "set-mode": { type: "set-mode", mode: "trusted" },
  "set-model": { type: "set-model", model: "a/b" },
  "set-reasoning": { type: "set-reasoning", reasoning: "high" },
  "revoke-grant": { type: "revoke-grant", covers: { type: "tool", tool: "edit" } },
  rename: { type: "rename", title: "mine" },
  "set-goal": { type: "set-goal", condition: "done" },
  compact: { type: "compact" },
  undo: { type: "undo" },
  redo: { type: "redo" },
  keep: { type: "keep" },
};

/** A body for each route that takes one, with the id where a body may have one. */
type BodyOf = (id: string, team: TestTeam) => unknown;
const bodies: {
  [Name in RouteName as (typeof routes)[Name] extends { body: object } ? Name : never]: BodyOf;
} = {
  exchange: (id) => ({ code: id }),
  create: (_, { workspaceOf }) => ({ workspace: workspaceOf("north") }),
  import: () => "",
  lendToolServers: (_, { workspaceOf }) => ({ workspace: workspaceOf("north"), servers: {} }),
  command: () => commandSamples.send,
  fork: () => ({}),
  outcome: () => ({ as: "patch" }),
  share: () => ({ person: "member@south", right: "answer" }),
};

/** Queries in which an id or words may stand: one by one where a route takes any, all at once where it should not. */
const queriesOf = ({ query }: ApiRoute, id: string, team: TestTeam): string[] => {
  const all = queries(id, team);
  return query ? ["", ...all] : ["", `?${all.map((one) => one.slice(1)).join("&")}`];
};

const queries = (id: string, { workspaceOf }: TestTeam): string[] => [
  `?after=${id}`,
  `?parent=${id}`,
  `?search=${secret}`,
  `?search=${secret}&parent=${id}`,
  `?search=${secret}&after=${id}`,
  `?workspace=${encodeURIComponent(workspaceOf("north"))}`,
];

let answers = 0;
const model = scriptedModel(() => [{ say: `${secret} ${(answers += 1)}` }]);

/** A session of the north with a turn. */
async function begun(): Promise<{ team: TestTeam; id: string; facts: number }> {
  const team = await testTeam(model);
  const id = await team.session("member@north");
  const ask = await team.as("member@north");
  await ask("POST", `/sessions/${id}/commands`, { type: "send", content: text(secret) });
  const { store, host } = team.gateway.test;
  await expect.poll(async () => (await host.row(id))?.standing).toBe("idle");
  return { team, id, facts: (await store.get(id))?.facts ?? 0 };
}

/** The reply without the id that was asked for, and figures of the server: then two replies can be compared. */
const without = <T>(id: string, value: T): T =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll(id, "ID")
      .replaceAll(/(uptimeMs|connections)\\":\d+/gu, "$1"),
  );

async function expectUntouched({ team, id, facts }: Awaited<ReturnType<typeof begun>>): Promise<void> {
  expect(await team.gateway.test.store.get(id)).toMatchObject({ facts });
  expect((await team.gateway.test.store.team.belonging(id))?.person).toBe("member@north");
}

const allRoutes = Object.entries<ApiRoute>(routes);
const isRouteWithBody = (name: string): name is keyof typeof bodies => Object.hasOwn(bodies, name);

beforeAll(() => {
  for (const [name, { body }] of allRoutes) expect(isRouteWithBody(name), name).toBe(body !== undefined);
});

test("every stranger gets the same reply of every route for a session of others as for none", async () => {
  const stage = await begun();
  const { team, id } = stage;
  for (const who of strangers) {
    const ask = await team.as(who);
    for (const [name, route] of allRoutes) {
      const { method, path } = route;
      const reply = async (of: string) => {
        const body = isRouteWithBody(name) ? bodies[name](of, team) : undefined;
        const place = path.replace(":id", of).replace(":callId", "call_1");
        const asked = queriesOf(route, of, team).map((query) => ask(method, place + query, body));
        return without(of, await Promise.all(asked));
      };
      const foreign = await reply(id);
      expect(JSON.stringify(foreign), name).not.toContain(secret.repeat(2));
      for (const each of foreign) {
        expect(each.text, name).not.toMatch(new RegExp(`${secret} \\d|${team.workspaceOf("north")}/`, "u"));
        if (path.includes("/sessions/:id"))
          expect([400, 403, 404], `${name} ${each.text}`).toContain(each.status);
      }
      if (path.includes(":id") || method === "GET")
        expect(foreign, `${who} ${name}`).toEqual(await reply(absent));
    }
  }
  await expectUntouched(stage);
});

test("every stranger gets the same outcome of every command for a session of others as for none", async () => {
  const stage = await begun();
  const { team, id } = stage;
  for (const who of strangers) {
    const ask = await team.as(who);
    for (const command of Object.values<Command>(commandSamples)) {
      const outcome = async (of: string) =>
        without(of, await ask("POST", `/sessions/${of}/commands`, command));
      const foreign = await outcome(id);
      expect([403, 404], command.type).toContain(foreign.status);
      expect(foreign, `${who} ${command.type}`).toEqual(await outcome(absent));
    }
  }
  await expectUntouched(stage);
});

/** A frame of each kind, and the kind of frame that answers it; none by default. */
type FrameSample<F extends { type: string }> = { frame: F; answer?: string };
const socketFrames: { [Type in ClientFrame["type"]]: (session: string) => FrameSample<ClientFrame>[] } = {
  hello: () => [{ frame: { type: "hello", token: "x" } }],
  follow: (session) =>
    [0, 1, 999].map((after) => ({ frame: { type: "follow", id: "f", session, after }, answer: "left" })),
  leave: () => [{ frame: { type: "leave", id: "f" } }],
  command: (session) =>
    Object.values<Command>(commandSamples).map((command) => ({
      frame: { type: "command", id: "c", session, command },
      answer: "outcome",
    })),
  watch: () => [{ frame: { type: "watch", limit: 9 }, answer: "sessions" }],
  unwatch: () => [{ frame: { type: "unwatch" } }],
  ping: () => [{ frame: { type: "ping" }, answer: "pong" }],
};

type ChatSample = FrameSample<ChatRequest>[];
const chatFrames: { [Type in ChatRequest["type"]]: (sessionId: string) => ChatSample } = {
  "chat.send": (sessionId) => [{ frame: { type: "chat.send", content: "hi", sessionId }, answer: "error" }],
  "chat.open": (sessionId) => [{ frame: { type: "chat.open", sessionId }, answer: "error" }],
  "chat.commands": (sessionId) => [{ frame: { type: "chat.commands", sessionId }, answer: "error" }],
  "chat.cancel": (sessionId) => [{ frame: { type: "chat.cancel", sessionId }, answer: "error" }],
  "chat.continue": (sessionId) => [{ frame: { type: "chat.continue", sessionId }, answer: "error" }],
  "chat.withdraw": (sessionId) => [{ frame: { type: "chat.withdraw", id: "m", sessionId }, answer: "error" }],
  "tool.approval.response": (sessionId) => [
    {
      frame: { type: "tool.approval.response", callId: "call_1", approved: true, sessionId },
      answer: "error",
    },
  ],
  "question.response": (sessionId) => [
    { frame: { type: "question.response", callId: "call_1", sessionId }, answer: "error" },
  ],
  "limit.response": (sessionId) => [
    { frame: { type: "limit.response", extend: true, sessionId }, answer: "error" },
  ],
  ping: () => [{ frame: { type: "ping" }, answer: "pong" }],
};

async function heardUntil(
  answer: string,
  messages: AsyncIterator<RawData[]>,
): Promise<Record<string, unknown>[]> {
  for (const all: Record<string, unknown>[] = []; ;) {
    const [data = Buffer.of()]: RawData[] = (await messages.next()).value ?? [];
    const heard: Record<string, unknown> = JSON.parse(textOf(data));
    all.push(heard);
    if (heard["type"] === answer) return all;
  }
}

/** What a socket answers to each of the frames, one after the other. */
async function answersOf(
  socket: WebSocket,
  samples: readonly FrameSample<{ type: string }>[],
): Promise<Record<string, unknown>[]> {
  const messages = on(socket, "message");
  const all: Record<string, unknown>[] = [];
  await once(socket, "open");
  for (const { frame, answer } of samples) {
    socket.send(JSON.stringify(frame));
    if (answer !== undefined) all.push(...(await heardUntil(answer, messages)));
  }
  socket.close();
  return all;
}

test("every stranger gets the same of every frame of a socket for a session of others as for none", async () => {
  const stage = await begun();
  const { team, id } = stage;
  for (const who of strangers) {
    const token = await team.token(who);
    const heard = async (of: string) => {
      const samples = Object.values(socketFrames).flatMap((sample) => sample(of));
      return without(of, await answersOf(team.gateway.socket({ token }), samples));
    };
    const foreign = await heard(id);
    expect(foreign.filter(({ type }) => type === "left")).toHaveLength(3);
    expect(foreign.filter(({ type, code }) => type === "left" && code !== "no-such-session")).toEqual([]);
    expect(foreign.find(({ type }) => type === "sessions")).toMatchObject({ sessions: [] });
    expect(foreign, who).toEqual(await heard(absent));
  }
  await expectUntouched(stage);
});

test("every stranger gets the same of every frame of a chat for a session of others as for none", async () => {
  const stage = await begun();
  const { team, id } = stage;
  for (const who of strangers) {
    const token = await team.token(who);
    const heard = async (of: string) => {
      const samples = Object.values(chatFrames).flatMap((sample) => sample(of));
      const path = `/chat?session=${of}`;
      const first = { frame: { type: "ping" }, answer: "error" }; // the session of the path is unknown
      return without(of, await answersOf(team.gateway.socket({ token, path }), [first, ...samples]));
    };
    const foreign = await heard(id);
    expect(foreign.map(({ type }) => type).filter((type) => type !== "pong")).toHaveLength(10);
    expect(foreign, who).toEqual(await heard(absent));
  }
  await expectUntouched(stage);
});

test("a route that only administrators may use refuses everybody else, whatever is in it", async () => {
  const team = await testTeam(model);
  for (const [name, { method, path, needs }] of allRoutes) {
    if (needs !== "manage") continue;
    const body = isRouteWithBody(name) ? bodies[name](absent, team) : undefined;
    for (const who of ["owner@north", "member@north", "reader@north"])
      expect((await (await team.as(who))(method, path, body)).status, `${name} ${who}`).toBe(403);
    const limited = await team.as("administrator@north", "work");
    expect((await limited(method, path, body)).status, name).toBe(403);
    const admitted = await team.as("administrator@north");
    expect((await admitted(method, path, body)).status, name).toBeLessThan(300);
  }
});

test.each(rights)("a token for %s is refused by every route that needs more", async (most) => {
  const { team, id } = await begun();
  const ask = await team.as("member@north", most);
  for (const [name, { method, path, needs }] of allRoutes) {
    if (needs === "none" || rights.indexOf(needs) <= rights.indexOf(most)) continue;
    const body = isRouteWithBody(name) ? bodies[name](id, team) : undefined;
    const place = path.replace(":id", id).replace(":callId", "call_1");
    expect((await ask(method, place, body)).status, name).toBe(403);
  }
});

test("a session that is sent in again gets a new id, whether there is one of its id or not", async () => {
  const { team, id } = await begun();
  const own = await team.as("member@north");
  const bundle = (await own("GET", `/sessions/${id}/export`)).text;
  for (const isThere of [true, false]) {
    if (!isThere) expect((await own("DELETE", `/sessions/${id}`)).status).toBe(204);
    const ask = await team.as("member@south");
    const { status, text: reply } = await ask("POST", "/sessions/import", bundle);
    expect(status, reply).toBe(201);
    const { session } = JSON.parse(reply);
    expect(session.id).not.toBe(id);
    expect(session.workspace).toBe(team.workspaceOf("south"));
    expect((await team.gateway.test.store.team.belonging(session.id))?.person).toBe("member@south");
  }
});
