/**
 * `fetch` for servers that are reached by HTTP: no message of theirs is larger or nested deeper than we would read, and
 * an answer that breaks off is known to.
 */

import { bounds } from "../../base/bounds.ts";
import { isTextDeeperThan } from "../../base/json-depth.ts";
import { isObject, parseJson } from "../../base/json.ts";
import type { Resolve } from "../../base/safe-request.ts";
import { isWithin, whyNotThere } from "./elsewhere.ts";
import { type Bytes, sifted } from "./event-sieve.ts";
import { deepest, UnreadAnswer } from "./unread.ts";

const largest = bounds.servers.message.most;

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

type FetchRoom = {
  fetchIt?: Fetch;
  /** Of a stream of events some were passed over. */
  floods?: () => void;
  resolve?: Resolve;
  /** What the settings have sent to the server, keys among it: no other host is sent that. */
  headers?: Readonly<Record<string, string>> | undefined;
};

/**
 * Only what may be reached because of this server is. An answer whose body goes on beyond a bound ends with an error;
 * of a stream of events each event counts by itself, and of too many in a second only those are read that answer
 * something.
 */
export function boundedFetch(
  server: URL,
  { fetchIt = fetch, floods, resolve, headers: own = {} }: FetchRoom = {},
): Fetch {
  return async (url, init = {}) => {
    const address = new URL(url);
    const why = await whyNotThere(server, address, resolve);
    if (why !== undefined) throw new Error(why);
    const response = await fetchIt(url, isWithin(server, address) ? init : without(own, init));
    const { body, headers } = response;
    if (!body) return response;
    const type = headers.get("content-type") ?? "";
    const isEvents = type.includes("text/event-stream");
    const bounded = isEvents
      ? sifted(body, { asked: requestIn(init), floods })
      : body.pipeThrough(whole(type.includes("json")));
    const { status, statusText } = response;
    const answer = new Response(bounded, { status, statusText, headers });
    // Redirects are judged by where an answer came from, which a new one does not know.
    Object.defineProperties(answer, {
      url: { value: response.url },
      redirected: { value: response.redirected },
    });
    return answer;
  };
}

/** The SDK gives what is for the server to all that a login goes through, too. */
function without(own: Readonly<Record<string, string>>, init: RequestInit): RequestInit {
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(own))
    if (headers.get(name) === value.trim()) headers.delete(name);
  return { ...init, headers };
}

/** Let through when all of it is there: whoever reads JSON cannot begin before. */
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

/** The id of the request that this stream is to answer. */
function requestIn(init: RequestInit): number | undefined {
  const sent = typeof init.body === "string" ? parseJson(init.body) : undefined;
  const { id, method } = sent?.ok && isObject(sent.value) ? sent.value : {};
  return typeof id === "number" && method !== undefined ? id : undefined;
}
