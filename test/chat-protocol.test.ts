/** The chat protocol end to end: over real sockets, with real sessions behind it. */

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { chatContext, openChat } from "../src/gateway/chat/chat.ts";
import { type FrameInbox, inbox, type TestSocket, testSocket } from "../src/gateway/chat/testing/socket.ts";
import type { Model } from "../src/providers/provider.ts";
import { scriptedModel, type ScriptedAnswer, type ScriptedStep } from "../src/providers/scripted-model.ts";
import { testGateway, type TestGateway, type TestGatewayOptions } from "../src/testing/gateway.ts";
import { followUntil, testHost } from "../src/testing/host.ts";
import { scale } from "../src/testing/scale.ts";

const runs = 15 * scale;

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** `stop` closes the gateway before the test ends. */
async function gateway(model: Model, options: TestGatewayOptions = {}) {
  const made = await testGateway(model, { files: { "a.txt": "alpha\n" }, ...options });
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= made.close());
  ends.push(made.test.remove, stop);
  return { ...made, stop };
}

type Connected = Omit<FrameInbox, "take"> & {
  send: (frame: object | string) => void;
  leave: () => Promise<unknown>;
  closed: Promise<number>;
};

async function connect(to: TestGateway, session?: string): Promise<Connected> {
  const { client, take, next } = inbox();
  const socket = to.socket({ path: session === undefined ? "/chat" : `/chat?session=${session}` });
  socket.on("message", (data: Buffer) => take(data.toString("utf8")));
  const closed = once(socket, "close").then(([code]) => Number(code));
  await once(socket, "open");
  const leave = async (): Promise<unknown> => {
    socket.close();
    return closed;
  };
  ends.push(leave);
  return {
    client,
    next,
    send: (frame) => socket.send(typeof frame === "string" ? frame : JSON.stringify(frame)),
    leave,
    closed,
  };
}

/** Writes a file where changes are staged, and then applies the staged change. */
const stagingModel = (): Model =>
  scriptedModel((prompt, round) => {
    const token = /[0-9a-f]{8}-[0-9a-f-]{27}/u.exec(JSON.stringify(prompt.messages))?.[0] ?? "";
    const steps: readonly ScriptedAnswer[] = [
      [{ say: "I write it." }, { call: "write_file", with: { path: "b.txt", content: "beta\n" }, id: "w" }],
      [{ call: "apply_file_change", with: { token }, id: "apply" }],
    ];
    return steps[round - 1] ?? [{ say: "It is written." }];
  });

test("B8, E8: a change is previewed over a socket, applied on approval, and reported to every connection", async () => {
  const made = await gateway(stagingModel());
  const one = await connect(made);
  one.send({ type: "chat.send", content: "Write b.txt.", requestId: "r" });
  const { sessionId } = await one.next("session");
  const staged = await one.next("tool.result");
  expect(staged.metadata).toMatchObject({
    legacyTranslated: true,
    diffPreview: expect.stringContaining("+beta"),
  });
  const asked = await one.next("tool.approval.request");
  const two = await connect(made, sessionId);
  await two.next("tool.approval.request");
  two.send({ type: "tool.approval.response", approvalId: asked.approvalId, approved: true, sessionId });
  await Promise.all([one.next("chat.stream.end"), two.next("chat.stream.end")]);
  expect(await readFile(join(made.test.workspace, "b.txt"), "utf8")).toBe("beta\n");
  expect(two.client.messages).toEqual(one.client.messages);
});

test("B13: with nobody connected a valid token is the approval, and a later client reads what was done", async () => {
  const made = await gateway(stagingModel());
  const sessionId = await made.newSession();
  const send = { type: "send", content: [{ type: "text", text: "Write b.txt." }] };
  expect((await made.ask("POST", `/sessions/${sessionId}/commands`, send)).status).toBe(200);
  await followUntil(made.test.host, sessionId, ({ type }) => type === "turn-end");
  expect(await readFile(join(made.test.workspace, "b.txt"), "utf8")).toBe("beta\n");
  const late = await connect(made, sessionId);
  expect((await late.next("chat.history")).messages).toEqual([
    { role: "user", text: "Write b.txt.", turn: 1 },
    { role: "assistant", text: "I write it.\n\nIt is written.", turn: 1 },
  ]);
});

test("E3: a gateway restarted during an open approval sends the history and asks again", async () => {
  const change = { call: "write_file", with: { path: "made.txt", content: "made\n" }, id: "c" };
  const first = await gateway(scriptedModel([[{ say: "I make it." }, change]]), { mode: "ask" });
  const one = await connect(first);
  one.send({ type: "chat.send", content: "Make it." });
  const { sessionId } = await one.next("session");
  await one.next("tool.approval.request");
  await first.stop();
  const { root } = first.test;
  const second = await gateway(scriptedModel([[{ say: "Then not." }]]), { mode: "ask", root });
  const two = await connect(second, sessionId);
  expect((await two.next("chat.history")).messages).toMatchObject([{ role: "user", text: "Make it." }]);
  const asked = await two.next("tool.approval.request");
  expect(asked).toMatchObject({ callId: "c", preview: expect.stringContaining("+made") });
  two.send({ type: "tool.approval.response", approvalId: "c", approved: false, note: "Not now." });
  expect(await two.next("tool.error")).toMatchObject({ outcome: "denied" });
  expect(await two.next("chat.stream.end")).toMatchObject({ text: "I make it.\n\nThen not." });
});

