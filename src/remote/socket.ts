/** One WebSocket to a gateway, from opening to close. */

import { errorMessage } from "../base/expected.ts";
import { isObject } from "../base/json.ts";
import { gatewayConnectMs, gatewaySilenceMs } from "./bounds.ts";
import { type ClientFrame, closeCodes, type ServerFrame, socketPath, socketProtocol } from "./frames.ts";

/** The part of the API that browsers, Node and the package ws share. @experimental */
export type SocketLike = {
  send(data: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: "open" | "error", listener: () => void): void;
  addEventListener(type: "message", listener: (event: { data: unknown }) => void): void;
  addEventListener(type: "close", listener: (event: { code: number; reason: string }) => void): void;
};
/** The WebSocket class to use where the platform has none. @experimental */
export type SocketMaker = new (url: string, protocols: string[]) => SocketLike;

export type SocketEnd = { code: number; because: string; wasOpen: boolean };

type SocketListener = {
  /** `characters`: the length of the received frame. */
  heard: (frame: ServerFrame, characters: number) => void;
  ended: (end: SocketEnd) => void;
};

type SocketPlace = { url: string; token: string; WebSocket: SocketMaker };

/** The constructor never throws; any failure is reported once, as the end. */
export class Socket {
  readonly #listener: SocketListener;
  readonly #socket: SocketLike | undefined;
  readonly #beat: ReturnType<typeof setInterval>;
  /** Runs until the socket is open, and whenever a reply is awaited. */
  #deadline: ReturnType<typeof setTimeout>;
  #isOver = false;
  #wasOpen = false;
  #heardAt = Date.now();
  #askedAt = 0;

  constructor(place: SocketPlace, listener: SocketListener) {
    this.#listener = listener;
    this.#deadline = this.#endIn(gatewayConnectMs, "The gateway did not answer in time.");
    this.#beat = setInterval(() => this.#look(), gatewaySilenceMs / 3);
    this.#socket = this.#made(place);
  }

  send(frame: ClientFrame): void {
    if (!this.#isOver) this.#socket?.send(JSON.stringify(frame));
  }

  /** Reports the end at once, because a dead connection sends no close frame. */
  close(): void {
    this.#end(1000, "");
  }

  /** Sends a ping that must be answered soon. */
  check(): void {
    if (!this.#wasOpen) return;
    this.#ask();
    clearTimeout(this.#deadline);
    this.#deadline = this.#endIn(gatewayConnectMs / 2, silent);
  }

  /** Browsers run a hidden page's timers only once a minute, so silence counts only after a ping. */
  #look(): void {
    const isAsked = this.#askedAt > this.#heardAt;
    if (isAsked && Date.now() - this.#askedAt > gatewaySilenceMs / 2) this.#end(0, silent);
    else if (!isAsked && this.#wasOpen && Date.now() - this.#heardAt > gatewaySilenceMs / 4) this.#ask();
  }

  #ask(): void {
    this.#askedAt = Date.now();
    this.send({ type: "ping" });
  }

  #hear(data: unknown): void {
    if (this.#isOver) return;
    this.#heardAt = Date.now();
    const frame = readFrame(data);
    if (!frame || !isWhole(frame))
      return this.#end(0, "The gateway sent something that this client does not understand.");
    if (frame.type === "welcome") this.#wasOpen = true;
    if (this.#wasOpen) clearTimeout(this.#deadline);
    if (frame.type !== "pong") this.#listener.heard(frame, String(data).length);
  }

  #endIn(ms: number, because: string): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#end(0, because), ms);
  }

  #end(code: number, because: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#deadline);
    clearInterval(this.#beat);
    this.#socket?.close();
    this.#listener.ended({ code, because, wasOpen: this.#wasOpen });
  }

  /** The constructor throws if the token cannot be sent in a header. */
  #made({ url, token, WebSocket }: SocketPlace): SocketLike | undefined {
    try {
      const address = `${url.replace(/^http/u, "ws")}${socketPath}`;
      const socket = new WebSocket(address, [socketProtocol, `token.${token}`]);
      socket.addEventListener("message", ({ data }) => this.#hear(data));
      socket.addEventListener("close", ({ code, reason }) => this.#end(code, reason));
      socket.addEventListener("error", () => undefined); // a close event follows
      return socket;
    } catch (error) {
      const because = errorMessage(error);
      queueMicrotask(() => this.#end(closeCodes.unauthorized, `The token cannot be used: ${because}`));
      return undefined;
    }
  }
}

const silent = "Nothing was heard of the gateway for too long.";

function readFrame(data: unknown): ServerFrame | undefined {
  try {
    const frame: ServerFrame = JSON.parse(String(data));
    return isObject(frame) ? frame : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a frame has the fields that the client reads; unknown types from newer gateways are ignored. */
function isWhole(frame: ServerFrame): boolean {
  switch (frame.type) {
    case "events":
      return Array.isArray(frame.events) && frame.events.every(isObject);
    case "sessions":
      return Array.isArray(frame.sessions);
    case "outcome":
      return isObject(frame.outcome);
    case "welcome":
    case "left":
    case "pong":
    case "error":
      return true;
    default:
      frame satisfies never;
      return true;
  }
}
