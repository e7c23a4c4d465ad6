/**
 * A gateway in a separate process with a very talkative model: `node gateway-attacked.ts ROOT TOKEN MEGABYTES`. Prints
 * its port.
 */

import { startGateway } from "../../src/gateway/gateway.ts";
import type { Model } from "../../src/providers/provider.ts";
import { testHost } from "../../src/testing/host.ts";

const [root = "", token = "", megabytes = "1"] = process.argv.slice(2);
/** Characters per text piece, and pieces per block before the model switches between text and reasoning. */
const pieceLength = 4_096;
const pieces = 25;

const model: Model = {
  name: "scripted/talkative",
  contextTokens: 100_000_000,
  notice: undefined,
  async *ask({ messages }, signal) {
    const text = JSON.stringify(messages.findLast(({ role }) => role === "user")?.content ?? "");
    const wanted = text.includes("much") ? Number(megabytes) * 1_000_000 : pieceLength;
    yield { type: "answer-start", model: "scripted/talkative" };
    for (let piece = 0; piece * pieceLength < wanted; piece += 1) {
      signal.throwIfAborted();
      await new Promise((resolve) => setImmediate(resolve));
      const type = Math.floor(piece / pieces) % 2 === 0 ? "text-delta" : "reasoning-delta";
      yield { type, text: `${"x".repeat(pieceLength - 1)}\n` };
    }
    yield { type: "answer-end", reason: "stop" };
  },
};

const { host } = await testHost(model, { root });
const listen = { host: "127.0.0.1", port: 0 };
const started = await startGateway({ host, token, listen, version: "0.0.0-test" });
if (!started.ok) throw new Error(started.problem);
process.on("message", () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.(heapUsed + external);
});
process.stdout.write(`${started.value.port}\n`);