test("E5: clients that join and leave while an answer streams all end with the same conversation", async () => {
  const words = Array.from({ length: 400 }, (_, at) => `word${at} `).join("");
  const steps = [...words.matchAll(/.{1,40}/gsu)].map(([piece]) => piece);
  const gates = steps.map(() => Promise.withResolvers<void>());
  const answer: ScriptedAnswer = steps.flatMap((say, at) => [
    { say },
    { wait: gates[at]?.promise ?? Promise.resolve() },
  ]);
  const made = await gateway(scriptedModel([answer, [{ say: "And that was it." }]], { pieces: 7 }));
  const one = await connect(made);
  one.send({ type: "chat.send", content: "Tell me." });
  const { sessionId } = await one.next("session");
  const stay: Connected[] = [one];
  for (const [at, gate] of gates.entries()) {
    if (at % 9 === 4) stay.push(await connect(made, sessionId));
    if (at % 9 === 7) await stay.splice(1, 1)[0]?.leave();
    gate.resolve();
    if (at % 5 === 0) await one.next("chat.stream.delta");
  }
  stay.push(await connect(made, sessionId));
  one.send({ type: "chat.send", content: "Anything else?", when: "next" });
  const told = (connected: Connected): Promise<unknown> =>
    connected.client.messages.length === 4
      ? Promise.resolve()
      : connected.next("chat.stream.end").then(() => told(connected));
  await Promise.all(stay.map(told));
  for (const { client } of stay) expect(client.messages).toEqual(one.client.messages);
  expect(one.client.messages).toMatchObject([
    { role: "user", text: "Tell me." },
    { role: "assistant", text: words },
    { role: "user", text: "Anything else?" },
    { role: "assistant", text: "And that was it." },
  ]);
});

test("a frame over a megabyte closes its connection, smaller garbage does not, and other connections go on", async () => {
  const made = await gateway(scriptedModel([[{ say: "Here." }]]));
  const [one, two] = [await connect(made), await connect(made)];
  one.send("x".repeat(900_000));
  expect(await one.next("error")).toMatchObject({ code: "not-json" });
  one.send({ type: "chat.send", content: [{ type: "text", text: { __proto__: 1 } }] });
  expect(await one.next("error")).toMatchObject({ code: "invalid" });
  one.send("x".repeat(1_100_000));
  expect(await one.closed).toBe(1009);
  two.send({ type: "chat.send", content: "Are you there?" });
  expect(await two.next("chat.stream.end")).toMatchObject({ text: "Here." });
});

const answers: readonly ScriptedAnswer[] = [
  [{ think: "Hm, let me see." }, { say: "I look at it." }, { call: "read_file", with: { path: "a.txt" } }],
  [
    { call: "write_file", with: { path: "b.txt", content: "beta\n" } },
    { call: "read_file", with: { path: "none" } },
  ],
  [{ say: "That is all of it." }],
];

/** More facts than a turn has. */
const mostFacts = 30;

test("E3, E5: a turn cancelled at any fact ends with text, clears the streaming flag, and the next turn alternates", async () => {
  const made = await testHost(
    scriptedModel((_, round) => answers[(round - 1) % answers.length] ?? [], { pieces: 3 }),
    { files: { "a.txt": "alpha\n" }, mode: "ask" },
  );
  ends.push(made.remove, made.close);
  const context = chatContext(made.host);
  for (let at = 1; at <= mostFacts; at += 1) {
    let isCancelled = false;
    const chat: TestSocket = testSocket((frame) => {
      if (frame.type === "tool.approval.request")
        chat.send({ type: "tool.approval.response", callId: frame.callId, approved: at % 2 === 0 });
      if (isCancelled || chat.client.frames.length < at) return;
      isCancelled = true;
      chat.send({ type: "chat.cancel" });
    });
    openChat(chat.socket, context);
    chat.send({ type: "chat.send", content: "Go." });
    await chat.next("chat.stream.end");
    expect(chat.client.streaming).toBe(false);
    isCancelled = true;
    chat.send({ type: "chat.send", content: "And again." });
    await chat.next("chat.stream.end");
    expect(chat.client.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
    chat.leave();
  }
});

const piece = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
const step: fc.Arbitrary<ScriptedStep> = fc.oneof(
  piece.map((say) => ({ say })),
  piece.map((think) => ({ think })),
  fc.constantFrom<ScriptedStep>(
    { call: "read_file", with: { path: "a.txt" } },
    { call: "write_file", with: { path: "b.txt", content: "b" } },
    { call: "run_command", with: { command: "touch x" } },
    { call: "ask_user", with: { question: "Which?" } },
  ),
);

test("E4, E5: whatever the model says and the user answers, every connection ends with the stored conversation", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { maxLength: 5 }), { minLength: 1, maxLength: 4 }),
      fc.infiniteStream(fc.boolean()),
      async (script, yes) => {
        const made = await testHost(
          scriptedModel((_, round) => script[round - 1] ?? [{ say: "That is all." }], { pieces: 4 }),
          {
            files: { "a.txt": "alpha\n" },
            mode: "ask",
          },
        );
        const context = chatContext(made.host);
        const chat: TestSocket = testSocket((frame) => {
          if (frame.type === "tool.approval.request")
            chat.send({ type: "tool.approval.response", callId: frame.callId, approved: yes.next().value });
          if (frame.type === "question.request")
            chat.send({
              type: "question.response",
              callId: frame.callId,
              text: "This one.",
              declined: !yes.next().value,
            });
        });
        try {
          openChat(chat.socket, context);
          chat.send({ type: "chat.send", content: "Go." });
          const { sessionId } = await chat.next("session");
          await chat.next("chat.stream.end");
          const late = testSocket();
          openChat(late.socket, context, sessionId);
          expect((await late.next("chat.history")).messages).toEqual(chat.client.messages);
          late.leave();
        } finally {
          chat.leave();
          await made.close();
          await made.remove();
        }
      },
    ),
    { numRuns: runs },
  );
});
