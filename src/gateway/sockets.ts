/** Manages every socket from upgrade to close: token, rate limit, heartbeats and frame dispatch. */

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { isObject, parseJson } from "../base/json.ts";
import { remoteBounds } from "../remote/bounds.ts";
import { closeCodes, socketProtocol } from "../remote/frames.ts";
import { stalledTimeMs, beatTimeMs } from "./bounds.ts";
import { type ChatContext, type ChatSocket, chatContext, openChat } from "./chat/chat.ts";
import type { GatewayConnection } from "./connections.ts";
import type { Bearer } from "./devices.ts";
import type { Door } from "./door.ts";
import { type GatewayContext, gatewayFor, logFailure } from "./gateway-context.ts";
import { Outbox, tooSlow } from "./outbox.ts";
import { refuseRaw } from "./raw-reply.ts";
import { refusal } from "./refusal.ts";
import { SharedSessionList } from "./session-list.ts";
import { sessionSocket } from "./session-socket.ts";
import { admission, chatPath } from "./upgrade.ts";

/** Wait for the token of a socket that was opened without one, in milliseconds. */
const helloTimeMs = 2_000;
/** Silence of a client that was pinged, in milliseconds. */
const quietTimeMs = 60_000;

const { frameBytes } = remoteBounds;

export type Sockets = {
  upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  readonly size: number;
  /** Closes all sockets with a close frame. */
  close(): void;
};

export function gatewaySockets(
  gateway: GatewayContext,
  door: Door,
  { answerWithinMs }: { answerWithinMs?: number } = {},
): Sockets {
  const server = new WebSocketServer(serverOptions);
  server.on("wsClientError", (error, socket) =>
    refuseRaw(socket, refusal(400, "bad-upgrade", `This is not a WebSocket upgrade: ${error.message}.`)),
  );
  const shared = {
    gateway,
    list: new SharedSessionList(gateway.host),
    chat: chatContext(gateway.host, answerWithinMs === undefined ? {} : { answerWithinMs }),
  };
  return {
    async upgrade(incoming, socket, head) {
      const { method = "", url: target = "", rawHeaders: raw } = incoming;
      const broken = (): void => void socket.destroy(); // until somebody else listens
      socket.on("error", broken);
      const admitted = await admission(door, { method, target, raw });
      socket.off("error", broken);
      if (socket.destroyed) return;
      const connection = gateway.connections.of(incoming.socket);
      if ("refused" in admitted || !connection) {
        const refused = "refused" in admitted ? admitted.refused : gone;
        gateway.counts.one("refused_total", { reason: refused.code });
        return refuseRaw(socket, refused);
      }
      const { path, bearer } = admitted;
      connection.isKnown = typeof bearer === "object";
      server.handleUpgrade(incoming, socket, head, (opened) => {
        const session = new URLSearchParams(target.split("?")[1] ?? "").get("session") ?? undefined;
        serve(opened, { ...shared, connection, path, session, bearer });
      });
    },
    get size() {
      return server.clients.size;
    },
    close() {
      for (const client of server.clients) client.close(closeCodes.stopping, "The gateway is stopping.");
      server.close();
    },
  };
}

/** `closeTimeout`: milliseconds that the client has to answer the close frame. */
const serverOptions = {
  noServer: true,
  maxPayload: frameBytes.most,
  perMessageDeflate: false,
  closeTimeout: stalledTimeMs,
  handleProtocols: (offered: ReadonlySet<string>) =>
    offered.has(socketProtocol) ? socketProtocol : (false as const),
};

const gone = refusal(503, "stopping", "This connection is being closed.");

type SocketParts = {
  gateway: GatewayContext;
  list: SharedSessionList;
  chat: ChatContext;
  connection: GatewayConnection;
  path: string;
  /** The session for the chat protocol; absent for a new one. */
  session: string | undefined;
  /** Who came with the upgrade. "wrong": the token offered is invalid; "hello": none was, so a frame must bring it. */
  bearer: Bearer | "hello" | "wrong";
};

/** The OpenSocket lives as long as the socket, whose listeners hold it. */
const serve = (socket: WebSocket, parts: SocketParts): OpenSocket => new OpenSocket(socket, parts);

class OpenSocket {
  readonly #socket: WebSocket;
  readonly #parts: SocketParts;
  readonly #openedAt: number;
  #heardAt: number;
  /** When the last ping was sent, and how many are unanswered. */
  #askedAt: number;
  #asked = 0;
  #isBroken = false;
  #isEnded = false;
  /** Set once the client is admitted; receives its frames. */
  #hear: ((text: string) => void) | undefined;

