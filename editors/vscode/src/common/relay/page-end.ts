/** The page's end of a relay: a `fetch` and a `WebSocket` that reach the gateway through the extension. */

import type { SocketLike, SocketMaker } from "../../../../../src/client.ts";
import { t } from "../translate.ts";
import { Bodies } from "./bodies.ts";
import { type EditorRelayMessage, type PageRelayMessage, replyBody, requestBody } from "./messages.ts";

type PageEnd = {
  fetch: typeof globalThis.fetch;
  WebSocket: SocketMaker;
  hear: (message: EditorRelayMessage) => void;
};

/** Stands for the gateway in addresses; the extension knows the real one, and its token. */
export const relayedUrl = "http://gateway.invalid";

export function pageEnd(send: (message: PageRelayMessage) => void): PageEnd {
  const bodies = new Bodies(send);
  const requests = new Map<number, PromiseWithResolvers<Response>>();
  const sockets = new Map<number, RelayedSocket>();
  let last = 0;
  const next = (): number => (last += 1);

  return {
    fetch: (input, init) => relayed(new Request(input, init), next(), { send, bodies, requests }),
    WebSocket: class extends RelayedSocket {
      constructor(url: string) {
        const id = next();
        super({
          send: (text) => send({ type: "socket-send", id, text }),
          close: () => send({ type: "socket-close", id }),
        });
        sockets.set(id, this);
        this.addEventListener("close", () => sockets.delete(id));
        send({ type: "socket-open", id, path: pathIn(url) });
      }
    },
    hear(message) {
      switch (message.type) {
        case "reply-begin":
          return requests.get(message.id)?.resolve(replyOf(message, bodies));
        case "reply-failed":
          return requests.get(message.id)?.reject(new TypeError(message.problem));
        case "socket-opened":
          return sockets.get(message.id)?.opened();
        case "socket-heard":
          return sockets.get(message.id)?.heard(message.text);
        case "socket-closed":
          return sockets.get(message.id)?.closed(message);
        default:
          return bodies.hear(message);
      }
    },
  };
}

type PageRequests = {
  send: (message: PageRelayMessage) => void;
  bodies: Bodies;
  requests: Map<number, PromiseWithResolvers<Response>>;
};

async function relayed(
  request: Request,
  id: number,
  { send, bodies, requests }: PageRequests,
): Promise<Response> {
  const { method, url, headers, signal } = request;
  signal.throwIfAborted();
  const reply = Promise.withResolvers<Response>();
  requests.set(id, reply);
  const abort = (): void => {
    send({ type: "request-abort", id });
    bodies.withdraw(requestBody(id));
    bodies.breakOff(replyBody(id), t("The request was aborted."));
    reply.reject(signal.reason);
  };
  signal.addEventListener("abort", abort);
  const body = request.body ? requestBody(id) : undefined;
  if (body !== undefined && request.body) bodies.offer(body, request.body);
  send({ type: "request-begin", id, method, path: pathIn(url), headers: [...headers], body });
  return reply.promise.finally(() => requests.delete(id));
}

/** The client reads the address of a reply that breaks off. */
function replyOf(
  { id, status, headers, body }: Extract<EditorRelayMessage, { type: "reply-begin" }>,
  bodies: Bodies,
): Response {
  const stream = body === undefined ? null : bodies.receive(replyBody(id));
  const response = new Response(stream, { status, headers: headers.map(([name, value]) => [name, value]) });
  return Object.defineProperty(response, "url", { value: `${relayedUrl}/` });
}

function pathIn(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

type SocketListeners = {
  open: () => void;
  error: () => void;
  message: (event: { data: unknown }) => void;
  close: (event: { code: number; reason: string }) => void;
};

/** A WebSocket as far as the gateway's client uses one. */
class RelayedSocket implements SocketLike {
  readonly #acts: { send: (text: string) => void; close: () => void };
  readonly #listeners: { [Type in keyof SocketListeners]: SocketListeners[Type][] } = {
    open: [],
    error: [],
    message: [],
    close: [],
  };

  constructor(acts: { send: (text: string) => void; close: () => void }) {
    this.#acts = acts;
  }

  send(text: string): void {
    this.#acts.send(text);
  }

  close(): void {
    this.#acts.close();
  }

  addEventListener<Type extends keyof SocketListeners>(type: Type, listener: SocketListeners[Type]): void {
    this.#listeners[type].push(listener);
  }

  opened(): void {
    for (const tell of this.#listeners.open) tell();
  }

  heard(text: string): void {
    for (const tell of this.#listeners.message) tell({ data: text });
  }

  closed({ code, reason }: { code: number; reason: string }): void {
    for (const tell of this.#listeners.close) tell({ code, reason });
  }
}
