/** A self-reconnecting connection to a gateway: many sessions, their list, and commands over one socket. */

import { sleep } from "../base/async.ts";
import type { Command, CommandOutcome } from "../protocol/commands.ts";
import type { Entry, Signal } from "../protocol/facts.ts";
import type { SessionValue } from "./api-values.ts";
import { AskedCommands, withId } from "./asked-commands.ts";
import { Backoff } from "./backoff.ts";
import { remoteBounds } from "./bounds.ts";
import { FollowedSession, type FollowOptions } from "./followed-session.ts";
import { type ClientFrame, closeCodes, type ServerFrame } from "./frames.ts";
import { clientCodes, GatewayError } from "./gateway-error.ts";
import { Latest } from "./news.ts";
import { Socket, type SocketEnd, type SocketMaker } from "./socket.ts";

/** The state of the connection. @public */
export type LiveState =
  | { type: "connecting" }
  /** `version`: the gateway's version. */
  | { type: "open"; version: string }
  /** `until`: time of the next attempt, in milliseconds since 1970. */
  | { type: "waiting"; until: number; because: string }
  /** The token is refused: no further attempts. */
  | { type: "refused"; because: string }
  | { type: "closed" };

/** A gateway's list of sessions. @public */
export type SessionList = { sessions: SessionValue[]; more: boolean };

/**
 * Dependencies of a live connection; `refusal` checks with a request whether a refused token kept the socket from
 * opening.
 */
type LiveContext = {
  url: string;
  token: string;
  WebSocket: SocketMaker;
  refusal: () => Promise<string | undefined>;
  /** Sends a command that is too long for a frame as a request. */
  request: (session: string, command: Command) => Promise<CommandOutcome>;
  /** Source of "online" events; the browser's window by default. */
  network?: EventTarget | undefined;
  random?: (() => number) | undefined;
};

/** One connection for following and commanding sessions. @public */
export class LiveConnection {
  readonly #context: LiveContext;
  readonly #backoff: Backoff;
  readonly #followed = new Map<string, FollowedSession>();
  readonly #watchers = new Map<Latest<SessionList>, number>();
  readonly #commands: AskedCommands;
  readonly #states = new Latest<LiveState>();
  readonly #online = () => this.retry();
  #state: LiveState = { type: "connecting" };
  #socket: Socket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #names = 0;

