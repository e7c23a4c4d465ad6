/**
 * The lifecycle of one server: started, queried, restarted after a crash, given up, stopped. Its state is always known.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { untilAborted } from "../../base/async.ts";
import type { JsonObject } from "../../base/json.ts";
import { addedServerBounds } from "../bounds.ts";
import { longestRestMs, toolServerBounds } from "./bounds.ts";
import { type Connection, type Events, type ListKind, listAll, listKinds } from "./connection.ts";
import { problemOf, type ServerProblem } from "./problems.ts";

/** Interval between two readings of a tool server's changed lists, in milliseconds. */
export const againMs = 250;

type ServerState =
  | { type: "resting" }
  | { type: "starting" }
  | { type: "ready" }
  /** It ended or failed to start, and a restart is scheduled. */
  | { type: "waiting"; words: string }
  | { type: "login"; words: string }
  /** No further attempt until the next request. */
  | { type: "failed"; words: string };

/** `templates`: resources with URI templates; `cut`: lists that were truncated. */
type Lists = Record<ListKind | "templates", readonly JsonObject[]> & { cut: readonly ListKind[] };
const noLists: Lists = { tools: [], resources: [], prompts: [], templates: [], cut: [] };

/** The server's latest lists. */
type ServerLists = Lists & Pick<Connection, "title" | "instructions">;

export type ServerConnector = {
  connect(events: Events, signal: AbortSignal): Promise<Connection>;
  /** The state or the lists have changed. */
  changed(): void;
  /** Redacts secrets from the server's messages. */
  hide?: (words: string) => string;
  /** Milliseconds before a restart, by the number of consecutive failures. */
  restAfter?: (failures: number) => number;
};

type ServerReply =
  | { ok: true; value: JsonObject }
  | { ok: false; outcome: "failed" | "timeout"; problem: string };

type AskHow = {
  signal: AbortSignal;
  /** Milliseconds without any progress. */
  timeout: number;
  progress?(words: string): void;
};

const mostFailures = toolServerBounds.restarts.most;
/** A server that ran for this long has no start problem, so its failures are reset. */
const steadyMs = longestRestMs;
const usualRest = (failures: number): number => Math.min(longestRestMs, 1_000 * 2 ** (failures - 1));

