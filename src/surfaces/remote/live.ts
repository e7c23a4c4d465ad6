/** A connection to a gateway that is made anew whenever it breaks: many sessions, their list, and commands over one socket. */
import { bounds } from "../../base/bounds.ts";
import type { Command, CommandOutcome } from "../../protocol/commands.ts";
import type { Entry, Signal } from "../../protocol/facts.ts";
import type { SessionValue } from "./api-values.ts";
import { AskedCommands } from "./asked-commands.ts";
import { Followed, type FollowOptions } from "./followed.ts";
import { type ClientFrame, closeCodes, type ServerFrame } from "./frames.ts";
import { clientCodes, GatewayError } from "./gateway-error.ts";
import { Latest } from "./news.ts";
import { openSocket, type Socket, type SocketEnd, type SocketMaker } from "./socket.ts";
import { Waits } from "./waits.ts";

export type LiveState =
  | { type: "connecting" }
  /** `version`: the gateway's. */
  | { type: "open"; version: string }
  /** `until`: when the next try begins, in milliseconds since 1970. */
  | { type: "waiting"; until: number; because: string }
  /** The token is not accepted: nothing is tried any more. */
  | { type: "refused"; because: string }
  | { type: "closed" };

export type SessionList = { sessions: SessionValue[]; more: boolean };

/** What a live connection needs; `refusal` asks by a request whether the token is the reason why no socket opened. */
export type LiveRoom = {
  url: string;
  token: string;
  WebSocket: SocketMaker;
  refusal: () => Promise<string | undefined>;
  /** Carries out a command that is too long for a frame. */
  request: (session: string, command: Command) => Promise<CommandOutcome>;
  /** Where "online" is told; the browser's window unless given. */
  network?: EventTarget | undefined;
  random?: (() => number) | undefined;
};

export class Live {
  readonly #room: LiveRoom;
  readonly #waits: Waits;
  readonly #followed = new Map<string, Followed>();
  readonly #watchers = new Map<Latest<SessionList>, number>();
  readonly #commands: AskedCommands;
  readonly #states = new Latest<LiveState>();
  readonly #online = () => this.retry();
  #state: LiveState = { type: "connecting" };
  #socket: Socket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #names = 0;

