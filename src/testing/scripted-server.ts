/** Serves any model over real HTTP on loopback, in all wire formats at once, with network faults on request. */

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { sleep, untilAborted } from "../base/async.ts";
import { isObject, parseJson, type JsonObject } from "../base/json.ts";
import { ModelError, type ModelEvent } from "../protocol/model-events.ts";
import type { Model } from "../providers/provider.ts";
import { wires } from "../wires/index.ts";
import type { CallForms, WireReply, Wire } from "../wires/wire.ts";

/**
 * The fault of one model request. "none" lets the request through; a stall waits for its promise, either before the
 * reply's head or after a number of body bytes. @experimental
 */
export type ServerFault =
  | "none"
  | "hang-up"
  | { status: number; headers?: Record<string, string>; body: string }
  | { cutAfterBytes: number }
  | { stall: Promise<unknown>; afterBytes?: number };

/** How a model is served, and with which faults. @experimental */
export type ServeOptions = {
  /** Bytes in each piece of a reply's body; as the wire writes them by default. */
  chunk?: number;
  /** Milliseconds before each piece: a slow model. */
  delayMs?: number;
  /** Consumed one by one by model requests (not by lists and probes). */
  faults?: readonly ServerFault[];
  /** Capabilities that POST /api/show reports; ["completion", "tools"] by default. */
  capabilities?: readonly string[];
  /** The chat template in POST /api/show and GET /props; without it /props does not exist. */
  template?: string;
};

/** `path` includes the query; `body` is parsed if it is JSON, else text. @experimental */
export type ServedRequest = { path: string; headers: IncomingMessage["headers"]; body: unknown };

/** A model served over HTTP until it is closed. @experimental */
export type ServedModel = {
  /** Like "http://127.0.0.1:41234", without any version prefix. */
  url: string;
  requests: ServedRequest[];
  /** Destroys all open connections; new ones are accepted. */
  cut(): void;
  /** Queues faults for the next requests. */
  fail(...faults: readonly ServerFault[]): void;
  /** Aborts running requests, destroys every connection, and resolves when all have ended. */
  close(): Promise<void>;
};

/** Starts serving; the caller must `close()`. @experimental */
export async function serveModel(model: Model, options: ServeOptions = {}): Promise<ServedModel> {
  const requests: ServedRequest[] = [];
  const faults = [...(options.faults ?? [])];
  const running = new Set<Promise<void>>();
  const closing = new AbortController();
  const server = createServer((request, response) => {
    const exchange = { request, response, model, options, faults, requests, closing: closing.signal };
    const done: Promise<void> = serve(exchange)
      .catch(() => void response.destroy())
      .finally(() => running.delete(done));
    running.add(done);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (!isObject(address)) throw new Error("The scripted server has no address.");
  return {
    url: `http://127.0.0.1:${String(address["port"])}`,
    requests,
    cut: () => server.closeAllConnections(),
    fail: (...more) => void faults.push(...more),
    async close() {
      const closed = once(server, "close");
      server.close();
      closing.abort(new Error("The scripted server was closed."));
      server.closeAllConnections();
      await Promise.all([closed, ...running]);
    },
  };
}

type ModelExchange = {
  request: IncomingMessage;
  response: ServerResponse;
  model: Model;
  options: ServeOptions;
  faults: ServerFault[];
  requests: ServedRequest[];
  closing: AbortSignal;
};

async function serve(exchange: ModelExchange): Promise<void> {
  const { request, response, model, options, requests } = exchange;
  const path = request.url ?? "/";
  const body = await readBody(request);
  requests.push({ path, headers: request.headers, body });
  const wire = request.method === "POST" ? wireFor(path) : undefined;
  if (wire) return answer(wire, { path, body }, exchange);
  const [place = ""] = path.split("?");
  const told = about(model, options)[`${request.method} ${place}`];
  return reply(response, told ? { status: 200, headers: {}, body: told } : notFound(path));
}

const wireFor = (path: string): Wire | undefined => Object.values(wires).find((wire) => wire.match(path));

/** Replies to the list and probe endpoints of model servers; several formats share one list. */
function about(model: Model, options: ServeOptions): Record<string, WireReply["body"]> {
  const { name } = model;
  const { capabilities = ["completion", "tools"], template } = options;
  const listed = {
    id: name,
    object: "model",
    type: "model",
    display_name: name,
    created: 0,
    owned_by: "scripted",
  };
  const size: JsonObject =
    model.contextTokens === undefined ? {} : { "scripted.context_length": model.contextTokens };
  return {
    "GET /v1/models": {
      object: "list",
      data: [listed],
      has_more: false,
      models: [{ name, endpoints: ["chat"] }],
    },
    "GET /v1beta/models": { models: [{ name: `models/${name}`, displayName: name }] },
    "GET /api/tags": { models: [{ name, model: name, size: 0, digest: "", details: {} }] },
    "GET /api/version": { version: "0.12.0" },
    "POST /api/show": {
      capabilities: [...capabilities],
      details: { family: "scripted" },
      model_info: { "general.architecture": "scripted", ...size },
      ...(template === undefined ? {} : { template }),
    },
    ...(template === undefined ? {} : { "GET /props": propsOf(model, capabilities, template) }),
  };
}

/** The /props reply in llama.cpp's format. */
const propsOf = (model: Model, capabilities: readonly string[], template: string): JsonObject => ({
  default_generation_settings: model.contextTokens === undefined ? {} : { n_ctx: model.contextTokens },
  chat_template: template,
  chat_template_caps: { supports_tools: capabilities.includes("tools") },
  modalities: { vision: capabilities.includes("vision") },
});

const notFound = (path: string): WireReply => ({
  status: 404,
  headers: {},
  body: { error: `There is nothing at ${path}.` },
});

async function answer(
  wire: Wire,
  asked: { path: string; body: unknown },
  exchange: ModelExchange,
): Promise<void> {
  const { request, response, model } = exchange;
  const fault = exchange.faults.shift() ?? "none";
  const left = new AbortController();
  response.once("close", () => left.abort(new Error("The client went away.")));
  const signal = AbortSignal.any([left.signal, exchange.closing]);
  if (fault === "hang-up") return void request.socket.destroy();
  if (typeof fault === "object" && "status" in fault) return send(response, fault);
  const stall = stallOf(fault);
  if (stall && stall.afterBytes === undefined) await untilAborted(stall.promise, signal);
  try {
    const { ask, streamed, forms } = wire.decodeAsk(asked.body, wire.match(asked.path));
    const { model: _, ...prompt } = ask;
    const events = await afterFirstEvent(model.ask(prompt, signal));
    const texts = streamed ? wire.encodeEvents(events, forms) : whole(wire, events, forms);
    const type = streamed ? wire.streamType : "application/json";
    const { chunk, delayMs } = exchange.options;
    await write(texts, type, { response, fault, chunk, delayMs, signal });
  } catch (error) {
    if (response.headersSent || signal.aborted) return void response.destroy();
    return reply(response, wire.encodeError(asModelError(error)));
  }
}

const asModelError = (error: unknown): ModelError =>
  error instanceof ModelError
    ? error
    : new ModelError("server", `The scripted model broke: ${String(error)}`, { cause: error });

/** Waits for the first event, so that an earlier failure can still become an HTTP status. */
async function afterFirstEvent(events: AsyncIterable<ModelEvent>): Promise<AsyncIterable<ModelEvent>> {
  const iterator = events[Symbol.asyncIterator]();
  let first: IteratorResult<ModelEvent> | undefined = await iterator.next();
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const held = first;
        first = undefined;
        return held ?? iterator.next();
      },
      return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
    }),
  };
}

