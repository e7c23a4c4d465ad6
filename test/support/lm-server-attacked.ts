/** The language-model server between any client format and any provider: sends requests and reads the replies. */

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { collect } from "../../src/base/async.ts";
import { isObject } from "../../src/base/json.ts";
import type { Ask, ToolDescription } from "../../src/protocol/messages.ts";
import { ModelError, type EndReason, type ModelEvent } from "../../src/protocol/model-events.ts";
import { catalog } from "../../src/providers/catalog.ts";
import { serverOf } from "../../src/providers/discover.ts";
import { openModel } from "../../src/providers/open-model.ts";
import type { Model } from "../../src/providers/provider.ts";
import { oneByOne } from "../../src/wires/frames.ts";
import { wires } from "../../src/wires/index.ts";
import type { Wire, WireName } from "../../src/wires/wire.ts";

export const clients: readonly Wire[] = Object.values(wires);

/** A provider for each format. */
export const upstreams: Record<WireName, string> = {
  anthropic: "anthropic",
  "openai-chat": "vllm",
  "openai-responses": "openai",
  ollama: "ollama",
  gemini: "gemini",
  cohere: "cohere",
};

/** The path prefix of each wire, the same at our server as at the vendor's. */
export const prefixes: Record<WireName, string> = {
  anthropic: "",
  "openai-chat": "/v1",
  "openai-responses": "/v1",
  ollama: "",
  gemini: "/v1beta",
  cohere: "",
};

export const providerKey = "sk-the-key-of-the-provider-0123456789";

/** Opens a model as for a user, but without retries. */
export async function modelOver(name: WireName, url: string): Promise<Model> {
  const provider = catalog.find((each) => each.name === upstreams[name]);
  if (!provider) throw new Error(`There is no provider for ${name}.`);
  const server = { ...serverOf(provider, {}, url + prefixes[name]), key: providerKey };
  return openModel({ provider, server, model: "m", because: "a test" }, { retry: { forMs: 0 } });
}

export const readFile: ToolDescription = {
  name: "read_file",
  description: "Reads a file.",
  schema: {
    type: "object",
    properties: { path: { type: "string" }, line: { type: "integer" } },
    required: ["path"],
    additionalProperties: false,
  },
};

/** A request as a client of this wire sends it. */
export function requestOf(wire: Wire, streamed: boolean, more: Partial<Ask> = {}) {
  const messages: Ask["messages"] = [{ role: "user", content: [{ type: "text", text: "Hi." }] }];
  const ask: Ask = { model: "c", system: "", messages, tools: [readFile], reasoning: "high", ...more };
  return {
    path: prefixes[wire.name] + wire.path("c", { streamed }),
    body: wire.encodeAsk(ask, { streamed }),
  };
}

type Read = {
  text: string;
  thoughts: string;
  calls: unknown[];
  end: EndReason | undefined;
  usage: unknown;
  failed: string | undefined;
};

/** Parses a reply as a client does, up to its end or the point where it broke off. */
export async function readReply(wire: Wire, streamed: boolean, response: Response): Promise<Read> {
  const events: ModelEvent[] = [];
  let failed: string | undefined;
  try {
    if (!response.ok) {
      const headers = Object.fromEntries(response.headers);
      throw wire.decodeError(response.status, headers, await response.text());
    }
    if (!streamed) events.push(...wire.decodeWhole(await response.json()));
    else
      for await (const event of oneByOne(wire.decodeBatches(response.body ?? nothing()))) events.push(event);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    failed = error.kind;
  }
  const joined = (type: "text-delta" | "reasoning-delta"): string =>
    events.map((event) => (event.type === type ? event.text : "")).join("");
  return {
    text: joined("text-delta"),
    thoughts: joined("reasoning-delta"),
    calls: events.flatMap((event) =>
      event.type === "call-end" ? [[event.call.name, event.call.problem ?? event.call.input]] : [],
    ),
    end: events.flatMap((event) => (event.type === "answer-end" ? [event.reason] : []))[0],
    usage: events.flatMap((event) => (event.type === "usage" ? [event.usage] : []))[0],
    failed,
  };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

type RawServer = AsyncDisposable & {
  url: string;
  /** Everything received, including headers, as one text per request. */
  came: string[];
  /** Settles when the connection of this request (from 1) closes before its answer has ended. */
  left(request: number): Promise<void>;
};

/** A model server that answers with raw bytes from the test; `round` counts the requests from 1. */
export async function rawServer(
  answer: (response: ServerResponse, round: number) => void,
): Promise<RawServer> {
  const came: string[] = [];
  const leaving = new Map<number, PromiseWithResolvers<void>>();
  const leavingOf = (request: number): PromiseWithResolvers<void> => {
    const known = leaving.get(request) ?? Promise.withResolvers<void>();
    leaving.set(request, known);
    return known;
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const round = came.push(JSON.stringify(request.headers) + (await textOf(request)));
    response.once("close", () => {
      if (!response.writableEnded) leavingOf(round).resolve();
    });
    answer(response, round);
  };
  const server = createServer((request, response) => {
    void serve(request, response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address: unknown = server.address();
  return {
    url: `http://127.0.0.1:${isObject(address) ? String(address["port"]) : ""}`,
    came,
    left: (request) => leavingOf(request).promise,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const textOf = async (request: IncomingMessage): Promise<string> =>
  Buffer.concat(await collect<Buffer>(request)).toString();
