import { expect, test } from "vitest";
import type { Fetch } from "./bounded-fetch.ts";
import { endingCancelled } from "./cancelled-requests.ts";

const url = "http://127.0.0.1/mcp";
const post = (message: object, headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  headers,
  body: JSON.stringify({ jsonrpc: "2.0", ...message }),
});
const call = (id: number): object => ({ id, method: "tools/call", params: {} });
const cancel = (requestId: number): object => ({ method: "notifications/cancelled", params: { requestId } });

/** A server whose calls answer when told to. */
function stage() {
  const ended: string[] = [];
  const streams = new Map<string, ReadableStreamDefaultController<Uint8Array>>();
  const fetchIt: Fetch = async (_, { body, signal } = {}) => {
    const sent = JSON.stringify(body);
    if (sent.includes("notifications")) return new Response(undefined, { status: 202 });
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        streams.set(sent, controller);
        signal?.addEventListener("abort", () => {
          ended.push(sent);
          controller.error(signal.reason);
        });
      },
    });
    return new Response(stream);
  };
  const answer = (id: number, words: string): void => {
    const stream = streams.get(JSON.stringify(post(call(id)).body));
    stream?.enqueue(new TextEncoder().encode(words));
    stream?.close();
  };
  return { ended, answer, send: endingCancelled(fetchIt) };
}

test("a cancelled call ends its own request, and no other", async () => {
  const { ended, answer, send } = stage();
  const [first, second] = [await send(url, post(call(1))), await send(url, post(call(2)))];
  expect((await send(url, post(cancel(1)))).status).toBe(202);
  await expect(first.text()).rejects.toThrow("aborted");
  answer(2, "two");
  expect(await second.text()).toBe("two");
  expect(ended).toEqual([JSON.stringify(post(call(1)).body)]);
});

test("a server with a session is only notified, and what is over is not ended", async () => {
  const { ended, answer, send } = stage();
  const kept = await send(url, post(call(1), { "Mcp-Session-Id": "s" }));
  await send(url, post(cancel(1), { "Mcp-Session-Id": "s" }));
  answer(1, "one");
  expect(await kept.text()).toBe("one");
  const done = await send(url, post(call(2)));
  answer(2, "two");
  await done.text();
  await new Promise(setImmediate); // the end is heard of
  await send(url, post(cancel(2)));
  expect(ended).toEqual([]);
});

test("a notification that names nothing, and a body that is no message, pass", async () => {
  const { send } = stage();
  for (const init of [
    post({ method: "notifications/cancelled" }),
    post(cancel(9)),
    { body: "notifications" },
  ])
    expect((await send(url, init)).status).toBe(202);
});
