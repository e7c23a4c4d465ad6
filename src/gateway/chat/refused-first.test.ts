/** A refused first message leaves nothing behind: no session, no follower, and no announcement of one. */

import { expect, onTestFinished, test } from "vitest";
import type { SessionHost } from "../../hosting/session-host.ts";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { StoreError } from "../../session/store.ts";
import { testHost } from "../../testing/host.ts";
import { chatContext, openChat } from "./chat.ts";
import { testSocket } from "./testing/socket.ts";

async function opened({
  files = {},
  host: changed,
}: {
  files?: Record<string, string>;
  host?: (host: SessionHost) => SessionHost;
} = {}) {
  const made = await testHost(
    scriptedModel(() => [{ say: "Fine." }]),
    { files },
  );
  onTestFinished(async () => {
    await made.close();
    await made.remove();
  });
  const host = changed ? changed(made.host) : made.host;
  const chat = testSocket();
  onTestFinished(() => chat.leave());
  openChat(chat.socket, chatContext(host));
  const sessions = async () => (await made.host.rows({ limit: 9 })).sessions;
  return { chat, host: made.host, sessions };
}

test.each([
  ["nothing", ""],
  ["no parts", []],
  ["only white space", [{ type: "text", text: " \n" }]],
  ["an unknown command", "/nosuch"],
  ["an invalid image", [{ type: "image", mediaType: "image/png", data: "AAAA" }]],
])("a first message that is refused leaves nothing behind: %s", async (_, content) => {
  const { chat, host, sessions } = await opened();
  chat.send({ type: "chat.send", content, requestId: "1" });
  const refused = await chat.next("error");
  expect(refused).toMatchObject({ code: "refused", requestId: "1" });
  expect(refused).not.toHaveProperty("sessionId");
  expect(chat.client.frames).toHaveLength(1);
  expect(await sessions()).toEqual([]);
  expect(host.figures()).toMatchObject({ open: 0, followers: 0 });
});

test("the message after a refused one opens a session, which a later refusal leaves untouched", async () => {
  const { chat, sessions } = await opened();
  chat.send({ type: "chat.send", content: "/nosuch", requestId: "1" });
  chat.send({ type: "chat.send", content: "Hello", requestId: "2" });
  const { sessionId } = await chat.next("session");
  expect(await chat.next("chat.message")).toMatchObject({ sessionId, text: "Hello", requestId: "2" });
  expect(await chat.next("chat.stream.end")).toMatchObject({ text: "Fine." });
  chat.send({ type: "chat.send", content: "/nosuch" });
  expect(await chat.next("error")).toMatchObject({ code: "refused", sessionId });
  expect(await sessions()).toMatchObject([{ id: sessionId, turns: 1 }]);
});

test("a connection without a session still has none after a refused message", async () => {
  const { chat, sessions } = await opened();
  chat.send({ type: "chat.cancel" });
  expect(await chat.next("error")).toMatchObject({ code: "no-session" });
  chat.send({ type: "chat.send", content: "" });
  expect(await chat.next("error")).toMatchObject({ code: "refused" });
  chat.send({ type: "chat.cancel" });
  expect(await chat.next("error")).toMatchObject({ code: "no-session" });
  expect(await sessions()).toEqual([]);
});

test("a first message that fails in the store leaves no session behind", async () => {
  const failing = (host: SessionHost): SessionHost => ({
    ...host,
    command: () => Promise.reject(new StoreError("The disk is full.")),
  });
  const { chat, sessions } = await opened({ host: failing });
  chat.send({ type: "chat.send", content: "Hello" });
  expect(await chat.next("error")).toMatchObject({
    code: "failed",
    message: expect.stringContaining("full"),
  });
  expect(chat.client.frames).toHaveLength(1);
  expect(await sessions()).toEqual([]);
});
