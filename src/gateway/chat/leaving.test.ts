/** A connection that closes while its requests are still in progress. */

import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { SessionHost } from "../../hosting/session-host.ts";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { testHost } from "../../testing/host.ts";
import { chatContext, openChat } from "./chat.ts";
import { testSocket } from "./testing/socket.ts";

async function opened() {
  const made = await testHost(scriptedModel([]));
  onTestFinished(async () => {
    await made.close();
    await made.remove();
  });
  const session = await made.host.create({});
  if (!session.ok) throw new Error(session.problem);
  const gate = Promise.withResolvers<void>();
  const [reached, given] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const late = async <T>(work: () => Promise<T>): Promise<T> => {
    reached.resolve();
    await gate.promise;
    const found = await work();
    given.resolve();
    return found;
  };
  const followed: string[] = [];
  const follow: SessionHost["follow"] = (id, after, how) => {
    followed.push(id);
    return made.host.follow(id, after, how);
  };
  const host: SessionHost = {
    ...made.host,
    follow,
    row: (id) => late(() => made.host.row(id)),
    create: (which) => late(() => made.host.create(which)),
  };
  return { host, id: session.value.id, gate, reached, given, followed };
}

test.each(["chat.open", "chat.send"] as const)(
  "no follower is left behind when the client leaves during a %s",
  async (type) => {
    const { host, id, gate, reached, given, followed } = await opened();
    const chat = testSocket();
    openChat(chat.socket, chatContext(host));
    chat.send(type === "chat.open" ? { type, sessionId: id } : { type, content: "hello" });
    await reached.promise;
    chat.leave();
    gate.resolve();
    await given.promise;
    await setImmediate();
    expect(followed).toEqual([]);
    expect(host.figures().followers).toBe(0);
  },
);
