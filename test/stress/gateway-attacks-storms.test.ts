/** Many clients at the same moment: nothing happens twice, is lost or is left half done. */

import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { framesOf } from "../../src/gateway/testing/raw.ts";
import { type ModelScript, scriptedModel } from "../../src/providers/scripted-model.ts";
import {
  type TestGatewayOptions,
  testGateway,
  type TestGateway,
  testToken,
} from "../../src/testing/gateway.ts";
import { scale } from "../../src/testing/scale.ts";

async function opened(script: ModelScript, options: TestGatewayOptions = {}): Promise<TestGateway> {
  const made = await testGateway(scriptedModel(script), options);
  onTestFinished(async () => {
    await made.close();
    await made.test.remove();
  });
  return made;
}

const send = (words: string, id?: string) => ({
  type: "send",
  content: [{ type: "text", text: words }],
  ...(id === undefined ? {} : { id }),
});

type Fact = { seq: number; type: string };

const isFact = (value: unknown): value is Fact =>
  typeof value === "object" && value !== null && "seq" in value && "type" in value;

async function factsOf(gateway: TestGateway, id: string): Promise<Fact[]> {
  const { body } = await gateway.ask("GET", `/sessions/${id}/facts?limit=1000`);
  const facts = typeof body === "object" && body !== null && "facts" in body ? body.facts : [];
  return Array.isArray(facts) ? facts.filter(isFact) : [];
}

const command = (gateway: TestGateway, id: string, body: unknown) =>
  gateway.ask("POST", `/sessions/${id}/commands`, body);

const idle = (gateway: TestGateway, id: string) =>
  expect
    .poll(async () => (await gateway.ask("GET", `/sessions/${id}`)).body)
    .toMatchObject({ standing: "idle" });

const upTo = (last: number): number[] => Array.from({ length: last }, (_, at) => at + 1);

test("a message sent ten times at once is accepted once, and twenty different messages are all accepted", async () => {
  const gateway = await opened((_, round) => [{ say: `Answer number ${round}.` }]);
  const id = await gateway.newSession();
  const same = await Promise.all(upTo(10).map(() => command(gateway, id, send("once only", "same"))));
  expect(same.map(({ status }) => status)).toEqual(upTo(10).map(() => 200));
  const others = await Promise.all(upTo(20).map((at) => command(gateway, id, send(`message <${at}>`))));
  expect(others.map(({ status }) => status)).toEqual(upTo(20).map(() => 200));
  await idle(gateway, id);
  const said = (await factsOf(gateway, id)).filter(({ type }) => type === "user-message" || type === "steer");
  const text = JSON.stringify(said);
  expect(text.split("once only").length - 1).toBe(1);
  for (const at of upTo(20)) expect(text.split(`message <${at}>`).length - 1, String(at)).toBe(1);
});

test("an approval that ten clients answer at once is answered once, and the other nine are refused", async () => {
  const write = { call: "write_file", with: { path: "b.txt", content: "beta\n" }, id: "w" };
  const gateway = await opened([[write], [{ say: "That was it." }]], { mode: "ask" });
  const id = await gateway.newSession();
  const people = upTo(10).map(() => gateway.socket());
  const outcomes = people.map(async (socket, at) => {
    for await (const frame of framesOf(socket)) {
      if (frame["type"] === "welcome")
        socket.send(JSON.stringify({ type: "follow", id: "f", session: id, after: 0, person: true }));
      if (frame["type"] === "events" && JSON.stringify(frame).includes('"approval-asked"')) {
        const answer = { answer: at % 2 ? "deny" : "allow", scope: "once", by: `person ${at}` };
        const asked = { type: "answer-approval", callId: "w", ...answer };
        socket.send(JSON.stringify({ type: "command", id: "c", session: id, command: asked }));
      }
      if (frame["type"] === "outcome") return JSON.stringify(frame["outcome"]);
    }
    return "closed";
  });
  await expect.poll(() => gateway.test.host.figures().followers).toBe(10);
  await command(gateway, id, send("Write."));
  const told = await Promise.all(outcomes);
  expect(told.filter((outcome) => outcome === '{"ok":true}')).toHaveLength(1);
  expect(new Set(told).size).toBe(2);
  await idle(gateway, id);
  expect((await factsOf(gateway, id)).filter(({ type }) => type === "approval-answered")).toHaveLength(1);
  for (const socket of people) socket.terminate();
});

test("a client that is disconnected again and again sees each fact once, in order", async () => {
  const words = upTo(30).map((at) => ({ say: `This is the word number ${at}. ` }));
  const gateway = await opened(() => words);
  const id = await gateway.newSession();
  const seen: number[] = [];
  const talk = { isOver: false };
  const talking = (async () => {
    for (const at of upTo(20 * scale)) {
      await command(gateway, id, send(`question ${at}`));
      await idle(gateway, id);
    }
    talk.isOver = true;
  })();
  for (let cuts = 0; !talk.isOver; cuts += 1) await followABit(gateway, { id, seen, most: cuts % 7 });
  await talking;
  const facts = await factsOf(gateway, id);
  while (seen.length < facts.length) await followABit(gateway, { id, seen, most: 1 });
  expect(seen).toEqual(facts.map(({ seq }) => seq));
});

