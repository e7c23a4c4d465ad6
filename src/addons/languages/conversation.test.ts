import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { collect } from "../../base/async.ts";
import type { Json } from "../../base/json.ts";
import { converse } from "./conversation.ts";
import { messagesIn } from "./framing.ts";

const unlimited = new AbortController().signal;

/** A conversation with a server that is not a program: `says` is its side of it. */
function conversation() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const over = Promise.withResolvers<string>();
  const heard: unknown[] = [];
  const talk = converse(
    { input, output, ended: over.promise, stop: async () => void output.end() },
    { heard: (method, parameters) => void heard.push([method, parameters]), answer: (method) => method },
  );
  const says = (message: { [key: string]: Json }): void => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    output.write(`Content-Length: ${body.length}\r\n\r\n${body}`);
  };
  return { talk, input, says, heard };
}

test("answers reach the request with their id, and an error keeps its code", async () => {
  const { talk, input, says, heard } = conversation();
  const [first, second] = [1, 2].map((one) => talk.request("ask", { one }, unlimited));
  says({ id: 7, result: "an answer that nobody asked for" });
  says({ method: "$/progress", params: { token: 1 } });
  says({ id: "own", method: "window/showDocument", params: {} });
  says({ id: 2, error: { code: -32_801, message: "content modified" } });
  says({ id: 1, result: { fine: true } });
  await expect(second).rejects.toMatchObject({ code: -32_801, message: "content modified" });
  expect(await first).toEqual({ fine: true });
  expect(heard).toEqual([["$/progress", { token: 1 }]]);
  input.end();
  expect(await collect(messagesIn(input))).toEqual([
    { jsonrpc: "2.0", id: 1, method: "ask", params: { one: 1 } },
    { jsonrpc: "2.0", id: 2, method: "ask", params: { one: 2 } },
    { jsonrpc: "2.0", id: "own", result: "window/showDocument" },
  ]);
});

test("a request that nobody waits for any more is cancelled at the server", async () => {
  const { talk, input } = conversation();
  const stops = new AbortController();
  const asked = talk.request("ask", {}, stops.signal);
  stops.abort(new Error("enough"));
  await expect(asked).rejects.toThrow("enough");
  input.end();
  expect((await collect(messagesIn(input))).at(-1)).toEqual({
    jsonrpc: "2.0",
    method: "$/cancelRequest",
    params: { id: 1 },
  });
});

test("a server that closes its input is over, so that it is started again", async () => {
  const { talk, input } = conversation();
  input.destroy();
  await expect(talk.request("ask", {}, unlimited)).rejects.toThrow("it does not listen any more");
  expect(await talk.ended).toBe("it does not listen any more");
  expect(talk.isOver()).toBe(true);
});