  /** Starts connecting. The caller must close it. */
  constructor(context: LiveContext) {
    this.#context = context;
    this.#backoff = new Backoff(context.random);
    this.#commands = new AskedCommands((frame) => this.#send(frame));
    context.network?.addEventListener("online", this.#online);
    this.#connect();
  }

  state(): LiveState {
    return this.#state;
  }

  /** The present state and each later one; a slow reader skips intermediate states. */
  states(signal?: AbortSignal): AsyncIterable<LiveState> {
    return this.#states.values(signal);
  }

  /**
   * Facts after `after`, then what is open, then live events, until aborted: each fact once and in order, however often
   * the connection breaks. Signals restart with each connection, at offset 0 of what is open. Throws GatewayError if
   * the session cannot be followed or the token is refused.
   */
  async *follow(session: string, options: FollowOptions = {}): AsyncGenerator<Entry | Signal, void> {
    this.#names += 1;
    const followed = new FollowedSession(String(this.#names), {
      session,
      options,
      send: (frame) => this.#send(frame),
      rename: (previous) => this.#rename(previous),
    });
    this.#followed.set(followed.id, followed);
    try {
      if (this.#state.type === "open") followed.ask();
      if (this.#isOver) followed.end(this.#refused());
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
    if (this.#isOver) latest.end(this.#refused());
    try {
      yield* latest.values(signal);
    } finally {
      this.#watchers.delete(latest);
      this.#watchAll();
    }
  }

  /**
   * The command's outcome. Waits a limited time for a connection. If the connection breaks first, a message is sent
   * again, as the gateway recognises its id; any other command is not. Rejects with a GatewayError: "not-sent", or
   * "outcome-unknown".
   */
  command(session: string, command: Command): Promise<CommandOutcome> {
    if (this.#isOver) return Promise.reject(this.#refused() ?? closedHere());
    const isLong = JSON.stringify(command).length > remoteBounds.frameBytes.most / longestCharacter;
    return isLong ? this.#request(session, withId(command)) : this.#commands.ask(session, withId(command));
  }

  /** Reconnects now instead of later; an open connection is probed with a ping. */
  retry(): void {
    if (this.#state.type === "open") this.#socket?.check();
    if (this.#state.type !== "waiting") return;
    clearTimeout(this.#timer);
    this.#connect();
  }

  /** Ends all follows and watches of this client without error; the sessions keep running. */
  close(): void {
    if (this.#state.type === "closed") return;
    this.#finish({ type: "closed" });
    this.#socket?.close();
  }

  /** As over the socket, a message is retried for a limited time. */
  async #request(session: string, command: Command): Promise<CommandOutcome> {
    const backoff = new Backoff(this.#context.random);
    for (const begun = Date.now(); ;) {
      try {
        return await this.#context.request(session, command);
      } catch (error) {
        const isUnknown = error instanceof GatewayError && error.code === clientCodes.outcomeUnknown;
        const isLate = this.#isOver || Date.now() - begun > remoteBounds.unsentTime.most;
        if (!isUnknown || command.type !== "send" || isLate) throw error;
      }
      await sleep(backoff.next());
    }
  }

  #connect(): void {
    this.#tell({ type: "connecting" });
    this.#socket = new Socket(this.#context, {
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
        return this.#followed.get(frame.id)?.end(new GatewayError(frame));
      case "outcome":
        return this.#commands.told(frame.id, frame.outcome);
      case "sessions":
        return this.#listed(frame);
      case "error":
        return this.#commands.misunderstood(frame);
      case "pong":
        return undefined;
      default:
        return frame satisfies never;
    }
  }

  #opened(version: string): void {
    this.#backoff.opened();
    this.#tell({ type: "open", version });
    for (const followed of this.#followed.values()) followed.ask();
    if (this.#watchers.size > 0) this.#watchAll();
    this.#commands.opened();
  }

  async #ended({ code, because, wasOpen }: SocketEnd): Promise<void> {
    if (this.#isOver) return;
    this.#socket = undefined;
    this.#tell({ type: "connecting" }); // from here on nothing can be sent
    this.#commands.lost();
    const refusal = code === closeCodes.unauthorized ? because : wasOpen ? undefined : await this.#refusal();
    if (this.#isOver) return;
    if (refusal !== undefined) return this.#finish({ type: "refused", because: refusal });
    const wait = this.#backoff.next();
    const why = because === "" ? "The connection broke." : because;
    this.#tell({ type: "waiting", until: Date.now() + wait, because: why });
    this.#timer = setTimeout(() => this.#connect(), wait);
  }

  /** Needed because a browser does not report why a socket failed to open. */
  #refusal(): Promise<string | undefined> {
    return this.#context.refusal().catch(() => undefined);
  }

  /** Closes the connection for good. */
  #finish(state: LiveState): void {
    clearTimeout(this.#timer);
    this.#context.network?.removeEventListener("online", this.#online);
    this.#tell(state);
    this.#states.end();
    const refused = this.#refused();
    this.#commands.end((refused ?? closedHere()).message);
    for (const followed of this.#followed.values()) followed.end(refused);
    for (const watcher of this.#watchers.keys()) watcher.end(refused);
  }

  get #isOver(): boolean {
    return this.#state.type === "closed" || this.#state.type === "refused";
  }

  #refused(): GatewayError | undefined {
    const state = this.#state;
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

const closedHere = (): GatewayError =>
  new GatewayError({ code: clientCodes.closed, message: "This connection was closed here." });

/** The most bytes that one character of JSON text can take. */
const longestCharacter = 3;
