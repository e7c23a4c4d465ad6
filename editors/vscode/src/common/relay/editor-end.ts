/**
 * The extension's end of a relay: carries out a page's requests and sockets at the gateway. The token stays here: what
 * the page sends as one is dropped.
 */

import { errorMessage } from "../../../../../src/base/expected.ts";
import type { SocketLike } from "../../../../../src/client.ts";
import { inEnglishOnly, t } from "../translate.ts";
import { Bodies } from "./bodies.ts";
import { type EditorRelayMessage, type PageRelayMessage, replyBody } from "./messages.ts";

/** Where the gateway is, and the key to it. */
export type GatewayAddress = { url: string; token: string };

type EditorEndContext = {
  send: (message: EditorRelayMessage) => void;
  /** Asked for each request and socket: the gateway may be another one by now. Rejects with words for people. */
  gateway: () => Promise<GatewayAddress>;
  fetch: typeof globalThis.fetch;
  openSocket: (url: string, protocols: string[]) => Promise<SocketLike>;
  /** Too much waits for the page: its sockets are closed, and it asks for the rest when it can. */
  isBehind: () => boolean;
};

export class EditorEnd {
  readonly #context: EditorEndContext;
  readonly #bodies: Bodies;
  readonly #requests = new Map<number, AbortController>();
  /** A socket that is not open yet is undefined. */
  readonly #sockets = new Map<number, SocketLike | undefined>();

  constructor(context: EditorEndContext) {
    this.#context = context;
    this.#bodies = new Bodies(context.send);
  }

  hear(message: PageRelayMessage): void {
    switch (message.type) {
      case "request-begin":
        return void this.#request(message);
      case "request-abort":
        return this.#requests.get(message.id)?.abort();
      case "socket-open":
        return void this.#open(message);
      case "socket-send":
        return this.#sockets.get(message.id)?.send(message.text);
      case "socket-close":
        return this.#leave(message.id);
      default:
        return this.#bodies.hear(message);
    }
  }

  /** Ends every request and socket, because the page is gone. */
  close(): void {
    for (const request of this.#requests.values()) request.abort();
    for (const id of this.#sockets.keys()) this.#leave(id);
    this.#bodies.close(t("The page was closed."));
  }

  async #request(asked: Extract<PageRelayMessage, { type: "request-begin" }>): Promise<void> {
    const { id } = asked;
    const aborting = new AbortController();
    aborting.signal.addEventListener("abort", () => {
      if (asked.body !== undefined) this.#bodies.breakOff(asked.body, t("The request was aborted."));
      this.#bodies.withdraw(replyBody(id));
    });
    this.#requests.set(id, aborting);
    const stream = asked.body === undefined ? undefined : this.#bodies.receive(asked.body);
    try {
      const gateway = await this.#context.gateway();
      const { fetch } = this.#context;
      const reply = await fetch(gateway.url + pathOnly(asked.path), {
        method: asked.method,
        headers: headersOf(asked.headers, gateway),
        redirect: "error",
        signal: aborting.signal,
        ...(stream ? { body: stream, duplex: "half" } : {}),
      });
      this.#reply(id, reply);
    } catch (error) {
      this.#requests.delete(id);
      this.#context.send({ type: "reply-failed", id, problem: rootMessage(error) });
    }
  }

  #reply(id: number, { status, headers, body }: Response): void {
    const name = body ? replyBody(id) : undefined;
    if (body && name !== undefined)
      this.#bodies.offer(
        name,
        withEnd(body, () => this.#requests.delete(id)),
      );
    else this.#requests.delete(id);
    const lines = [...headers].filter(([name]) => !ofTheConnection.has(name));
    this.#context.send({ type: "reply-begin", id, status, headers: lines, body: name });
  }

  async #open({ id, path }: Extract<PageRelayMessage, { type: "socket-open" }>): Promise<void> {
    this.#sockets.set(id, undefined);
    try {
      const { url, token } = await this.#context.gateway();
      const address = url.replace(/^http/u, "ws") + pathOnly(path);
      const socket = await this.#context.openSocket(address, ["toolwright", `token.${token}`]);
      this.#follow(id, socket);
      if (this.#sockets.has(id)) this.#sockets.set(id, socket);
      else socket.close(); // the page has left it meanwhile
    } catch (error) {
      this.#closed(id, { code: cannotConnect, reason: rootMessage(error) });
    }
  }

  #follow(id: number, socket: SocketLike): void {
    const { send } = this.#context;
    socket.addEventListener("open", () => send({ type: "socket-opened", id }));
    socket.addEventListener("message", ({ data }) => {
      if (this.#sockets.get(id) !== socket) return;
      send({ type: "socket-heard", id, text: String(data) });
      if (this.#context.isBehind()) this.#giveUp(id, socket);
    });
    socket.addEventListener("error", () => undefined); // a close event follows
    socket.addEventListener("close", ({ code, reason }) => this.#closed(id, { code, reason }));
  }

  #leave(id: number): void {
    const socket = this.#sockets.get(id);
    this.#sockets.delete(id);
    socket?.close();
  }

  #giveUp(id: number, socket: SocketLike): void {
    this.#closed(id, { code: tooSlow, reason: inEnglishOnly("The view could not keep up.") });
    socket.close();
  }

  #closed(id: number, { code, reason }: { code: number; reason: string }): void {
    if (this.#sockets.delete(id)) this.#context.send({ type: "socket-closed", id, code, reason });
  }
}

/** Close codes of the WebSocket protocol (RFC 6455, 7.4.1, and its registry): an unexpected condition, try again later. */
const cannotConnect = 1011;
const tooSlow = 1013;

/** They describe the bytes between us and the gateway. */
const ofTheConnection = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "keep-alive",
  "transfer-encoding",
]);

/** A page reaches no other place than its gateway. */
function pathOnly(path: string): string {
  if (/^\/(?!\/)[!-~]*$/u.test(path)) return path;
  throw new TypeError(inEnglishOnly("A path of the gateway begins with one slash."));
}

function headersOf(given: Iterable<readonly [string, string]>, { token }: GatewayAddress): Headers {
  const headers = new Headers();
  for (const [name, value] of given) headers.set(name, value);
  headers.set("authorization", `Bearer ${token}`);
  return headers;
}

function withEnd(body: ReadableStream<Uint8Array>, ended: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        ended();
        controller.close();
      },
      async cancel(reason) {
        ended();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** The platform's fetch says only that it failed; the cause says why. */
function rootMessage(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return errorMessage(cause);
}
