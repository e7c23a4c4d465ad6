/** A real HTTP server on a loopback port for tests; it answers with a wire's server half. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { collect } from "../../base/async.ts";
import type { Ask } from "../../protocol/messages.ts";
import { ModelError, type ModelEvent } from "../../protocol/model-events.ts";
import type { Wire } from "../wire.ts";

/** `url` is the base URL; `asks` are the requests as the wire decoded them. Disposing closes all connections. */
export type Loopback = AsyncDisposable & { url: string; asks: Ask[] };

type AnswerSource = (ask: Ask) => AsyncIterable<ModelEvent>;

export async function loopback(wire: Wire, answers: AnswerSource): Promise<Loopback> {
  const asks: Ask[] = [];
  const server = createServer((request, response) => {
    const ask = reply(wire, { request, response }, (said) => {
      asks.push(said);
      return answers(said);
    });
    ask.catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    asks,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type HttpExchange = { request: IncomingMessage; response: ServerResponse };

async function reply(wire: Wire, { request, response }: HttpExchange, answers: AnswerSource): Promise<void> {
  try {
    const chunks: Uint8Array[] = await collect(request);
    const found = wire.match(request.url ?? "");
    if (!found) throw new ModelError("bad-request", `There is nothing at ${request.url}.`);
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    const { ask, streamed } = wire.decodeAsk(body, found);
    if (streamed) return await stream(wire, response, answers(ask));
    const whole = wire.encodeWhole(await collect(answers(ask)));
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(whole));
  } catch (error) {
    if (!(error instanceof ModelError) || response.headersSent) throw error;
    const { status, headers, body } = wire.encodeError(error);
    response.writeHead(status, headers).end(JSON.stringify(body));
  }
}

async function stream(
  wire: Wire,
  response: ServerResponse,
  events: AsyncIterable<ModelEvent>,
): Promise<void> {
  for await (const text of wire.encodeEvents(events)) {
    if (!response.headersSent) response.writeHead(200, { "content-type": wire.streamType });
    response.write(text);
  }
  response.end();
}
