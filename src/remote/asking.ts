/** Sends one request to a gateway, built from its row in the route table, and reads the reply. */

import * as z from "zod/mini";
import { isObject, parseJson } from "../base/json.ts";
import { problem } from "./api-values.ts";
import type { Reply, ApiRoute } from "./api.ts";
import { clientCodes, GatewayError } from "./gateway-error.ts";

/** `url` has no trailing slash. */
export type GatewayEndpoint = { url: string; token?: string | undefined; fetch: typeof globalThis.fetch };

/** A method's arguments, by purpose. */
export type ApiRequest = {
  path: readonly string[];
  body?: unknown;
  query?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
};

/** The names of a route's path parameters, in order. */
export const pathNames = (path: string): string[] =>
  [...path.matchAll(/:(\w+)/gu)].map(([, name = ""]) => name);

/** A reply with one of the route's documented statuses. Throws GatewayError. */
export async function ask(route: ApiRoute, asked: ApiRequest, gateway: GatewayEndpoint): Promise<Response> {
  const { fetch } = gateway; // a browser's fetch throws if called as a method
  const response = await fetch(
    `${gateway.url}${target(route, asked)}`,
    requestOf(route, asked, gateway),
  ).catch((error: unknown) => throwUnreachable(error, asked, gateway));
  if (!route.replies[response.status]) throw await problemOf(response);
  return response;
}

/** The reply's value, validated by the route's schema. Throws GatewayError. */
export async function valueOf(route: ApiRoute, response: Response): Promise<unknown> {
  const reply: Reply | undefined = route.replies[response.status];
  const text = await response.text().catch((error: unknown) => throwBrokenReply(response, error));
  if (!reply?.schema) return reply?.stream === undefined ? undefined : text;
  const parsed = parseJson(text);
  const checked = parsed.ok ? z.safeParse(reply.schema, parsed.value) : undefined;
  if (parsed.ok && checked?.success) return parsed.value; // not `checked.data`: keeps the fields of newer gateways
  throw gatewayProblem(response.status, text) ?? unreadable(response, checked?.error?.issues[0]?.message);
}

function target(route: ApiRoute, { path, query = {} }: ApiRequest): string {
  let at = 0;
  const filled = route.path.replaceAll(/:\w+/gu, () => encodeURIComponent(path[at++] ?? ""));
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (typeof value === "string" || typeof value === "number") words.set(name, String(value));
  return words.size === 0 ? filled : `${filled}?${words.toString()}`;
}

function requestOf(route: ApiRoute, asked: ApiRequest, { token }: GatewayEndpoint): RequestInit {
  const headers = new Headers(asked.headers);
  if (token !== undefined && route.needs !== "none") headers.set("authorization", `Bearer ${token}`);
  const base: RequestInit = { method: route.method, headers, redirect: "error" };
  if (asked.signal) base.signal = asked.signal;
  if (!route.body) return base;
  headers.set("content-type", route.body.stream ?? "application/json");
  return route.body.stream === undefined
    ? { ...base, body: JSON.stringify(asked.body) }
    : { ...base, ...streamedBody(asked.body) };
}

function streamedBody(body: unknown): RequestInit {
  if (typeof body === "string" || body instanceof Uint8Array || body instanceof Blob)
    return { body: body instanceof Uint8Array ? new Blob([new Uint8Array(body)]) : body };
  if (!isStream(body)) throw new TypeError("The body is a text, bytes, a Blob or a stream of bytes.");
  return { body: asReadable(body), duplex: "half" };
}

const isStream = (body: unknown): body is AsyncIterable<Uint8Array> =>
  isObject(body) && Symbol.asyncIterator in body;

/** Not every browser has `ReadableStream.from`. */
function asReadable(pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const next = await iterator.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

function throwUnreachable(error: unknown, { signal }: ApiRequest, { url }: GatewayEndpoint): never {
  signal?.throwIfAborted();
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const because = cause instanceof Error && cause.message !== "" ? `: ${cause.message}` : "";
  throw new GatewayError({
    code: clientCodes.unreachable,
    message: `The gateway at ${url} is not reached${because}. Is it running?`,
    cause: error,
  });
}

const throwBrokenReply = (response: Response, error: unknown): never => {
  throw new GatewayError({
    code: clientCodes.unreachable,
    message: `The reply to ${new URL(response.url).pathname} broke off. Try again.`,
    cause: error,
  });
};

async function problemOf(response: Response): Promise<GatewayError> {
  const text = await response.text().catch(() => "");
  return gatewayProblem(response.status, text) ?? unreadable(response);
}

/** The problem in the gateway's own words. */
function gatewayProblem(status: number, text: string): GatewayError | undefined {
  const parsed = parseJson(text);
  const checked = parsed.ok ? z.safeParse(problem, parsed.value) : undefined;
  return checked?.success ? new GatewayError({ status, ...checked.data.error }) : undefined;
}

const unreadable = ({ status }: Response, because = "it is not what is asked for"): GatewayError =>
  new GatewayError({
    status,
    code: clientCodes.unreadable,
    message: `The reply (status ${status}) cannot be understood: ${because}. Is there a gateway of this version at this address?`,
  });
