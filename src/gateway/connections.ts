/** Tracks every connection of a gateway: limits those without a token, and closes those that stall. */

import type { Socket } from "node:net";
import { gatewayBounds, stalledTimeMs } from "./bounds.ts";
import type { Clockwork } from "./clockwork.ts";
import { RateLimit } from "./pace.ts";

/** Connections that have shown no token for a second. */
const mostStrangers = 64;
/** Connections from one address that have shown no token for a second. */
export const mostStrangersOfAddress = 16;
/** Wait for the rest of a request to a gateway, or the next piece of an import, in milliseconds. */
const requestTimeMs = 30_000;

const { connections } = gatewayBounds;

/** Connecting and sending a first request takes less than this. */
const youngMs = 1_000;

export type GatewayConnection = {
  readonly socket: Socket;
  readonly address: string;
  readonly pace: RateLimit;
  readonly since: number;
  /** The client has shown a valid token. */
  isKnown: boolean;
  /** Bytes that the system has accepted for sending, and when that number last grew. */
  taken: { bytes: number; at: number };
  /** The request being read. `isLong`: its progress is checked piece by piece. */
  reading: { since: number; bytes: number; isLong: boolean; isOver: () => boolean } | undefined;
  /** Resolves when the reply to the newest request is complete. */
  replied: Promise<void> | undefined;
  /** Sends a closing message before the connection is cut. */
  slow: (() => void) | "said" | undefined;
};

type ConnectionNews = { closed: (why: "crowd" | "slow" | "late") => void };

export class Connections {
  readonly #all = new Map<Socket, GatewayConnection>();
  readonly #clock: Clockwork;
  readonly #news: ConnectionNews;
  #rest: (() => void) | undefined;

  constructor(clock: Clockwork, news: ConnectionNews) {
    this.#clock = clock;
    this.#news = news;
  }

  get size(): number {
    return this.#all.size;
  }

  of(socket: Socket): GatewayConnection | undefined {
    return this.#all.get(socket);
  }

  add(socket: Socket): void {
    if (this.#all.size >= connections.most && !this.#makeSpace()) {
      this.#news.closed("crowd");
      socket.destroy();
      return;
    }
    const now = this.#clock.now;
    const address = socket.remoteAddress ?? "";
    const taken = { bytes: 0, at: now };
    const news = {
      pace: new RateLimit(),
      since: now,
      isKnown: false,
      taken,
      reading: undefined,
      replied: undefined,
      slow: undefined,
    };
    this.#all.set(socket, { socket, address, ...news });
    this.#rest ??= this.#clock.watch((at) => this.#look(at));
    socket.once("close", () => this.#gone(socket));
  }

  closeAll(): void {
    for (const socket of this.#all.keys()) socket.destroy();
  }

  #gone(socket: Socket): void {
    this.#all.delete(socket);
    if (this.#all.size > 0) return;
    this.#rest?.();
    this.#rest = undefined;
  }

  /** Closes the oldest connection without a token to make room for a new one. */
  #makeSpace(): boolean {
    const stranger = [...this.#all.values()].find(({ isKnown }) => !isKnown);
    if (stranger) this.#end(stranger, "crowd");
    return stranger !== undefined;
  }

  #look(now: number): void {
    this.#thin(now);
    for (const connection of this.#all.values()) {
      if (isStalled(connection, now)) this.#endSlow(connection);
      else if (isLate(connection, now)) this.#end(connection, "late");
    }
  }

  /** Of the older connections without a token, only the newest may stay. */
  #thin(now: number): void {
    const old = [...this.#all.values()].filter(({ isKnown, since }) => !isKnown && now - since >= youngMs);
    const byAddress = new Map<string, number>();
    let kept = 0;
    for (const stranger of old.toReversed()) {
      const ofAddress = byAddress.get(stranger.address) ?? 0;
      if (kept >= mostStrangers || ofAddress >= mostStrangersOfAddress) this.#end(stranger, "crowd");
      else {
        kept += 1;
        byAddress.set(stranger.address, ofAddress + 1);
      }
    }
  }

  /** A client that does not even read the closing message is cut off at the next check. */
  #endSlow(connection: GatewayConnection): void {
    const { slow, socket } = connection;
    connection.slow = "said";
    if (slow === undefined) return this.#end(connection, "slow");
    if (slow === "said") return void socket.destroy();
    slow();
  }

  #end({ socket }: GatewayConnection, why: "crowd" | "slow" | "late"): void {
    this.#news.closed(why);
    socket.destroy();
    this.#gone(socket);
  }
}

/** The client has unread data and has read nothing for too long. */
function isStalled({ socket, taken }: GatewayConnection, now: number): boolean {
  if (socket.writableLength === 0) {
    taken.at = now;
    return false;
  }
  const bytes = socket.bytesWritten - socket.writableLength;
  if (bytes > taken.bytes) {
    taken.bytes = bytes;
    taken.at = now;
  }
  return now - taken.at >= stalledTimeMs;
}

function isLate({ socket, reading }: GatewayConnection, now: number): boolean {
  if (!reading || reading.isOver()) return false;
  if (reading.isLong && socket.bytesRead > reading.bytes) {
    reading.bytes = socket.bytesRead;
    reading.since = now;
  }
  return now - reading.since >= requestTimeMs;
}
