import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import type { Model } from "../../../providers/provider.ts";
import { scripted } from "../../../providers/scripted.ts";
import { followUntil, testHost, type TestHost, type TestHostOptions } from "../../../testing/host.ts";
import { type ChatRoom, chatRoom, openChat } from "./chat.ts";
import { testSocket, type TestSocket } from "./testing-socket.ts";
import type { Clock } from "./waits.ts";

/** Time that passes when the test says so. */
function handClock(): Clock & { pass(ms: number): void } {
  let now = 1_000_000;
  const due = new Set<{ at: number; run: () => void }>();
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      due.add(timer);
      return () => void due.delete(timer);
    },
    pass(ms) {
      now += ms;
      for (const timer of due)
        if (timer.at <= now) {
          due.delete(timer);
          timer.run();
        }
    },
  };
}

type Chatting = TestHost & {
  room: ChatRoom;
  clock: ReturnType<typeof handClock>;
  connect: (session?: string) => TestSocket;
};

const open: { close(): Promise<void>; remove(): Promise<void>; sockets: TestSocket[] }[] = [];
afterEach(async () => {
  for (const { close, remove, sockets } of open.splice(0)) {
    for (const socket of sockets) socket.leave();
    await close();
    await remove();
  }
});

async function chatting(model: Model, options: TestHostOptions = {}): Promise<Chatting> {
  const made = await testHost(model, { files: { "a.txt": "alpha\n" }, ...options });
  const clock = handClock();
  const room = chatRoom(made.host, { clock });
  const sockets: TestSocket[] = [];
  open.push({ ...made, sockets });
  return {
    ...made,
    room,
    clock,
    connect(session) {
      const socket = testSocket();
      sockets.push(socket);
      openChat(socket.socket, room, session);
      return socket;
    },
  };
}

const write = { call: "write_file", with: { path: "b.txt", content: "beta\n" }, id: "w" };

test("E3: a message opens a session, two turns alternate, and who comes later is told the same conversation", async () => {
  const { connect } = await chatting(scripted([[{ say: "One." }], [{ say: "Two." }]]));
  const one = connect();
  one.send({ type: "chat.send", content: "First", requestId: "r1" });
  const { sessionId, requestId } = await one.next("session");
  expect(requestId).toBe("r1");
  expect(await one.next("chat.message")).toMatchObject({ text: "First", requestId: "r1", turn: 1 });
  expect(await one.next("chat.stream.start")).toMatchObject({ requestId: "r1", turn: 1 });
  await one.next("chat.stream.end");
  one.send({ type: "chat.send", content: [{ type: "text", text: "Second" }] });
  await one.next("chat.stream.end");
  const two = connect(sessionId);
  const history = await two.next("chat.history");
  expect(history.messages).toEqual([
    { role: "user", text: "First", turn: 1 },
    { role: "assistant", text: "One.", turn: 1 },
    { role: "user", text: "Second", turn: 2 },
    { role: "assistant", text: "Two.", turn: 2 },
  ]);
  expect(history.messages).toEqual(one.client.messages);
  expect(two.client.frames[0]).toMatchObject({ type: "session", streaming: false });
});

test("E8: an approval that is given lets the call run, and every connection is told who gave it", async () => {
  const { connect, workspace } = await chatting(scripted([[write], [{ say: "Written." }]]), { mode: "ask" });
  const one = connect();
  one.send({ type: "chat.send", content: "Write." });
  const { sessionId } = await one.next("session");
  const asked = await one.next("tool.approval.request");
  expect(asked).toMatchObject({ approvalId: "w", callId: "w", name: "write_file", timeoutMs: 60_000 });
  const two = connect(sessionId);
  const again = await two.next("tool.approval.request");
  expect(again.expiresAt).toBe(asked.expiresAt);
  two.send({ type: "tool.approval.response", approvalId: "w", approved: true });
  const told = { callId: "w", approved: true, scope: "once", by: "chat" };
  expect(await one.next("tool.approval.response")).toMatchObject(told);
  expect(await two.next("tool.approval.response")).toMatchObject(told);
  await Promise.all([one.next("chat.stream.end"), two.next("chat.stream.end")]);
  expect(await readFile(join(workspace, "b.txt"), "utf8")).toBe("beta\n");
  expect(two.client.messages).toEqual(one.client.messages);
});

test('E8: nobody\'s answer within 60 seconds is a no, by "timeout", and the turn goes on to its end', async () => {
  const model = scripted([[write], [{ say: "Then not." }]]);
  const { connect, clock } = await chatting(model, { mode: "ask" });
  const chat = connect();
  chat.send({ type: "chat.send", content: "Write." });
  await chat.next("tool.approval.request");
  clock.pass(59_999);
  expect(chat.client.frames.some(({ type }) => type === "tool.approval.response")).toBe(false);
  clock.pass(1);
  expect(await chat.next("tool.approval.response")).toMatchObject({ approved: false, by: "timeout" });
  expect(await chat.next("tool.error")).toMatchObject({ callId: "w", outcome: "denied" });
  expect(await chat.next("chat.stream.end")).toMatchObject({ text: "Then not." });
  expect(JSON.stringify(model.prompts[1])).toContain("Nobody answered");
});

