/** A model server for benchmarks: whole replies prepared beforehand, sent as they are, in OpenAI's chat format. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isObject } from "../src/base/json.ts";

export type BenchServer = {
  url: string;
  /** When each request had arrived, and when its reply was done, in milliseconds since the start of this process. */
  requests: { arrived: number; replied: number; bytes: number }[];
  close(): void;
};

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "bench", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const over = "data: [DONE]\n\n";

const toolCall = (id: string, name: string, json: string): string =>
  chunk({ role: "assistant", tool_calls: [{ index: 0, id, type: "function", function: { name, arguments: "" } }] }) +
  chunk({ tool_calls: [{ index: 0, function: { arguments: json } }] });

const oneShot = chunk({ role: "assistant", content: "" }) + chunk({ content: "Hello there, all is well." }) + chunk({}, "stop") + over;

const deltas = [...Array.from({ length: 20_000 }, (_, at) => chunk({ content: `word${at} ` })), chunk({}, "stop"), over].join("");

function bigArgument(): string {
  const json = JSON.stringify({ path: "big.txt", content: "0123456789abcdef".repeat(65_536) });
  const size = Math.ceil(json.length / 20_000);
  const pieces: string[] = [chunk({ tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "write_file", arguments: "" } }] })];
  for (let at = 0; at < json.length; at += size) pieces.push(chunk({ tool_calls: [{ index: 0, function: { arguments: json.slice(at, at + size) } }] }));
  return [...pieces, chunk({}, "tool_calls"), over].join("");
}

/** What a reply is, by the model's name and how many results the conversation holds. */
function replyFor(model: string, results: number): string {
  const rounds = /^rounds-(\d+)$/u.exec(model)?.[1];
  if (rounds !== undefined && results < Number(rounds))
    return toolCall(`call_${results}`, "read_file", JSON.stringify({ path: `src/file-${results % 100}.ts` })) + chunk({}, "tool_calls") + over;
  if (model === "deltas") return deltas;
  if (model === "argument" && results === 0) return bigArgument();
  return oneShot;
}

export async function startBenchServer(): Promise<BenchServer> {
  const requests: BenchServer["requests"] = [];
  const server = createServer((request, reply) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const arrived = performance.now();
      const body = Buffer.concat(pieces);
      answer(body, reply, () => requests.push({ arrived, replied: performance.now(), bytes: body.length }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, requests, close: () => server.close() };
}

function answer(body: Buffer, reply: ServerResponse, done: () => void): void {
  const ask: unknown = body.length === 0 ? {} : JSON.parse(body.toString());
  const messages = isObject(ask) && Array.isArray(ask["messages"]) ? ask["messages"] : [];
  const results = messages.filter((message) => isObject(message) && message["role"] === "tool").length;
  const model = isObject(ask) ? String(ask["model"]) : "";
  reply.writeHead(200, { "content-type": "text/event-stream" });
  reply.end(replyFor(model, results), done);
}
