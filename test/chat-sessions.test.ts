/** Sessions over the chat protocol: questions, limits, queued messages, clients that come and go. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { gatewayBounds } from "../src/gateway/bounds.ts";
import { chatContext, openChat } from "../src/gateway/chat/chat.ts";
import { testSocket } from "../src/gateway/chat/testing/socket.ts";
import { scriptedModel } from "../src/providers/scripted-model.ts";
import { remoteBounds } from "../src/remote/bounds.ts";
import { followUntil, type TestHost } from "../src/testing/host.ts";
import { chatting, settled } from "./support/chatting.ts";

const write = { call: "write_file", with: { path: "b.txt", content: "beta\n" }, id: "w" };

test("E3: a message opens a session, two turns alternate, and a later client receives the same conversation", async () => {
  const { connect } = await chatting(scriptedModel([[{ say: "One." }], [{ say: "Two." }]]));
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

test("E8: an approval lets the call run, and every connection learns who gave it", async () => {
  const { connect, workspace } = await chatting(scriptedModel([[write], [{ say: "Written." }]]), {
    mode: "ask",
  });
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
  const model = scriptedModel([[write], [{ say: "Then not." }]]);
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
  expect(JSON.stringify(model.prompts[1])).toContain("because nobody answered in time");
});

test("an answer from another surface stops the approval timer, and a late answer from this one is refused with an error", async () => {
  const { connect, clock, host } = await chatting(scriptedModel([[write], [{ say: "Written." }]]), {
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

test("a client that reconnects during a turn receives the text so far, the open approval and then the rest", async () => {
  const gate = Promise.withResolvers<void>();
  const { connect } = await chatting(
    scriptedModel([
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

test("B13: without a connection a call that needs approval is denied; with a connection it is asked about", async () => {
  const { connect, host } = await chatting(
    scriptedModel([[write], [{ say: "Denied." }], [{ ...write, id: "v" }], [{ say: "Allowed." }]]),
    { mode: "ask" },
  );
  const made = await host.create({});
  if (!made.ok) throw new Error(made.problem);
  const sessionId = made.value.id;
  const chat = connect(sessionId);
  await chat.next("session");
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

test("a message sent during a turn is queued, acknowledged and used; a cancel ends the turn and clears the flag", async () => {
  const gate = Promise.withResolvers<void>();
  const { connect } = await chatting(
    scriptedModel([
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
  expect(await chat.next("chat.message")).toMatchObject({
    how: "steer",
    queuedId: queued.id,
    text: "Two.",
    requestId: "two",
  });
  await chat.next("chat.stream.delta");
  chat.send({ type: "chat.cancel" });
  expect(await chat.next("chat.stream.end")).toMatchObject({
    stopped: "interrupted",
    text: "Wait a moment.\n\nGo on from there.",
  });
  expect(chat.client.streaming).toBe(false);
  expect(chat.client.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
});

test("a queued message can be withdrawn", async () => {
  const gate = Promise.withResolvers<void>();
  const { connect } = await chatting(scriptedModel([[{ say: "Wait a moment." }, { wait: gate.promise }]]));
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

test("a question of the model is asked and answered over one connection, and the model learns when it times out", async () => {
  const ask = (id: string) => ({ call: "ask_user", with: { question: "Which?", choices: ["a", "b"] }, id });
  const model = scriptedModel([[ask("q")], [{ say: "So a." }], [ask("p")], [{ say: "So none." }]]);
  const { connect, clock } = await chatting(model);
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
  chat.send({ type: "chat.send", content: "Try again." });
  await chat.next("question.request");
  clock.pass(60_000);
  expect(await chat.next("question.response")).toMatchObject({ declined: true, by: "timeout" });
  await chat.next("chat.stream.end");
  expect(JSON.stringify(model.prompts.at(-1))).toContain("Nobody answered this.");
});

test("E5: a turn abandoned by its process ends for the client with an error, and starts again when it goes on", async () => {
  const [heard, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const answer = [
    { say: "Half of the way" },
    { wait: heard.promise },
    { say: ", and more" },
    { wait: gate.promise },
  ];
  const made = await chatting(scriptedModel([[...answer, { say: " and on." }]]));
  const row: TestHost["host"]["row"] = async (id) => {
    const known = await made.host.row(id);
    return known && { ...known, standing: "left-open" };
  };
  const chat = testSocket();
  openChat(chat.socket, chatContext({ ...made.host, row }, { clock: made.clock }));
  chat.send({ type: "chat.send", content: "Go." });
  await chat.next("chat.stream.delta");
  made.clock.pass(20_000);
  heard.resolve();
  await chat.next("chat.stream.delta");
  made.clock.pass(10_000);
  await settled();
  made.clock.pass(19_999);
  await settled();
  expect(chat.client.streaming).toBe(true);
  made.clock.pass(1);
  expect(await chat.next("error")).toMatchObject({ code: "left-open" });
  const text = "Half of the way, and more";
  expect(await chat.next("chat.stream.end")).toMatchObject({ stopped: "lost", text });
  gate.resolve();
  expect(await chat.next("chat.stream.start")).toMatchObject({ resumed: true, turn: 1 });
  expect(await chat.next("chat.stream.end")).toMatchObject({ text: `${text} and on.`, stopped: "done" });
  chat.leave();
});

test("each question about a limit gets the full timeout", async () => {
  const names = Array.from({ length: 7 }, (_, at) => `f${at}.txt`);
  const { connect, clock } = await chatting(
    scriptedModel((_, round) => [{ call: "read_file", with: { path: names[round - 1] ?? "" } }]),
    {
      files: Object.fromEntries(names.map((name) => [name, `${name}\n`])),
      flags: ["--max-rounds", "5", "--on-limit", "ask"],
    },
  );
  const chat = connect();
  chat.send({ type: "chat.send", content: "Read." });
  expect(await chat.next("limit.request")).toMatchObject({ limit: "rounds", used: 5, timeoutMs: 60_000 });
  clock.pass(50_000);
  chat.send({ type: "limit.response", extend: true, most: 6 });
  expect(await chat.next("limit.response")).toMatchObject({ extend: true, most: 6, by: "chat" });
  expect(await chat.next("limit.request")).toMatchObject({ used: 6, timeoutMs: 60_000 });
  clock.pass(59_999);
  await settled();
  expect(chat.client.streaming).toBe(true);
  clock.pass(1);
  expect(await chat.next("limit.response")).toMatchObject({ extend: false, by: "timeout" });
  expect(await chat.next("chat.stream.end")).toMatchObject({ stopped: "limit" });
});

test("A36: an approval with an edited command runs the edited command", async () => {
  const { connect, workspace } = await chatting(
    scriptedModel([
      [{ call: "run_command", with: { command: "touch one.txt" }, id: "c" }],
      [{ say: "Done." }],
    ]),
    { mode: "ask", files: {}, sandbox: async () => ({ kind: "none", because: "there is none" }) },
  );
  const chat = connect();
  chat.send({ type: "chat.send", content: "Run." });
  expect(await chat.next("tool.approval.request")).toMatchObject({ command: "touch one.txt" });
  chat.send({ type: "tool.approval.response", approvalId: "c", approved: true, command: "touch two.txt" });
  expect(await chat.next("tool.approval.response")).toMatchObject({
    approved: true,
    command: "touch two.txt",
  });
  await chat.next("chat.stream.end");
  expect(await readdir(workspace)).toEqual(["two.txt"]);
});

test("a joining client receives queued messages and todos, and reopening a session repeats no message", async () => {
  const gate = Promise.withResolvers<void>();
  const todos = { call: "todos", with: { items: [{ text: "look", state: "doing" }] } };
  const { connect } = await chatting(
    scriptedModel([
      [todos],
      [{ say: "I am at it now" }, { wait: gate.promise }, { say: ", still." }],
      [{ say: "Next." }],
    ]),
  );
  const one = connect();
  one.send({ type: "chat.send", content: "Go." });
  const { sessionId } = await one.next("session");
  await one.next("chat.stream.delta");
  one.send({ type: "chat.send", content: "Later.", when: "next", requestId: "own" });
  await one.next("chat.queued");
  const two = connect(sessionId);
  expect(await two.next("chat.queued")).toMatchObject({ text: "Later.", when: "next" });
  expect(await two.next("todo.update")).toMatchObject({ items: [{ text: "look", state: "doing" }] });
  one.send({ type: "chat.open", sessionId });
  await one.next("session");
  await one.next("chat.stream.delta");
  gate.resolve();
  await one.next("chat.stream.end");
  expect((await one.next("chat.stream.end")).text).toBe("Next.");
  expect(one.client.messages.map(({ text }) => text)).toEqual([
    "Go.",
    "I am at it now, still.",
    "Later.",
    "Next.",
  ]);
});

test("a connection has a limit on sessions and on requests in flight, and gets an error beyond either", async () => {
  const { connect, host } = await chatting(scriptedModel([]));
  const chat = connect();
  for (let count = 0; count <= gatewayBounds.chatSessions.most; count += 1) {
    const made = await host.create({});
    if (made.ok) chat.send({ type: "chat.open", sessionId: made.value.id });
  }
  expect(await chat.next("error")).toMatchObject({ code: "too-many-sessions" });
  await settled();
  for (let count = 0; count <= remoteBounds.commands.most; count += 1)
    chat.send({ type: "chat.cancel", requestId: `${count}` });
  expect(await chat.next("error")).toMatchObject({ code: "too-many-requests", requestId: "256" });
  expect(await chat.next("error")).toMatchObject({ code: "refused", requestId: "0" });
});

test("a session deleted while a client follows it is reported as lost, and a new one can be started", async () => {
  const { connect, host } = await chatting(scriptedModel([[{ say: "One." }], [{ say: "New." }]]));
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

test("a frame that no session can take gets an error, and the connection goes on", async () => {
  const { connect } = await chatting(scriptedModel([]));
  const chat = connect();
  const frames: [object | string, string][] = [
    ["[1]", "invalid"],
    [{ type: "chat.cancel" }, "no-session"],
    [{ type: "chat.open", sessionId: "../../etc" }, "unknown-session"],
    [{ type: "tool.approval.response", approved: true, sessionId: "x" }, "unknown-session"],
  ];
  for (const [frame, code] of frames) {
    chat.send(frame);
    expect(await chat.next("error")).toMatchObject({ code });
    chat.send({ type: "ping", requestId: "p" });
    expect(await chat.next("pong")).toEqual({ type: "pong", requestId: "p" });
  }
});