  /** Begins to connect. To be closed by whoever made it. */
  constructor(room: LiveRoom) {
    this.#room = room;
    this.#waits = new Waits(room.random);
    this.#commands = new AskedCommands((frame) => this.#send(frame));
    room.network?.addEventListener("online", this.#online);
    this.#connect();
  }

  state(): LiveState {
    return this.#state;
  }

  /** The present state and each later one; who reads slowly misses what was in between. */
  states(signal?: AbortSignal): AsyncIterable<LiveState> {
    return this.#states.values(signal);
  }

  /**
   * Facts after `after`, then what is open, then live, until aborted: each fact once and in order, however often the
   * connection breaks. Signals begin anew with each connection, at offset 0 of what is open. Throws GatewayError where
   * the session cannot be followed, or nothing any more.
   */
  async *follow(session: string, options: FollowOptions = {}): AsyncGenerator<Entry | Signal, void> {
    this.#names += 1;
    const followed = new Followed(String(this.#names), {
      session,
      options,
      send: (frame) => this.#send(frame),
      rename: (previous) => this.#rename(previous),
    });
    this.#followed.set(followed.id, followed);
    try {
      if (this.#state.type === "open") followed.ask();
      const over = this.#over();
      if (over) followed.fail(over);
      yield* followed.events();
    } finally {
      this.#followed.delete(followed.id);
    }
  }

  /** The newest `limit` sessions, now and whenever the list changes, until aborted. Throws GatewayError. */
  async *watch(limit: number, signal?: AbortSignal): AsyncGenerator<SessionList, void> {
    const latest = new Latest<SessionList>();
    this.#watchers.set(latest, limit);
    this.#watchAll();
    const over = this.#over();
    if (over) latest.fail(over);
    try {
      yield* latest.values(signal);
    } finally {
      this.#watchers.delete(latest);
      this.#watchAll();
    }
  }

  /**
   * What came of the command. It waits for a connection, not for long. Where that breaks before the outcome was told, a
   * message is sent again, which the gateway knows by its id; everything else is not. Rejects with a GatewayError:
   * "not-sent", or "outcome-unknown".
   */
  command(session: string, command: Command): Promise<CommandOutcome> {
    const over = this.#over();
    if (over) return Promise.reject(over);
    const isLong = JSON.stringify(command).length > bounds.gateway.frameBytes.most / longestCharacter;
    return isLong ? this.#room.request(session, command) : this.#commands.ask(session, command);
  }

  /** Tries now instead of later; an open connection is asked whether it still is. */
  retry(): void {
    if (this.#state.type === "open") this.#socket?.check();
    if (this.#state.type !== "waiting") return;
    clearTimeout(this.#timer);
    this.#connect();
  }

  /** Ends what is followed and watched here; nobody is told to stop what runs there. */
  close(): void {
    if (this.#state.type === "closed") return;
    this.#finish({ type: "closed" });
    this.#socket?.close();
  }

  #connect(): void {
    this.#tell({ type: "connecting" });
    this.#socket = openSocket(this.#room, {
      heard: (frame, characters) => this.#hear(frame, characters),
      ended: (end) => void this.#ended(end),
    });
  }

  #hear(frame: ServerFrame, characters: number): void {
    switch (frame.type) {
      case "welcome":
        return this.#opened(frame.version);
      case "events":
        return this.#followed.get(frame.id)?.take(frame.events, characters);
      case "left":
        return this.#followed.get(frame.id)?.fail(new GatewayError(frame));
      case "outcome":
        return this.#commands.told(frame.id, frame.outcome);
      case "sessions":
        return this.#listed(frame);
      case "error":
      case "pong":
        return undefined;
      default:
        return frame satisfies never;
    }
  }

  #opened(version: string): void {
    this.#waits.opened();
    this.#tell({ type: "open", version });
    for (const followed of this.#followed.values()) followed.ask();
    this.#watchAll();
    this.#commands.opened();
  }

  async #ended({ code, because, wasOpen }: SocketEnd): Promise<void> {
    if (this.#over()) return;
    this.#socket = undefined;
    this.#tell({ type: "connecting" }); // nothing can be sent from here on
    this.#commands.lost();
    const refusal = code === closeCodes.unauthorized ? because : wasOpen ? undefined : await this.#refusal();
    if (this.#over()) return;
    if (refusal !== undefined) return this.#finish({ type: "refused", because: refusal });
    const wait = this.#waits.next();
    const why = because === "" ? "The connection broke." : because;
    this.#tell({ type: "waiting", until: Date.now() + wait, because: why });
    this.#timer = setTimeout(() => this.#connect(), wait);
  }

  /** A browser does not say why a socket did not open. */
  #refusal(): Promise<string | undefined> {
    return this.#room.refusal().catch(() => undefined);
  }

  /** For good. */
  #finish(state: LiveState): void {
    clearTimeout(this.#timer);
    this.#room.network?.removeEventListener("online", this.#online);
    this.#tell(state);
    const over = this.#over();
    if (!over) return;
    this.#commands.end(over.message);
    for (const followed of this.#followed.values()) followed.fail(over);
    for (const watcher of this.#watchers.keys()) watcher.fail(over);
  }

  #over(): GatewayError | undefined {
    const state = this.#state;
    if (state.type === "closed")
      return new GatewayError({ code: clientCodes.closed, message: "This connection was closed here." });
    if (state.type !== "refused") return undefined;
    return new GatewayError({ status: 401, code: "unauthorized", message: state.because });
  }

  #tell(state: LiveState): void {
    this.#state = state;
    this.#states.set(state);
  }

  #send(frame: ClientFrame): boolean {
    if (this.#state.type !== "open") return false;
    this.#socket?.send(frame);
    return true;
  }

  #rename(previous: string): string {
    this.#names += 1;
    const id = String(this.#names);
    const followed = this.#followed.get(previous);
    this.#followed.delete(previous);
    if (followed) this.#followed.set(id, followed);
    return id;
  }

  #watchAll(): void {
    const limit = Math.max(0, ...this.#watchers.values());
    this.#send(limit > 0 ? { type: "watch", limit } : { type: "unwatch" });
  }

  #listed({ sessions, more }: SessionList): void {
    for (const [watcher, limit] of this.#watchers)
      watcher.set({ sessions: sessions.slice(0, limit), more: more || sessions.length > limit });
  }
}

/** Bytes that a character of JSON text may take on its way. */
const longestCharacter = 3;
