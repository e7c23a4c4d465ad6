/**
 * Ends the HTTP request of a call that is cancelled, at a server without sessions: it cannot tell which call a
 * notification is about, only that nobody waits for its answer any more.
 */

import { isObject } from "../../base/json.ts";
import { type Fetch, messageIn, withBody } from "./bounded-fetch.ts";
import type { Bytes } from "./event-sieve.ts";

const sessionHeader = "mcp-session-id";

export function endingCancelled(fetchIt: Fetch): Fetch {
  const open = new Map<unknown, AbortController>();
  return async (url, init = {}) => {
    const { id, method, params } = messageIn(init);
    if (method === "notifications/cancelled" && isObject(params)) open.get(params["requestId"])?.abort();
    const isAlone = !new Headers(init.headers).has(sessionHeader);
    if (id === undefined || method === undefined || !isAlone) return fetchIt(url, init);
    const ending = new AbortController();
    open.set(id, ending);
    const over = (): void => void open.delete(id);
    const signal = init.signal ? AbortSignal.any([init.signal, ending.signal]) : ending.signal;
    try {
      return hearEnd(await fetchIt(url, { ...init, signal }), over);
    } catch (error) {
      over();
      throw error;
    }
  };
}

/** `over`: called when the body has ended, in whatever way. */
function hearEnd(response: Response, over: () => void): Response {
  const { body } = response;
  if (!body) {
    over();
    return response;
  }
  const through = new TransformStream<Bytes, Bytes>();
  body.pipeTo(through.writable).then(over, over); // the reader learns of a failure by its own end
  return withBody(response, through.readable);
}