export class McpServer {
  readonly name: string;
  readonly #context: ServerConnector;
  #state: ServerState = { type: "resting" };
  #offer: ServerLists | undefined;
  #connection: Connection | undefined;
  #controller = new AbortController();
  #connecting: Promise<void> | undefined;
  #leaving: Promise<void> = Promise.resolve();
  #refreshing: Promise<void> | undefined;
  readonly #stale = new Set<ListKind>();
  #floods = false;
  #failures = 0;
  #readySince = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(name: string, context: ServerConnector) {
    this.name = name;
    this.#context = context;
  }

  get state(): ServerState {
    return this.#state;
  }

  /** Undefined before it was first ready, and after it is given up. */
  get offer(): ServerLists | undefined {
    return this.#offer;
  }

  /** Whether messages have ever been skipped. */
  get floods(): boolean {
    return this.#floods;
  }

  start(): void {
    if (this.#state.type !== "resting") return;
    this.#failures = 0;
    this.#connect();
  }

  /** Allows another attempt after giving up, or after a missing login. */
  revive(): void {
    if (this.#state.type === "failed" || this.#state.type === "login") this.#state = { type: "resting" };
  }

  /** Resolves when no start is in progress. */
  async settled(): Promise<void> {
    while (this.#connecting) await this.#connecting;
  }

  #connect(): void {
    clearTimeout(this.#timer);
    this.#set({ type: "starting" });
    const connecting = this.#begin(this.#controller.signal).finally(() => {
      if (this.#connecting === connecting) this.#connecting = undefined;
    });
    this.#connecting = connecting;
  }

  async #begin(signal: AbortSignal): Promise<void> {
    await this.#leaving;
    const late = AbortSignal.timeout(addedServerBounds.start.most);
    let connection: Connection | undefined;
    let lost: { how: string | undefined } | undefined;
    try {
      const events: Events = {
        changed: (kind) => this.#refresh(kind),
        floods: () => (this.#floods = true),
        closed: (how) => {
          lost = { how };
          if (connection && this.#connection === connection) this.#lost(how ?? "the connection was closed");
        },
      };
      this.#stale.clear();
      connection = await this.#context.connect(events, AbortSignal.any([signal, late]));
      this.#offer = await offerOf(connection, AbortSignal.any([signal, late]));
      signal.throwIfAborted();
      if (lost) throw new Error(lost.how ?? "the connection was closed");
      this.#connection = connection;
      this.#readySince = Date.now();
      this.#set({ type: "ready" });
      for (const kind of this.#stale) this.#refresh(kind);
    } catch (error) {
      await connection?.close();
      if (signal.aborted) return;
      if (late.aborted) this.#failed(`it did not answer within ${addedServerBounds.start.most / 1_000} s`);
      else this.#problem(lost?.how === undefined ? error : new Error(lost.how));
    }
  }

  #problem(error: unknown): void {
    const { kind, words } = this.#problemOf(error);
    if (kind === "login") this.#set({ type: "login", words });
    else this.#failed(words);
  }

  #problemOf(error: unknown): ServerProblem {
    const { kind, words } = problemOf(error);
    return { kind, words: this.#context.hide?.(words) ?? words };
  }

  /** Its remaining processes must be gone before a restart. */
  #leave(): void {
    this.#leaving = this.#connection?.close() ?? this.#leaving;
    this.#connection = undefined;
  }

  #lost(how: string): void {
    this.#leave();
    if (Date.now() - this.#readySince > steadyMs) this.#failures = 0;
    this.#failed(this.#context.hide?.(how) ?? how);
  }

  #failed(said: string): void {
    const words = said.replace(/[.\s]+$/u, ""); // they become part of our sentences
    this.#failures += 1;
    if (this.#failures >= mostFailures) {
      this.#offer = undefined;
      this.#set({ type: "failed", words });
      return;
    }
    const rest = (this.#context.restAfter ?? usualRest)(this.#failures);
    this.#timer = setTimeout(() => this.#connect(), rest).unref();
    this.#set({ type: "waiting", words });
  }

  #set(state: ServerState): void {
    this.#state = state;
    this.#context.changed();
  }

  /**
   * Rereads at once after the first change; under constant changes, at a rate that leaves most of the time for other
   * requests.
   */
  #refresh(kind: ListKind): void {
    this.#stale.add(kind);
    // Changes before it is ready are picked up on connecting.
    if (this.#connection)
      this.#refreshing ??= this.#readAgain().finally(() => (this.#refreshing = undefined));
  }

  async #readAgain(): Promise<void> {
    const { signal } = this.#controller;
    while (this.#stale.size > 0 && this.#connection && this.#offer && !signal.aborted) {
      const kinds = [...this.#stale];
      this.#stale.clear();
      const since = performance.now();
      const read = await listsOf(this.#connection, signal, kinds).catch(() => undefined); // keeps the old lists
      if (read && this.#offer) {
        const cut = [...this.#offer.cut.filter((kind) => !kinds.includes(kind)), ...(read.cut ?? [])];
        this.#offer = { ...this.#offer, ...read, cut };
      }
      this.#context.changed();
      const took = performance.now() - since;
      const rest = Math.min(longestRestMs, Math.max(againMs, 9 * took));
      await sleep(rest, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Throws only if the signal is aborted. */
  async ask(method: string, params: JsonObject, how: AskHow): Promise<ServerReply> {
    const asked = await this.#askOnce(method, params, how);
    if (asked !== "over") return asked;
    const again = await this.#askOnce(method, params, how);
    if (again !== "over") return again;
    return failedReply(
      `The server ${this.name} does not take this call: it says each time that it knows no such connection.`,
    );
  }

  /** "over": the server had lost our session and did nothing; a new connection exists by now. */
  async #askOnce(method: string, params: JsonObject, how: AskHow): Promise<ServerReply | "over"> {
    if (this.#state.type === "starting") await untilAborted(this.settled(), how.signal);
    const connection = this.#connection;
    if (!connection) return failedReply(this.whyNot());
    try {
      const value = await connection.ask(method, params, {
        signal: how.signal,
        timeout: how.timeout,
        resetTimeoutOnProgress: true,
        maxTotalTimeout: Math.max(how.timeout, toolServerBounds.wholeCall.most),
        onprogress: ({ progress, total, message }) => how.progress?.(progressWords(progress, total, message)),
      });
      return { ok: true, value };
    } catch (error) {
      how.signal.throwIfAborted();
      return this.#askedInVain(error, connection, how);
    }
  }

  async #askedInVain(
    error: unknown,
    connection: Connection,
    { timeout, signal }: AskHow,
  ): Promise<ServerReply | "over"> {
    const { kind, words } = this.#problemOf(error);
    switch (kind) {
      case "time":
        return {
          ok: false,
          outcome: "timeout",
          problem: `The server ${this.name} gave no answer for ${timeout / 1_000} s, and was told to stop.`,
        };
      case "answer":
        return failedReply(`The server ${this.name} says: ${words}`);
      case "unread":
        return failedReply(`The server ${this.name} has answered, but ${words}.`);
      case "refused":
        return failedReply(`The server ${this.name} did not take the call: ${words}.`);
      case "login":
        if (this.#connection === connection) {
          this.#leave();
          this.#set({ type: "login", words });
        }
        return failedReply(this.whyNot());
      case "over":
        if (this.#connection === connection) {
          this.#leave();
          this.#connect();
        }
        await untilAborted(this.settled(), signal);
        return "over";
      case "gone":
        if (this.#connection === connection) this.#lost(words);
        return failedReply(this.whyNot());
      default:
        return kind satisfies never;
    }
  }

  /** Why requests are impossible now, for people and models. */
  whyNot(): string {
    const state = this.#state;
    const who = `The server ${this.name}`;
    switch (state.type) {
      case "resting":
      case "starting":
        return `${who} is not there yet: try again in a moment.`;
      case "ready":
        return `${who} has just ended: try again.`;
      case "waiting":
        return `${who} is not running (${state.words}). It is started again by itself: try again in a moment.`;
      case "login":
        return `${who} wants a login, which only the user can do: with \`toolwright mcp login ${this.name}\`.`;
      case "failed":
        return `${who} was given up after ${this.#failures} starts that came to nothing (${state.words}). See \`toolwright mcp list\`; do without it.`;
      default:
        return state satisfies never;
    }
  }

  /** Final: none of its processes runs when this resolves. */
  async close(): Promise<void> {
    this.#controller.abort(new Error("the session is over"));
    clearTimeout(this.#timer);
    this.#leave();
    await Promise.allSettled([this.settled(), this.#leaving, this.#refreshing]);
    this.#state = { type: "resting" };
    this.#offer = undefined;
    this.#controller = new AbortController();
  }
}

const failedReply = (problem: string): ServerReply => ({ ok: false, outcome: "failed", problem });

function progressWords(progress: number, total: number | undefined, message: string | undefined): string {
  const share = total === undefined ? `${progress}` : `${progress} of ${total}`;
  return `${share}${message === undefined ? "" : `: ${message}`}\n`;
}

async function offerOf(connection: Connection, signal: AbortSignal): Promise<ServerLists> {
  const { title, instructions } = connection;
  const read = await listsOf(connection, signal, listKinds);
  return { ...noLists, ...read, title, instructions };
}

/** Reads only these lists; one that fails counts as empty, except for the tools. */
async function listsOf(
  connection: Connection,
  signal: AbortSignal,
  kinds: readonly ListKind[],
): Promise<Partial<Lists>> {
  const read: Partial<Lists> = {};
  const cut: ListKind[] = [];
  for (const kind of kinds) {
    if (!connection.has[kind]) continue;
    const list = listAll(connection, `${kind}/list`, { key: kind, signal });
    const { items, isCut } = await (kind === "tools" ? list : list.catch(() => nothing));
    read[kind] = items;
    if (isCut) cut.push(kind);
  }
  if (read.resources) {
    const how = { key: "resourceTemplates", signal };
    read.templates = (await listAll(connection, "resources/templates/list", how).catch(() => nothing)).items;
  }
  return { ...read, cut };
}

const nothing = { items: [], isCut: false };
