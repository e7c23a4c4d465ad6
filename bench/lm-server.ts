/**
 * The latency that the language-model server adds to a stream: the built `toolwright lm-server` before a provider that
 * sends a word every few milliseconds, against the same provider directly. `node bench/lm-server.ts [folder of the
 * build]`.
 */

import { spawn, type ChildProcess } from "node:child_process";
import { createServer, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { median, printTable, quantile, shown } from "./figures.ts";
import { makePlace, removePlace, type Place } from "./measure.ts";

const command = join(resolve(process.argv[2] ?? join(import.meta.dirname, "..", "dist")), "bin.cjs");
const token = "a-token-for-the-bench";
const words = 200;
const pace = 5;
const runs = 6;

/** When each word left the provider, for the one request in progress. */
let left: number[] = [];

const provider = createServer((asked, reply) => {
  asked.resume();
  asked.on("end", () => void speak(reply));
});

async function speak(reply: ServerResponse): Promise<void> {
  reply.writeHead(200, { "content-type": "text/event-stream" });
  left = [];
  for (let at = 0; at < words; at += 1) {
    await new Promise((resolve) => setTimeout(resolve, pace));
    left.push(performance.now());
    reply.write(chunk({ content: `w${at}. ` }));
  }
  reply.end(`${chunk({}, "stop")}data: [DONE]\n\n`);
}

function chunk(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices })}\n\n`;
}

type Route = { what: string; path: string; body: object };

const user = [{ role: "user", content: "Go." }];
const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const functions = [
  { type: "function", function: { name: "read_file", description: "", parameters: schema } },
];
const chat = { model: "m", messages: user, stream: true };
const routes: readonly Route[] = [
  { what: "chat completions", path: "/v1/chat/completions", body: chat },
  { what: "chat completions, with tools", path: "/v1/chat/completions", body: { ...chat, tools: functions } },
  { what: "Anthropic's messages", path: "/v1/messages", body: { ...chat, max_tokens: 999 } },
  { what: "responses", path: "/v1/responses", body: { model: "m", input: "Go.", stream: true } },
  { what: "Ollama's chat", path: "/api/chat", body: chat },
  {
    what: "Gemini's stream",
    path: "/v1beta/models/m:streamGenerateContent?alt=sse",
    body: { contents: [{ role: "user", parts: [{ text: "Go." }] }] },
  },
];

/** The latency of each word in milliseconds. */
function delays(url: string, { path, body }: Pick<Route, "path" | "body">): Promise<number[]> {
  const { promise, resolve, reject } = Promise.withResolvers<number[]>();
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const asked = request(url + path, { method: "POST", headers }, (reply) => {
    const came: number[] = [];
    let text = "";
    reply.on("data", (piece: Buffer) => {
      const now = performance.now();
      text += piece.toString();
      while (text.includes(`w${came.length}.`)) came.push(now);
    });
    reply.on("end", () => {
      if (came.length !== words)
        reject(new Error(`${path}: ${came.length} words came. ${text.slice(0, 300)}`));
      resolve(came.map((at, word) => at - (left[word] ?? Number.NaN)));
    });
  });
  asked.on("error", reject);
  asked.end(JSON.stringify(body));
  return promise;
}

type Serving = { url: string; child: ChildProcess };

async function startServer(
  { workspace, env }: Place,
  baseUrl: string,
  flags: readonly string[],
): Promise<Serving> {
  const argv = [command, "lm-server", "--model", `${baseUrl}#m`, "--port", "0", ...flags];
  const child = spawn(process.execPath, argv, {
    cwd: workspace,
    env: { ...env, TOOLWRIGHT_LM_TOKEN: token },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let said = "";
  for await (const piece of child.stdout) {
    said += String(piece);
    const url = /http:\/\/127\.0\.0\.1:\d+/u.exec(said)?.[0];
    if (url !== undefined && said.includes("Ctrl-C")) return { url, child };
  }
  throw new Error(`The server ended: ${said}`);
}

async function measure(what: string, url: string, route: Route): Promise<string[]> {
  await delays(url, route);
  const [bare, ours]: [number[][], number[][]] = [[], []];
  for (let run = 0; run < runs; run += 1) {
    bare.push(await delays(direct, { path: "/v1/chat/completions", body: chat }));
    ours.push(await delays(url, route));
  }
  const all = { bare: bare.flat(), ours: ours.flat() };
  const first = { bare: bare.map(([one = Number.NaN]) => one), ours: ours.map(([one = Number.NaN]) => one) };
  const added = (one: readonly number[], other: readonly number[], part: number): string =>
    shown(quantile(other, part) - quantile(one, part));
  return [
    what,
    shown(median(all.bare)),
    shown(median(all.ours)),
    added(all.bare, all.ours, 0.5),
    added(all.bare, all.ours, 0.95),
    added(first.bare, first.ours, 0.5),
    shown(Math.max(...first.ours) - median(first.bare)),
  ];
}

const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const direct = await listening(provider);
const place = makePlace();
const children: ChildProcess[] = [];
try {
  const rows: string[][] = [];
  const native = await startServer(place, `${direct}/v1`, ["--dialect", "native"]);
  children.push(native.child);
  for (const route of routes) rows.push(await measure(route.what, native.url, route));
  const taught = await startServer(place, `${direct}/v1`, ["--dialect", "hermes"]);
  children.push(taught.child);
  const withTools = {
    ...routes[1],
    what: "",
    path: "/v1/chat/completions",
    body: { ...chat, tools: functions },
  };
  rows.push(await measure("chat completions, tools taught as text", taught.url, withTools));
  console.log(
    `${runs} streams of ${words} words, one every ${pace} ms; milliseconds; load ${loadavg()[0]?.toFixed(1)}`,
  );
  printTable([["route", "bare", "through", "added", "added p95", "added to the first", "at most"], ...rows]);
} finally {
  for (const child of children) child.kill("SIGTERM");
  provider.close();
  provider.closeAllConnections();
  removePlace(place);
}
