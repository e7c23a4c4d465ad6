/** A gateway in a separate process, to be killed: `node gateway-child.ts ROOT PORT TOKEN READS`. Prints its port. */

import { sleep } from "../../src/base/async.ts";
import { startGateway } from "../../src/gateway/gateway.ts";
import type { Model } from "../../src/providers/provider.ts";
import { testHost } from "../../src/testing/host.ts";

/** `reads`: file reads per turn. */
const [root = "", port = "0", token = "", reads = "3"] = process.argv.slice(2);
/** Words between two reads. */
const words = 12;

/** Says some words one by one, then reads a file, until the turn has enough reads. */
const model: Model = {
  name: "scripted/streaming",
  contextTokens: undefined,
  notice: undefined,
  async *ask({ messages }, signal) {
    const request = messages.findLastIndex(({ role }) => role === "user");
    const done = messages.slice(request).filter(({ role }) => role === "tool").length;
    yield { type: "answer-start", model: "scripted/streaming" };
    for (let word = 0; word < words; word += 1) {
      await sleep(10, signal);
      yield { type: "text-delta", text: `word ${word} ` };
    }
    if (done >= Number(reads)) {
      yield { type: "answer-end", reason: "stop" };
      return;
    }
    const id = `call_${crypto.randomUUID()}`;
    yield { type: "call-start", id, name: "read_file" };
    yield { type: "call-end", call: { id, name: "read_file", input: { path: "a.txt" }, source: "native" } };
    yield { type: "answer-end", reason: "tool-calls" };
  },
};

const { host } = await testHost(model, { root, files: { "a.txt": "one\n" } });
const listen = { host: "127.0.0.1", port: Number(port) };
const started = await startGateway({ host, token, listen, version: "0.0.0-test" });
if (!started.ok) throw new Error(started.problem);
process.stdout.write(`${started.value.port}\n`);
