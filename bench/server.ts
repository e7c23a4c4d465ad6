/** A model server for benchmarks: sends prepared replies in OpenAI's chat format. */

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isObject } from "../src/base/json.ts";

/** Times are in milliseconds, from this process's `performance.now()`. */
type BenchRequest = {
  /** The whole request had arrived. */
  arrived: number;
  bytes: number;
  /** The end of the reply had been sent. */
  replied: number;
  /** For "dated": when the command of the call before this request had begun, in milliseconds since 1970. */
  begun?: number;
  /** The complete call had been sent: for "early" with the rest of the stream still to come, for "dated" by that clock. */
  called?: number;
};

export type BenchServer = { url: string; requests: BenchRequest[]; close(): void };

/** The model's name selects the reply: see `replyFor`. */
export async function startBenchServer(): Promise<BenchServer> {
  const requests: BenchRequest[] = [];
  const server = createServer((request, reply) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const arrived = performance.now();
      const body = Buffer.concat(pieces);
      const asked: BenchRequest = { arrived, bytes: body.length, replied: Number.NaN };
      requests.push(asked);
      void answer(body, reply, asked);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, requests, close: () => server.close() };
}

async function answer(body: Buffer, reply: ServerResponse, asked: BenchRequest): Promise<void> {
  const ask: unknown = body.length === 0 ? {} : JSON.parse(body.toString());
  const messages = isObject(ask) && Array.isArray(ask["messages"]) ? ask["messages"] : [];
  const results = messages.filter((message) => isObject(message) && message["role"] === "tool").length;
  const model = isObject(ask) ? String(ask["model"]) : "";
  reply.writeHead(200, { "content-type": "text/event-stream" });
  if (model === "early" && results === 0) await sendEarly(reply, asked);
  const dated = /^dated-(\w+)$/u.exec(model)?.[1];
  if (dated !== undefined) return sendDated(reply, asked, { writes: dated === "writing", results, messages });
  reply.end(replyFor(model, results), () => (asked.replied = performance.now()));
}

/** "rounds-N": N file reads, then words; "deltas": 20,000 words; "argument": a file of 1 MiB; else a short answer. */
function replyFor(model: string, results: number): string {
  const rounds = /^rounds-(\d+)$/u.exec(model)?.[1];
  if (rounds !== undefined && results < Number(rounds)) {
    const input = JSON.stringify({ path: `src/file-${results % 100}.ts` });
    return toolCall(`call_${results}`, "read_file", input) + chunk({}, "tool_calls") + over;
  }
  if (model === "deltas") return deltas;
  if (model === "argument" && results === 0) return bigArgument;
  return oneShot;
}

/** A complete call, then 3 s of words. */
async function sendEarly(reply: ServerResponse, asked: BenchRequest): Promise<void> {
  const call = toolCall("call_0", "read_file", JSON.stringify({ path: "src/file-0.ts" }));
  reply.write(call + chunk({ content: "Meanwhile " }));
  asked.called = performance.now();
  for (let at = 0; at < 30; at += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    reply.write(chunk({ content: `word${at} ` }));
  }
}

/** Two commands that print when they begin, each after a pause like that of a model that thinks. */
async function sendDated(
  reply: ServerResponse,
  asked: BenchRequest,
  { writes, results, messages }: { writes: boolean; results: number; messages: readonly unknown[] },
): Promise<void> {
  asked.begun = Number(/\d{16,}/u.exec(results === 0 ? "" : JSON.stringify(messages.at(-1)))?.[0]) / 1e6;
  await new Promise((resolve) => setTimeout(resolve, 500));
  if (results >= 2) return void reply.end(oneShot);
  const command = writes ? `date +%s%N; echo ${results} >written` : "date +%s%N";
  asked.called = performance.timeOrigin + performance.now();
  reply.end(
    toolCall(`call_${results}`, "run_command", JSON.stringify({ command })) + chunk({}, "tool_calls") + over,
  );
}

function chunk(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "bench", choices })}\n\n`;
}

function toolCall(id: string, name: string, json: string): string {
  const opening = { index: 0, id, type: "function", function: { name, arguments: "" } };
  return (
    chunk({ role: "assistant", tool_calls: [opening] }) +
    chunk({ tool_calls: [{ index: 0, function: { arguments: json } }] })
  );
}

const over = "data: [DONE]\n\n";

const oneShot =
  chunk({ role: "assistant", content: "" }) +
  chunk({ content: "Hello there, all is well." }) +
  chunk({}, "stop") +
  over;

const words = Array.from({ length: 20_000 }, (_, at) => chunk({ content: `word${at} ` }));
const deltas = [...words, chunk({}, "stop"), over].join("");

const bigArgument = makeBigArgument();

function makeBigArgument(): string {
  const json = JSON.stringify({ path: "big.txt", content: "0123456789abcdef".repeat(65_536) });
  const size = Math.ceil(json.length / 20_000);
  const opening = {
    index: 0,
    id: "call_1",
    type: "function",
    function: { name: "write_file", arguments: "" },
  };
  const pieces: string[] = [];
  for (let at = 0; at < json.length; at += size)
    pieces.push(chunk({ tool_calls: [{ index: 0, function: { arguments: json.slice(at, at + size) } }] }));
  return [chunk({ tool_calls: [opening] }), ...pieces, chunk({}, "tool_calls"), over].join("");
}