test("an answer from another surface stops the time, and a late one of this connection is refused in words", async () => {
  const { connect, clock, host } = await chatting(scripted([[write], [{ say: "Written." }]]), {
    mode: "ask",
  });
  const chat = connect();
  chat.send({ type: "chat.send", content: "Write." });
  const { sessionId } = await chat.next("session");
  await chat.next("tool.approval.request");
  await host.command(sessionId, {
    type: "answer-approval",
    callId: "w",
    answer: "allow",
    scope: "once",
    by: "page",
  });
  expect(await chat.next("tool.approval.response")).toMatchObject({ approved: true, by: "page" });
  await chat.next("chat.stream.end");
  clock.pass(120_000);
  chat.send({ type: "tool.approval.response", callId: "w", approved: false, requestId: "late" });
  expect(await chat.next("error")).toMatchObject({ code: "refused", requestId: "late", sessionId });
  expect(chat.client.frames.filter(({ type }) => type === "tool.approval.response")).toHaveLength(1);
});

test("who comes back in the middle of a turn is told what was said so far, the open question and then the rest", async () => {
  const gate = Promise.withResolvers<void>();
  const { connect } = await chatting(
    scripted([
      [{ say: "I write it." }, write],
      [{ say: "Half of the way" }, { wait: gate.promise }, { say: " done." }],
    ]),
    { mode: "ask" },
  );
  const one = connect();
  one.send({ type: "chat.send", content: "Write." });
  const { sessionId } = await one.next("session");
  await one.next("tool.approval.request");
  one.leave();
  const two = connect(sessionId);
  expect(await two.next("session")).toMatchObject({ streaming: true });
  expect(await two.next("chat.stream.start")).toMatchObject({ resumed: true, turn: 1 });
  expect(await two.next("chat.stream.delta")).toMatchObject({ delta: "I write it.", offset: 0 });
  expect(await two.next("tool.call")).toMatchObject({ callId: "w" });
  two.send({
    type: "tool.approval.response",
    callId: (await two.next("tool.approval.request")).callId,
    approved: true,
  });
  await two.next("chat.stream.delta");
  const three = connect(sessionId);
  await three.next("chat.stream.delta");
  gate.resolve();
  await Promise.all([two.next("chat.stream.end"), three.next("chat.stream.end")]);
  expect(three.client.messages).toEqual([
    { role: "user", text: "Write.", turn: 1 },
    { role: "assistant", text: "I write it.\n\nHalf of the way done.", turn: 1 },
  ]);
  expect(two.client.messages).toEqual(three.client.messages);
});

test("B13: without a connection nobody can be asked, so asking means no; with one it is asked", async () => {
  const { connect, host } = await chatting(
    scripted([[write], [{ say: "Denied." }], [{ ...write, id: "v" }], [{ say: "Allowed." }]]),
    { mode: "ask" },
  );
  const chat = connect();
  chat.send({ type: "chat.send", content: "" });
  const { sessionId } = await chat.next("session");
  expect(await chat.next("error")).toMatchObject({ code: "refused" });
  chat.leave();
  while (host.figures().followers > 0) await setImmediate();
  await host.command(sessionId, { type: "send", content: [{ type: "text", text: "Write." }] });
  await followUntil(host, sessionId, ({ type }) => type === "turn-end");
  const back = connect(sessionId);
  await back.next("chat.history");
  expect(back.client.messages.at(-1)?.text).toBe("Denied.");
  back.send({ type: "chat.send", content: "Again." });
  back.send({
    type: "tool.approval.response",
    callId: (await back.next("tool.approval.request")).callId,
    approved: true,
  });
  expect(await back.next("chat.stream.end")).toMatchObject({ text: "Allowed." });
});

