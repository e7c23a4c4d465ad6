/** MCP over streams, one message per line. Invalid lines get an error reply and never end the connection. */

import { once } from "node:events";
import type { Writable } from "node:stream";
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/server";
import { figureOf } from "../base/bound.ts";
import { otherProgramBounds } from "../base/bounds.ts";
import { attempt } from "../base/expected.ts";
import { utf8 } from "../base/json-body.ts";
import { isTextDeeperThan } from "../base/json-brackets.ts";
import { isObject, parseJson } from "../base/json.ts";

type LineTransport = Transport & {
  /** Resolves when the client has disconnected. */
  readonly gone: Promise<void>;
};

const { message: longest } = otherProgramBounds;
const mostLevels = 64;
const newline = 0x0a;

export function lineTransport(input: NodeJS.ReadableStream, output: Writable): LineTransport {
  const gone = Promise.withResolvers<void>();
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    gone.resolve();
    transport.onclose?.();
  };
  let drained: Promise<unknown> | undefined;
  const write = async (message: object): Promise<void> => {
    if (isOver || output.destroyed) return;
    if (output.write(`${JSON.stringify(message)}\n`)) return;
    drained ??= Promise.race([once(output, "drain").catch(() => undefined), gone.promise]).finally(() => {
      drained = undefined;
    });
    await drained;
  };
  const refuse = (code: number, message: string): Promise<void> =>
    write({ jsonrpc: "2.0", id: null, error: { code, message } });
  const hear = async (bytes: Uint8Array): Promise<void> => {
    const line = utf8(bytes);
    if (line?.trim() === "") return;
    const read = readMessage(line);
    if ("code" in read) return refuse(read.code, read.problem);
    transport.onmessage?.(read.message);
  };
  const listen = async (): Promise<void> => {
    try {
      for await (const line of linesOf(input)) {
        if (isOver) break;
        await (line === undefined
          ? refuse(-32600, `A message may have ${figureOf(longest)}; this one was longer and was not read.`)
          : hear(line));
      }
    } catch (error) {
      transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
    } finally {
      end();
    }
  };
  const transport: LineTransport = {
    gone: gone.promise,
    async start() {
      output.on("error", end);
      void listen();
    },
    send: (message: JSONRPCMessage) => write(message),
    async close() {
      end();
      if ("destroy" in input && typeof input.destroy === "function") input.destroy();
    },
  };
  return transport;
}

type ParsedLine = { message: JSONRPCMessage } | { code: number; problem: string };

function readMessage(line: string | undefined): ParsedLine {
  if (line === undefined) return { code: -32700, problem: "This line is not UTF-8." };
  if (isTextDeeperThan(mostLevels, line))
    return { code: -32600, problem: `A message may be nested ${mostLevels} levels deep.` };
  const parsed = parseJson(line);
  if (!parsed.ok) return { code: -32700, problem: "This line is no JSON." };
  if (!isObject(parsed.value)) return { code: -32600, problem: "A message is a JSON object." };
  return (
    attempt(() => ({ message: parseJSONRPCMessage(parsed.value) })) ?? {
      code: -32600,
      problem: "This is no JSON-RPC 2.0 message.",
    }
  );
}

/** Yields undefined for an oversized line, which is skipped instead of buffered. */
async function* linesOf(input: NodeJS.ReadableStream): AsyncGenerator<Uint8Array | undefined> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    let rest = Buffer.from(chunk);
    for (let at = rest.indexOf(newline); at !== -1; at = rest.indexOf(newline)) {
      const isTooLong = bytes + at > longest.most;
      yield isTooLong ? undefined : Buffer.concat([...pieces, rest.subarray(0, at)]);
      rest = rest.subarray(at + 1);
      [pieces, bytes] = [[], 0];
    }
    bytes += rest.length;
    if (bytes > longest.most) pieces = [];
    else if (rest.length > 0) pieces.push(rest);
  }
}
