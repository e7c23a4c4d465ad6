/** A test server in front of a model, with its log lines. */

import { DatabaseSync } from "node:sqlite";
import type { Model } from "../../providers/provider.ts";
import type { LogLine } from "../log.ts";
import { type Records, recordsIn } from "../records.ts";
import { type LmServer, type LmServerOptions, startLmServer } from "../server.ts";

export const testToken = "a-token-for-tests";

/** Disposing closes the server. */
export type TestServer = LmServer & AsyncDisposable & { lines: LogLine[]; records: Records };

export async function testServer(model: Model, more: Partial<LmServerOptions> = {}): Promise<TestServer> {
  const lines: LogLine[] = [];
  const { records = recordsIn(new DatabaseSync(":memory:")) } = more;
  const started = await startLmServer({
    open: async () => ({ ok: true, value: model }),
    names: {},
    fallback: model.name,
    token: testToken,
    records,
    limits: {},
    price: () => undefined,
    origins: [],
    hosts: [],
    host: "127.0.0.1",
    port: 0,
    log: (line) => void lines.push(line),
    count: ({ messages }) => messages.length,
    ...more,
  });
  if (!started.ok) throw new Error(started.problem);
  const { value } = started;
  return { ...value, lines, records, [Symbol.asyncDispose]: () => value.close() };
}

/** Sends a request as the server's clients do. */
export function askServer(
  { url }: Pick<LmServer, "url">,
  path: string,
  {
    body,
    headers = {},
    ...init
  }: Omit<RequestInit, "body" | "headers"> & { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Response> {
  return fetch(url + path, {
    ...init,
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${testToken}`, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