test("what is sent while a turn runs is queued, told so, and taken; a stop ends the turn and clears the flag", async () => {
  const gate = Promise.withResolvers<void>();
  const { connect } = await chatting(
    scripted([
      [{ say: "Wait a moment." }, { call: "read_file", with: { path: "a.txt" } }, { wait: gate.promise }],
      [{ say: "Go on from there." }, { wait: new Promise(() => undefined) }],
    ]),
  );
  const chat = connect();
  chat.send({ type: "chat.send", content: "One." });
  await chat.next("tool.call");
  chat.send({ type: "chat.send", content: "Two.", requestId: "two" });
  const queued = await chat.next("chat.queued");
  expect(queued).toMatchObject({ text: "Two.", when: "steer", requestId: "two", turn: 1 });
  gate.resolve();
  expect(await chat.next("chat.message")).toMatchObject({ how: "steer", queuedId: queued.id, text: "Two." });
  await chat.next("chat.stream.delta");
  chat.send({ type: "chat.cancel" });
  expect(await chat.next("chat.stream.end")).toMatchObject({
    stopped: "interrupted",
    text: "Wait a moment.\n\nGo on from there.",
  });
  expect(chat.client.streaming).toBe(false);
  expect(chat.client.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
});

test("a message that waits can be taken back", async () => {
  const gate = Promise.withResolvers<void>();
  const { connect } = await chatting(scripted([[{ say: "Wait a moment." }, { wait: gate.promise }]]));
  const chat = connect();
  chat.send({ type: "chat.send", content: "One." });
  await chat.next("chat.stream.delta");
  chat.send({ type: "chat.send", content: "Two.", when: "next" });
  const { id } = await chat.next("chat.queued");
  chat.send({ type: "chat.withdraw", id });
  expect(await chat.next("chat.withdrawn")).toMatchObject({ id });
  gate.resolve();
  expect(await chat.next("chat.stream.end")).toMatchObject({ text: "Wait a moment." });
});

test("a question of the model is asked and answered over the same connection, and declined when nobody does", async () => {
  const ask = (id: string) => ({ call: "ask_user", with: { question: "Which?", choices: ["a", "b"] }, id });
  const { connect, clock } = await chatting(
    scripted([[ask("q")], [{ say: "So a." }], [ask("p")], [{ say: "So none." }]]),
  );
  const chat = connect();
  chat.send({ type: "chat.send", content: "Ask." });
  expect(await chat.next("question.request")).toMatchObject({
    callId: "q",
    question: "Which?",
    timeoutMs: 60_000,
  });
  chat.send({ type: "question.response", callId: "q", chosen: [0] });
  expect(await chat.next("question.response")).toMatchObject({ declined: false, chosen: [0], by: "chat" });
  await chat.next("chat.stream.end");
  chat.send({ type: "chat.send", content: "Ask again." });
  await chat.next("question.request");
  clock.pass(60_000);
  expect(await chat.next("question.response")).toMatchObject({ declined: true, by: "timeout" });
  await chat.next("chat.stream.end");
});

test("a session that is deleted while it is followed is told as lost, and can be left for a new one", async () => {
  const { connect, host } = await chatting(scripted([[{ say: "One." }], [{ say: "New." }]]));
  const chat = connect();
  chat.send({ type: "chat.send", content: "One." });
  const { sessionId } = await chat.next("session");
  await chat.next("chat.stream.end");
  expect(await host.remove(sessionId)).toMatchObject({ ok: true });
  expect(await chat.next("error")).toMatchObject({ code: "session-lost", sessionId });
  chat.send({ type: "chat.send", content: "Old.", sessionId });
  expect(await chat.next("error")).toMatchObject({ code: "unknown-session" });
  const other = connect();
  other.send({ type: "chat.send", content: "New." });
  expect(await other.next("chat.stream.end")).toMatchObject({ text: "New." });
});

test.for<[string, object | string, string]>([
  ["no JSON", "{", "not-json"],
  ["nothing", "", "not-json"],
  ["a list", "[1]", "invalid"],
  ["null", "null", "invalid"],
  ["no type", {}, "invalid"],
  ["a type that is none", { type: "chat.fly" }, "unknown-type"],
  ["a name of the prototype", { type: "constructor" }, "unknown-type"],
  ["another one", '{"type":"__proto__"}', "unknown-type"],
  ["a message without content", { type: "chat.send" }, "invalid"],
  ["content of another type", { type: "chat.send", content: 5 }, "invalid"],
  ["an unknown part", { type: "chat.send", content: [{ type: "film" }] }, "invalid"],
  [
    "an image that is none",
    { type: "chat.send", content: [{ type: "image", mediaType: "text/html", data: "YQ==" }] },
    "invalid",
  ],
  [
    "an image that is no Base64",
    { type: "chat.send", content: [{ type: "image", mediaType: "image/png", data: "<x>" }] },
    "invalid",
  ],
  ["too deep", `{"type":"ping","a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`, "too-deep"],
  ["deeper than any stack", "[".repeat(900_000), "not-json"],
  ["a megabyte of garbage", "\u0000x".repeat(600_000), "too-large"],
  ["no session that it could be about", { type: "chat.cancel" }, "no-session"],
  ["a session that there is not", { type: "chat.open", sessionId: "../../etc" }, "unknown-session"],
  [
    "an approval of nothing",
    { type: "tool.approval.response", approved: true, sessionId: "x" },
    "unknown-session",
  ],
  [
    "an approval that is not yes or no",
    { type: "tool.approval.response", callId: "x", approved: "yes" },
    "invalid",
  ],
])("a bad frame is answered, and the connection goes on: %s", async ([, frame, code]) => {
  const { connect } = await chatting(scripted([]));
  const chat = connect();
  chat.send(frame);
  expect(await chat.next("error")).toMatchObject({ code });
  chat.send({ type: "ping", requestId: "p" });
  expect(await chat.next("pong")).toEqual({ type: "pong", requestId: "p" });
});

test("whatever is sent, each frame gets one answer and nothing is thrown", async () => {
  const { connect } = await chatting(scripted([]));
  const chat = connect();
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.json().map((json) => `{"type":"chat.send","__proto__":${json},"content":${json}0}`),
      ),
      (text) => {
        const before = chat.client.frames.length;
        chat.send(text);
        expect(chat.client.frames.slice(before)).toMatchObject([{ type: "error" }]);
      },
    ),
  );
});
