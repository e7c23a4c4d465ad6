/**
 * A model server in a separate process: `node bench/gateway-model.ts`. Every answer is as many seconds long as
 * the first argument says, with as many words a second as the second one says.
 */

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { stamped } from "./gateway-clock.ts";

const seconds = Number(process.argv[2] ?? 10);
const everyMs = 1000 / Number(process.argv[3] ?? 50);

const server = createServer((request, reply) => {
  request.resume();
  request.on("end", () => {
    reply.writeHead(200, { "content-type": "text/event-stream" });
    reply.write(chunk({ role: "assistant", content: "" }));
    speak(reply);
  });
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}/v1\n`);
});

/** Schedules by the clock, so that one late word does not delay the next. */
function speak(reply: ServerResponse): void {
  const started = performance.now();
  const words = (seconds * 1000) / everyMs;
  let said = 0;
  const timer = setInterval(() => {
    for (; said < words && (performance.now() - started) / everyMs > said; said += 1)
      reply.write(chunk({ content: stamped() }));
    if (said < words) return;
    clearInterval(timer);
    reply.end(`${chunk({}, "stop")}data: [DONE]\n\n`);
  }, everyMs);
  reply.once("close", () => clearInterval(timer));
}

function chunk(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "bench", choices })}\n\n`;
}