async function* whole(
  wire: Wire,
  events: AsyncIterable<ModelEvent>,
  forms?: CallForms,
): AsyncGenerator<string> {
  const all: ModelEvent[] = [];
  for await (const event of events) all.push(event);
  yield JSON.stringify(wire.encodeWhole(all, forms));
}

type ResponseWriter = {
  response: ServerResponse;
  fault: ServerFault;
  chunk: number | undefined;
  delayMs: number | undefined;
  signal: AbortSignal;
};

const stallOf = (
  fault: ServerFault,
): { promise: Promise<unknown>; afterBytes: number | undefined } | undefined =>
  typeof fault === "object" && "stall" in fault
    ? { promise: fault.stall, afterBytes: fault.afterBytes }
    : undefined;

/** Sends the head with the first piece; an error before it leaves the head to the caller. */
async function write(texts: AsyncIterable<string>, type: string, line: ResponseWriter): Promise<void> {
  const { response, fault, signal } = line;
  const cutAt = typeof fault === "object" && "cutAfterBytes" in fault ? fault.cutAfterBytes : Infinity;
  let stall = stallOf(fault);
  let sent = 0;
  for await (let piece of recut(texts, line.chunk)) {
    if (line.delayMs !== undefined) await sleep(line.delayMs, signal);
    if (!response.headersSent) response.writeHead(200, { "content-type": type }).flushHeaders();
    if (sent + piece.length > cutAt) {
      await writeFully(response, piece.subarray(0, cutAt - sent), signal);
      return void response.destroy();
    }
    if (stall?.afterBytes !== undefined && sent + piece.length > stall.afterBytes) {
      const before = piece.subarray(0, stall.afterBytes - sent);
      await writeFully(response, before, signal);
      await untilAborted(stall.promise, signal);
      stall = undefined;
      piece = piece.subarray(before.length);
      sent += before.length;
    }
    await writeFully(response, piece, signal);
    sent += piece.length;
  }
  response.end();
}

async function* recut(texts: AsyncIterable<string>, size: number | undefined): AsyncGenerator<Buffer> {
  for await (const text of texts) {
    const bytes = Buffer.from(text);
    for (let start = 0; start < bytes.length; start += size ?? bytes.length) {
      yield bytes.subarray(start, start + (size ?? bytes.length));
    }
  }
}

/** Writes and waits until the operating system has the bytes, so that a later cut loses none. */
async function writeFully(response: ServerResponse, bytes: Buffer, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted(); // otherwise a failing write would go unnoticed
  const written = Promise.withResolvers<void>();
  response.write(bytes, (error) => (error ? written.reject(error) : written.resolve()));
  await untilAborted(written.promise, signal);
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  const text = Buffer.concat(pieces).toString();
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : text;
}

const reply = (response: ServerResponse, { status, headers, body }: WireReply): void =>
  send(response, {
    status,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

function send(
  response: ServerResponse,
  { status, headers, body }: Extract<ServerFault, { status: number }>,
): void {
  response.writeHead(status, headers).end(body);
}
