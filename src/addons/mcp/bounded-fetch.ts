/**
 * A `fetch` for MCP servers over HTTP that bounds the size and nesting of every message, and handles answers that break
 * off.
 */

import { isTextDeeperThan } from "../../base/json-brackets.ts";
import { isObject, parseJson } from "../../base/json.ts";
import type { Resolve } from "../../base/safe-request.ts";
import { toolServerBounds } from "./bounds.ts";
import { isWithin, whyNotThere } from "./elsewhere.ts";
import { type Bytes, siftStream } from "./event-sieve.ts";
import { deepest, UnreadAnswer } from "./unread.ts";

const largest = toolServerBounds.message.most;

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

type BoundedFetchOptions = {
  fetchIt?: Fetch;
  /** Called when events of a stream were skipped. */
  floods?: () => void;
  resolve?: Resolve;
  /** The configured headers, which may hold keys: never sent to another host. */
  headers?: Readonly<Record<string, string>> | undefined;
};

/**
 * Reaches only addresses that this server may lead us to. A body beyond the size limit errors; in an event stream the
 * limit applies per event, and above a rate per second only answers to our requests are read.
 */
export function boundedFetch(
  server: URL,
  { fetchIt = fetch, floods, resolve, headers: own = {} }: BoundedFetchOptions = {},
): Fetch {
  return async (url, init = {}) => {
    const address = new URL(url);
    const why = await whyNotThere(server, address, resolve);
    if (why !== undefined) throw new Error(why);
    const response = await fetchIt(url, isWithin(server, address) ? init : without(own, init));
    const { body } = response;
    if (!body) return response;
    const type = response.headers.get("content-type") ?? "";
    return type.includes("text/event-stream")
      ? withBody(response, siftStream(body, { asked: requestIn(init), floods }))
      : withBody(response, body.pipeThrough(whole(type.includes("json"))));
  };
}

/** The SDK judges redirects by two fields, which a new `Response` lacks. */
export function withBody(response: Response, body: ReadableStream<Bytes>): Response {
  const { url, redirected } = response;
  const answer = new Response(body, response);
  return Object.defineProperties(answer, { url: { value: url }, redirected: { value: redirected } });
}

/** The SDK sends the configured headers to every address involved in a login, too. */
function without(own: Readonly<Record<string, string>>, init: RequestInit): RequestInit {
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(own))
    if (headers.get(name) === value.trim()) headers.delete(name);
  return { ...init, headers };
}

/** Passes the body on once complete: the depth check needs all of it, and a JSON parser could not start earlier. */
function whole(isJson: boolean): TransformStream<Bytes, Bytes> {
  const pieces: Bytes[] = [];
  let size = 0;
  return new TransformStream({
    transform(bytes, controller) {
      size += bytes.length;
      pieces.push(bytes);
      if (size > largest) controller.error(new UnreadAnswer("too-large"));
    },
    flush(controller) {
      const all = Buffer.concat(pieces);
      if (isJson && isTextDeeperThan(deepest, all.toString("latin1"))) throw new UnreadAnswer("too-deep");
      controller.enqueue(all);
    },
  });
}

/** The id of the request that this stream will answer. */
function requestIn(init: RequestInit): number | undefined {
  const { id, method } = messageIn(init);
  return typeof id === "number" && method !== undefined ? id : undefined;
}

/** The message that is sent; empty if it is none. */
export function messageIn({ body }: RequestInit): Record<string, unknown> {
  const sent = typeof body === "string" ? parseJson(body) : undefined;
  return sent?.ok && isObject(sent.value) ? sent.value : {};
}