/** Resumes after the last fact seen, and cuts the connection after so many frames of events. */
async function followABit(
  gateway: TestGateway,
  { id, seen, most }: { id: string; seen: number[]; most: number },
): Promise<void> {
  const socket = gateway.socket();
  let frames = 0;
  const late = setTimeout(() => socket.terminate(), 200);
  for await (const frame of framesOf(socket)) {
    if (frame["type"] === "welcome")
      socket.send(JSON.stringify({ type: "follow", id: "f", session: id, after: seen.at(-1) ?? 0 }));
    if (frame["type"] !== "events" || !Array.isArray(frame["events"])) continue;
    seen.push(...frame["events"].filter(isFact).map(({ seq }) => seq));
    frames += 1;
    if (frames >= most) break;
  }
  clearTimeout(late);
  socket.terminate();
}

test("hundreds of follows and leaves on one socket leave no follower behind", async () => {
  const gateway = await opened([]);
  const id = await gateway.newSession();
  const socket = gateway.socket();
  const frames = framesOf(socket);
  await frames.next();
  for (const at of upTo(800)) {
    const name = `f${at % 5}`;
    socket.send(JSON.stringify({ type: "follow", id: name, session: id, after: 0 }));
    if (at % 3 > 0) socket.send(JSON.stringify({ type: "leave", id: name }));
  }
  socket.send(JSON.stringify({ type: "follow", id: "last", session: id, after: 0 }));
  for await (const frame of frames) if (frame["type"] === "events" && frame["id"] === "last") break;
  expect(gateway.test.host.figures().followers).toBeLessThanOrEqual(6);
  socket.close();
  await once(socket, "close");
  await expect.poll(() => gateway.test.host.figures().followers).toBe(0);
});

test("deleting a session while others send to, rename, fork and read it causes no internal error", async () => {
  const gateway = await opened(() => [{ say: "This is an answer." }]);
  for (const round of upTo(15 * scale)) {
    const id = await gateway.newSession();
    const others = [
      command(gateway, id, send("hello")),
      command(gateway, id, { type: "rename", title: "name" }),
      gateway.ask("POST", `/sessions/${id}/fork`, {}),
      gateway.ask("GET", `/sessions/${id}/context`),
    ];
    void others.splice(round % 5, 0, gateway.ask("DELETE", `/sessions/${id}`));
    for (const { status } of await Promise.all(others)) expect([200, 201, 204, 404, 409]).toContain(status);
  }
  expect(gateway.logged).toEqual([]);
});

test("a bundle that is cut, duplicated, reordered or altered is refused, and nothing is stored", async () => {
  const gateway = await opened([[{ say: "This is what was said." }]]);
  const id = await gateway.newSession();
  await command(gateway, id, send("hello"));
  await idle(gateway, id);
  const headers = { authorization: `Bearer ${testToken}` };
  const whole = await (await gateway.raw(`/sessions/${id}/export`, { headers })).text();
  const sendBundle = async (body: string): Promise<number> =>
    (
      await gateway.raw("/sessions/import", {
        method: "POST",
        headers: { ...headers, "content-type": "application/x-ndjson" },
        body,
      })
    ).status;
  const lines = whole.trimEnd().split("\n");
  const [first = "", second = "", third = "", ...rest] = lines;
  const broken = [
    "",
    "\n\n",
    "null\n",
    "[]\n",
    "{}\n",
    whole.slice(0, whole.length / 2),
    `${lines.slice(0, -1).join("\n")}\n`,
    `${first}\n${whole}`,
    `${whole}${lines.at(-1)}\n`,
    `${whole}more\n`,
    [first, second, second, third, ...rest, ""].join("\n"),
    [first, third, second, ...rest, ""].join("\n"),
    whole.replace("what was said", "what was sold"),
    whole.replaceAll(id, "../../elsewhere"),
    `${first}\n${"[".repeat(100_000)}\n`,
  ];
  for (const [at, body] of broken.entries()) expect(await sendBundle(body), String(at)).toBe(400);
  expect((await gateway.ask("GET", "/sessions")).body).toMatchObject({ sessions: [{ id }], more: false });
  expect(await sendBundle(whole)).toBe(201);
});

test("a chat that disconnects before its session is found leaves no follower behind", async () => {
  const gateway = await opened(() => [{ say: "This is an answer." }]);
  const id = await gateway.newSession();
  for (const at of upTo(40)) {
    const socket = gateway.socket({ path: at % 2 ? `/chat?session=${id}` : "/chat" });
    await once(socket, "open");
    socket.send(JSON.stringify({ type: "chat.open", sessionId: id }));
    if (at % 4 === 0) socket.send(JSON.stringify({ type: "chat.send", content: "hello" }));
    socket.terminate();
  }
  await expect.poll(async () => (await gateway.ask("GET", "/health")).body).toMatchObject({ connections: 1 });
  await expect.poll(() => gateway.test.host.figures().followers).toBe(0);
});
