/** Limits on responses over HTTP. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { boundedFetch } from "./bounded-fetch.ts";
import { toolServerBounds } from "./bounds.ts";

const server = new URL("http://127.0.0.1/");
const piece = new Uint8Array(2 ** 20).fill(120);
const pieces = Math.ceil(toolServerBounds.message.most / piece.length) + 2;

/** `between`: the separator after each piece. */
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
  return boundedFetch(server, { fetchIt })("http://127.0.0.1/");
}

test("a response that exceeds the size limit fails with an error", async () => {
  const response = await served("application/json", "\n");
  await expect(response.text()).rejects.toThrow("the answer is larger than 10 MiB");
});

test("in an event stream, the size limit applies to each event", async () => {
  const response = await served("text/event-stream", "\n\n");
  expect((await response.text()).length).toBe(pieces * (piece.length + 2));
  const endless = await served("text/event-stream; charset=utf-8", "\ndata: ");
  await expect(endless.text()).rejects.toThrow("the answer is larger than 10 MiB");
});

test("a bounded response keeps its url and redirected flag", async () => {
  const answer = new Response("x");
  Object.defineProperties(answer, { url: { value: "http://other.example/" }, redirected: { value: true } });
  const { url, redirected } = await boundedFetch(server, { fetchIt: async () => answer })(
    "http://127.0.0.1/",
  );
  expect({ url, redirected }).toEqual({ url: "http://other.example/", redirected: true });
});

const event = (message: object): string => `event: message\r\ndata: ${JSON.stringify(message)}\r\n\n`;

test("in a flooding stream, however chunked, responses pass, excess notifications are dropped, and it is reported", async () => {
  const notice = event({ jsonrpc: "2.0", method: "notifications/message", params: { data: "x" } });
  const answer = event({ jsonrpc: "2.0", id: 7, result: {} });
  const text = notice.repeat(toolServerBounds.messages.most + 500) + answer + notice.repeat(500);
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
        const bounded = boundedFetch(server, { fetchIt: async () => served, floods: () => (told += 1) });
        const heard = await (await bounded("http://127.0.0.1/")).text();
        expect(heard).toBe(notice.repeat(toolServerBounds.messages.most) + answer);
        expect(told).toBeGreaterThan(0);
      },
    ),
    { numRuns: 20 },
  );
});

const nested = (levels: number): string =>
  `{"jsonrpc":"2.0","id":7,"result":${"[".repeat(levels)}${"]".repeat(levels)}}`;

const answered = async (type: string, text: string, sent?: object): Promise<string> => {
  const fetchIt = async () => new Response(text, { headers: { "content-type": type } });
  const init = sent ? { method: "POST", body: JSON.stringify(sent) } : {};
  return (await boundedFetch(server, { fetchIt })("http://127.0.0.1/", init)).text();
};

test("a response nested more than 200 deep is rejected before parsing", async () => {
  await expect(answered("application/json", nested(100_000))).rejects.toThrow("nested more than 200 deep");
  expect(await answered("application/json", nested(150))).toBe(nested(150));
});

test.each([
  ["\n", ""],
  ["\r\n", ""],
  ["\r", ""],
  ["\n", 'id: "\n'],
  ["\n", 'data: "\r\r'],
])(
  "a deeply nested event becomes an error response, whatever its line ends and prefix: %j %j",
  async (end, before) => {
    const half = nested(100_000);
    const lines = [half.slice(0, 60_000), half.slice(60_000)].map((text) => `data: ${text}${end}`);
    const next = event({ jsonrpc: "2.0", method: "next" });
    const heard = await answered("text/event-stream", `${before}${lines.join("")}${end}\n\n${next}`);
    expect(heard).toMatch(/^data: \{"jsonrpc":"2.0","id":7,"error":\{.*200 deep/u);
    expect(heard.endsWith(next)).toBe(true);
    expect(heard.length).toBeLessThan(500);
  },
);

const asked = { jsonrpc: "2.0", id: 7, method: "tools/call" };
const progress = event({ jsonrpc: "2.0", method: "notifications/progress", params: {} });

test("a stream that ends before its response yields an error response, unless it can be resumed", async () => {
  const heard = await answered("text/event-stream", `${progress}data: {"jsonrpc":"2.0","id":7,"resu`, asked);
  expect(heard.startsWith(progress)).toBe(true);
  expect(heard).toMatch(/"id":7,"error":.*broke off/u);
  const whole = progress + event({ jsonrpc: "2.0", id: 7, result: {} });
  expect(await answered("text/event-stream", whole, asked)).toBe(whole);
  const resumable = `id: 1\n${progress}`;
  expect(await answered("text/event-stream", resumable, asked)).toBe(resumable);
  expect(await answered("text/event-stream", progress)).toBe(progress);
});

test("an endless event yields an error response, and reading stops", async () => {
  const fetchIt = async () => {
    const body = new ReadableStream({ pull: (controller) => controller.enqueue(piece) });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  const init = { method: "POST", body: JSON.stringify(asked) };
  const response = await boundedFetch(server, { fetchIt })("http://127.0.0.1/", init);
  expect(await response.text()).toMatch(/"id":7,"error":.*larger than 10 MiB/u);
});

test("an internet server cannot have internal addresses fetched", async () => {
  const fetchIt = async () => Promise.reject(new Error("it was fetched"));
  const resolve = async () => [{ address: "93.184.216.34", family: 4 }];
  const bounded = boundedFetch(new URL("https://mcp.example.com/mcp"), { fetchIt, resolve });
  await expect(bounded("http://169.254.169.254/as")).rejects.toThrow("the metadata service of a cloud");
  await expect(bounded("https://mcp.example.com/token")).rejects.toThrow("it was fetched");
});

test("headers from the settings are not sent to the other hosts of a login", async () => {
  const headers = { Authorization: "Bearer mine", "X-Key": "mine " };
  const seen: string[] = [];
  const fetchIt = async (_url: string | URL, init?: RequestInit) => {
    const sent = new Headers(init?.headers);
    seen.push(["authorization", "x-key", "accept"].map((name) => sent.get(name) ?? "-").join(" "));
    return new Response("{}");
  };
  const bounded = boundedFetch(new URL("http://mcp.localhost/mcp"), { fetchIt, headers });
  const ask = (url: string, more: object = {}) =>
    bounded(url, { headers: { accept: "all", ...headers, ...more } });
  await ask("http://mcp.localhost/.well-known/x");
  await ask("https://mcp.localhost/mcp");
  await ask("http://login.localhost/.well-known/x");
  await ask("http://login.localhost/token", { Authorization: "Basic client" });
  expect(seen).toEqual(["Bearer mine mine all", "Bearer mine mine all", "- - all", "Basic client - all"]);
});