  constructor(socket: WebSocket, parts: SocketParts) {
    const { gateway, connection } = parts;
    this.#socket = socket;
    this.#parts = parts;
    this.#openedAt = this.#heardAt = this.#askedAt = gateway.clock.now;
    gateway.counts.one("sockets_total");
    connection.slow = () => this.#end(closeCodes.tooSlow, tooSlow);
    socket.on("message", (data, isBinary) => this.#message(data, isBinary));
    socket.on("pong", () => this.#heard());
    socket.on("ping", () => this.#isInPace(this.#heard()));
    socket.on("error", () => this.#broken());
    const rest = gateway.clock.watch((now) => this.#look(now));
    socket.once("close", rest);
    const { bearer } = parts;
    if (bearer === "wrong") this.#end(closeCodes.unauthorized, wrongToken);
    else if (bearer !== "hello") this.#letIn(bearer);
  }

  #message(data: RawData, isBinary: boolean): void {
    const { gateway } = this.#parts;
    const now = this.#heard();
    gateway.counts.one("frames_total");
    if (isBinary || !Buffer.isBuffer(data)) return this.#end(closeCodes.notText, "Frames are JSON texts.");
    if (!this.#isInPace(now)) return;
    const text = data.toString("utf8");
    if (this.#hear) this.#hear(text);
    else this.#hello(helloToken(text));
  }

  #isInPace(now: number): boolean {
    const isInPace = this.#parts.connection.pace.take(now);
    if (!isInPace) this.#end(closeCodes.tooMany, "Too many frames in a short time.");
    return isInPace;
  }

  /** For an oversized or invalid frame: lets the close frame go out and stops reading. */
  #broken(): void {
    this.#isBroken = true;
    this.#parts.gateway.counts.one("closed_total", { reason: "bad-frame" });
    setImmediate(() => this.#parts.connection.socket.pause());
  }

  #hello(token: string | undefined): void {
    if (token === undefined) return this.#end(closeCodes.unauthorized, noToken);
    const waiting: string[] = [];
    this.#hear = (text) => void waiting.push(text);
    void this.#admit(token, waiting);
  }

  /** Frames that come until then are heard afterwards. */
  async #admit(token: string, waiting: readonly string[]): Promise<void> {
    const { gateway } = this.#parts;
    const bearer = await gateway.keys.bearer(token).catch((error: unknown) => {
      logFailure(gateway, "a token could not be looked up", error);
    });
    if (this.#isEnded) return;
    if (!bearer) return this.#end(closeCodes.unauthorized, wrongToken);
    this.#letIn(bearer);
    for (const text of waiting) this.#hear?.(text);
  }

  #letIn(bearer: Bearer): void {
    if (bearer.type !== "program") this.#leaveWith(bearer.signedOut);
    const { connection, path, session } = this.#parts;
    const gateway = gatewayFor(this.#parts.gateway, bearer);
    const { host } = gateway;
    connection.isKnown = true;
    if (path !== chatPath) {
      const list = bearer.type === "person" ? new SharedSessionList(host) : this.#parts.list;
      this.#hear = sessionSocket(this.#socket, { gateway, list, bearer }).hear;
      return;
    }
    openChat(this.#chatSocket(), { ...this.#parts.chat, host }, session);
  }

  #leaveWith(signedOut: AbortSignal): void {
    const end = (): void => this.#end(closeCodes.unauthorized, revoked);
    signedOut.addEventListener("abort", end);
    this.#socket.once("close", () => signedOut.removeEventListener("abort", end));
  }

  #chatSocket(): ChatSocket {
    const socket = this.#socket;
    const outbox = new Outbox(socket, this.#parts.gateway.counts);
    return {
      send: (frame) => outbox.put(frame),
      close: (code, reason) => socket.close(code, reason),
      onMessage: (listener) => {
        this.#hear = listener;
      },
      onClose: (listener) => void socket.once("close", () => listener()),
    };
  }

  #heard(): number {
    this.#heardAt = this.#parts.gateway.clock.now;
    this.#asked = 0;
    return this.#heardAt;
  }

  #look(now: number): void {
    const { connection } = this.#parts;
    if (!connection.isKnown && now - this.#openedAt >= helloTimeMs)
      return this.#end(closeCodes.unauthorized, noToken);
    if (this.#isBroken) return this.#socket.terminate();
    if (now - Math.max(this.#heardAt, this.#askedAt) < beatTimeMs) return;
    // Counted in pings, not in time: this machine may have slept.
    if (this.#asked >= quietTimeMs / beatTimeMs) return this.#socket.terminate();
    this.#asked += 1;
    this.#askedAt = now;
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping();
  }

  #end(code: number, reason: string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#parts.gateway.counts.one("closed_total", { reason: reasons[code] ?? String(code) });
    this.#socket.close(code, reason);
    this.#hear = () => undefined;
  }
}

/** The token of a `hello` frame; undefined if the frame is another or has none. */
function helloToken(text: string): string | undefined {
  const frame = parseJson(text);
  if (!frame.ok || !isObject(frame.value) || frame.value["type"] !== "hello") return undefined;
  const { token } = frame.value;
  return typeof token === "string" ? token : undefined;
}

/** Close reasons as monitoring labels. */
const reasons: Readonly<Record<number, string>> = {
  [closeCodes.notText]: "not-text",
  [closeCodes.tooSlow]: "slow",
  [closeCodes.tooMany]: "too-many",
  [closeCodes.unauthorized]: "unauthorized",
};

const wrongToken = "Unknown or revoked token: `toolwright serve link` prints a link with a valid one.";
/** A close frame has room for 123 bytes. */
const revoked = "This browser was signed out. `toolwright serve link` prints a link that signs it in again.";
const noToken = "No token: send it as a WebSocket subprotocol or in the first frame.";
