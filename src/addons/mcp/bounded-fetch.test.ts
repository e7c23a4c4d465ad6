/** Answers over HTTP within bounds. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { bounds } from "../../base/bounds.ts";
import { boundedFetch } from "./bounded-fetch.ts";

const piece = new Uint8Array(2 ** 20).fill(120);
const pieces = Math.ceil(bounds.servers.message.most / piece.length) + 2;

/** `between`: what stands behind each piece. */
function served(type: string, between: string) {
  const fetchIt = async () => {
    let left = pieces;
    const body = new ReadableStream({
      pull(controller) {
        left -= 1;
        if (left < 0) return controller.close();
        controller.enqueue(piece);
        return controller.enqueue(new TextEncoder().encode(between));
      },
    });
    return new Response(body, { headers: { "content-type": type } });
  };
  return boundedFetch({ fetchIt })("http://127.0.0.1/");
}

test("an answer that is too large ends with an error", async () => {
  const response = await served("application/json", "\n");
  await expect(response.text()).rejects.toThrow("it sent more than 10 MiB at once");
});

test("of a stream each event counts by itself", async () => {
  const response = await served("text/event-stream", "\n\n");
  expect((await response.text()).length).toBe(pieces * (piece.length + 2));
  const endless = await served("text/event-stream; charset=utf-8", "\ndata: ");
  await expect(endless.text()).rejects.toThrow("it sent more than 10 MiB at once");
});

test("where an answer came from is still known: redirects are judged by it", async () => {
  const answer = new Response("x");
  Object.defineProperties(answer, { url: { value: "http://other.example/" }, redirected: { value: true } });
  const { url, redirected } = await boundedFetch({ fetchIt: async () => answer })("http://127.0.0.1/");
  expect({ url, redirected }).toEqual({ url: "http://other.example/", redirected: true });
});

const event = (message: object): string => `event: message\r\ndata: ${JSON.stringify(message)}\r\n\n`;

test("of a stream that floods, however it is cut, the answers come through and the rest is passed over, which is told", async () => {
  const notice = event({ jsonrpc: "2.0", method: "notifications/message", params: { data: "x" } });
  const answer = event({ jsonrpc: "2.0", id: 7, result: {} });
  const text = notice.repeat(bounds.servers.messages.most + 500) + answer + notice.repeat(500);
  const bytes = new TextEncoder().encode(text);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: bytes.length }), { maxLength: 5 }),
      async (places) => {
        const ends = [...places, bytes.length].toSorted((one, other) => one - other);
        const body = new ReadableStream({
          start(controller) {
            for (const [at, end] of ends.entries()) controller.enqueue(bytes.slice(ends[at - 1] ?? 0, end));
            controller.close();
          },
        });
        let told = 0;
        const served = new Response(body, { headers: { "content-type": "text/event-stream" } });
        const bounded = boundedFetch({ fetchIt: async () => served, floods: () => (told += 1) });
        const heard = await (await bounded("http://127.0.0.1/")).text();
        expect(heard).toBe(notice.repeat(bounds.servers.messages.most) + answer);
        expect(told).toBeGreaterThan(0);
      },
    ),
    { numRuns: 20 },
  );
});
