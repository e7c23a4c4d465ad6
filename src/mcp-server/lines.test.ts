import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { otherProgramBounds } from "../base/bounds.ts";
import { isObject, parseJson } from "../base/json.ts";
import { lineTransport } from "./lines.ts";

function stage() {
  const input = new PassThrough();
  const output = new PassThrough();
  const transport = lineTransport(input, output);
  const heard: unknown[] = [];
  // eslint-disable-next-line unicorn/prefer-add-event-listener -- it offers no other API
  transport.onmessage = (message) => void heard.push(message);
  void transport.start();
  return { input, output, transport, heard };
}

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
const line = `${JSON.stringify(ping)}\n`;

async function answered(output: PassThrough): Promise<Record<string, unknown>> {
  for await (const chunk of output) {
    const parsed = parseJson(String(chunk));
    return parsed.ok && isObject(parsed.value) ? parsed.value : {};
  }
  return {};
}

test.each([
  ["invalid JSON", "{nope\n", -32700],
  ["a list", `[${JSON.stringify(ping)}]\n`, -32600],
  ["a number", "5\n", -32600],
  ["another protocol", '{"hello":1}\n', -32600],
  ["endless brackets", `${"[".repeat(100_000)}\n`, -32600],
  ["an oversized message", `"${"x".repeat(otherProgramBounds.message.most)}"\n`, -32600],
  [
    "a message that is not UTF-8",
    Buffer.from('{"jsonrpc":"2.0","id":2,"method":"ping","params":{"of":"caf\u00e9"}}\n', "latin1"),
    -32700,
  ],
  ["bytes that are not text", Buffer.from([0xff, 0xfe, 0x0a]), -32700],
])("%s is answered with an error, and the next message is received", async (_, written, code) => {
  const { input, output, transport, heard } = stage();
  input.write(written);
  expect(await answered(output)).toMatchObject({ id: null, error: { code } });
  input.write(line);
  input.end();
  await transport.gone;
  expect(heard).toEqual([ping]);
});

test("messages are received however they are split into chunks, and empty lines are ignored", async () => {
  const { input, transport, heard } = stage();
  for (const byte of Buffer.from(`\n\r\n${line}${line.trimEnd()}\r\n`)) input.write(Buffer.from([byte]));
  input.end();
  await transport.gone;
  expect(heard).toEqual([ping, ping]);
});

test("an unterminated line beyond the message bound is discarded", async () => {
  const { input, transport, heard } = stage();
  const piece = Buffer.alloc(1024 ** 2, 0x61);
  for (let at = 0; at < 64; at += 1) if (!input.write(piece)) await new Promise(setImmediate);
  input.end();
  await transport.gone;
  expect(heard).toEqual([]);
});

test("a reader that has gone ends the transport, and sending does not throw", async () => {
  const { output, transport } = stage();
  output.destroy(new Error("EPIPE"));
  await transport.gone;
  await transport.send({ jsonrpc: "2.0", id: 1, result: {} });
});
