/** Chat-protocol connections to a whole host, without a network, on a clock that the test advances. */

import { setImmediate } from "node:timers/promises";
import { afterEach } from "vitest";
import { type ChatContext, chatContext, openChat } from "../../src/gateway/chat/chat.ts";
import { testSocket, type TestSocket } from "../../src/gateway/chat/testing/socket.ts";
import type { TimerClock } from "../../src/gateway/chat/waits.ts";
import type { Model } from "../../src/providers/provider.ts";
import { testHost, type TestHost, type TestHostOptions } from "../../src/testing/host.ts";

/** A clock that the test advances. */
function handClock(): TimerClock & { pass(ms: number): void } {
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
  context: ChatContext;
  clock: ReturnType<typeof handClock>;
  connect: (session?: string) => TestSocket;
};

const open: { close: () => Promise<void>; remove: () => Promise<void>; sockets: TestSocket[] }[] = [];
afterEach(async () => {
  for (const { close, remove, sockets } of open.splice(0)) {
    for (const socket of sockets) socket.leave();
    await close();
    await remove();
  }
});

/** A host and connections to it, closed after the test. */
export async function chatting(model: Model, options: TestHostOptions = {}): Promise<Chatting> {
  const made = await testHost(model, { files: { "a.txt": "alpha\n" }, ...options });
  const clock = handClock();
  const context = chatContext(made.host, { clock });
  const sockets: TestSocket[] = [];
  open.push({ ...made, sockets });
  return {
    ...made,
    context,
    clock,
    connect(session) {
      const socket = testSocket();
      sockets.push(socket);
      openChat(socket.socket, context, session);
      return socket;
    },
  };
}

/** Gives file operations already started time to finish. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await setImmediate();
}
