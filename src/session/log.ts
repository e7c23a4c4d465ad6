/**
 * A running session's log: facts are stored first, then announced, with signals in between. Nothing else can announce.
 */

import type { KeepOut } from "../base/keep-out.ts";
import { factVersion } from "../protocol/fact-words.ts";
import type { Entry, Fact, Signal } from "../protocol/facts.ts";
import { step } from "../protocol/fold.ts";
import type { ToolCall } from "../protocol/messages.ts";
import { emptyState, type SessionState } from "../protocol/session-state.ts";
import { Follower, type FollowedLog } from "./follower.ts";
import { KeptOutStream } from "./kept-out-stream.ts";
import { LogWindow, type WindowSize } from "./log-window.ts";
import { OpenBlockKeeper, OpenBlockText } from "./open-block.ts";
import { OpenOutputs } from "./open-outputs.ts";
import { pagesOf, pageUpTo } from "./pages.ts";
import { SignalBatch } from "./signal-batch.ts";
import { notWhole } from "./store-rules.ts";
import { StaleEpoch, type Store } from "./store.ts";

export type LogSetup = {
  store: Store;
  session: string;
  /** From `store.claim`. */
  epoch: number;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Minimum time between two batches of signals (A25). */
  batchMs?: number;
  /** Values that no fact and no signal may hold. */
  keepOut?: KeepOut | undefined;
  /** How many of the newest entries are held in memory; replaced in tests. */
  window?: WindowSize;
};

type LogListener = (event: Entry | Signal) => void;

type AppendRequest = {
  facts: readonly Fact[];
  /** Signals that arrived before these facts and must be delivered before them. */
  before: Signal[];
  resolve: (entries: Entry[]) => void;
  reject: (error: unknown) => void;
};

export class SessionLog {
  readonly #store: Store;
  readonly #session: string;
  readonly #epoch: number;
  readonly #now: () => number;
  readonly #window: LogWindow;
  readonly #listeners = new Set<LogListener>();
  readonly #batch: SignalBatch;
  readonly #keeper: OpenBlockKeeper;
  /** Values that no fact, signal or other record of this session holds. */
  readonly keepOut: KeepOut | undefined;
  readonly #stream: KeptOutStream | undefined;
  /** Calls whose facts lack a value that they were made with. */
  readonly #saidCalls = new Map<string, ToolCall>();
  #state = emptyState();
  /** The number of the entry that ended the last turn. */
  #lastTurnEnd = 0;
  #open: OpenBlockText | undefined;
  readonly #outputs = new OpenOutputs();
  #queue: AppendRequest[] = [];
  #isWriting = false;
  #timer: NodeJS.Timeout | undefined;
  #broken: unknown;

  /** Reads all entries page by page and folds them. Throws StoreError, also if some are missing. */
  static async open(setup: LogSetup): Promise<SessionLog> {
    const { store, session } = setup;
    const log = new SessionLog(setup);
    const facts = (await store.heads([session])).get(session) ?? 0;
    for await (const page of pagesOf(store, session)) {
      for (const entry of page) {
        const read = log.#state.seq;
        if (entry.seq !== read + 1) throw notWhole(session, { facts, read });
        log.#fold(entry);
      }
    }
    const read = log.#state.seq;
    if (read !== facts) throw notWhole(session, { facts, read });
    return log;
  }

  private constructor(setup: LogSetup) {
    this.#store = setup.store;
    this.#session = setup.session;
    this.#epoch = setup.epoch;
    this.#now = setup.now ?? Date.now;
    this.#window = new LogWindow(setup.window);
    this.#batch = new SignalBatch(setup.batchMs ?? 32, this.#now);
    this.keepOut = setup.keepOut;
    this.#stream = setup.keepOut && new KeptOutStream(setup.keepOut);
    const keep = this.#store.keepOpenBlock.bind(this.#store, this.#session, this.#epoch);
    this.#keeper = new OpenBlockKeeper(keep, this.#now);
  }

  /** The fold of all entries, changed in place as the log grows. */
  get state(): SessionState {
    return this.#state;
  }

  /** The newest entries, as far as held in memory: all of a short session. Use `read` for older ones. */
  get entries(): readonly Entry[] {
    return this.#window.entries;
  }

  /** Entries after `after`, up to the newest at the time. Throws StoreError. */
  async *read(after: number): AsyncGenerator<Entry, void> {
    const { last } = this.#window;
    for (let cursor = Math.max(0, after); cursor < last;) {
      const held = this.#window.at(cursor + 1);
      const page = held ? [held] : await this.#older(cursor);
      for (const entry of page) if (entry.seq <= last) yield entry;
      cursor = page.at(-1)?.seq ?? last;
    }
  }

  /** Entries since the last turn ended. Throws StoreError. */
  async openTurn(): Promise<Entry[]> {
    const entries: Entry[] = [];
    for await (const entry of this.read(this.#lastTurnEnd)) entries.push(entry);
    return entries;
  }

  /** Why the last append failed; undefined if it succeeded. Permanent after a StaleEpoch. */
  get broken(): unknown {
    return this.#broken;
  }

  /**
   * Stamps the facts, stores them in one transaction, folds them and announces them, in the order of the calls. Rejects
   * with StaleEpoch or StoreError; then none of them was stored or announced.
   */
  append(...facts: Fact[]): Promise<Entry[]> {
    if (this.#broken instanceof StaleEpoch) return Promise.reject(this.#broken);
    if (facts.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      const stored = facts.map((fact) => this.#kept(fact));
      this.#queue.push({ facts: stored, before: this.#batch.takeAll(), resolve, reject });
      if (!this.#isWriting) void this.#write();
    });
  }

  /** A call as the model made it, as long as this process lives: its fact lacks the values that are kept out. */
  callAsMade(call: ToolCall): ToolCall {
    return this.#saidCalls.get(call.id) ?? call;
  }

  /** The same for a text that is stored beside the facts. */
  keptOutOf(bytes: Uint8Array): Uint8Array {
    if (this.keepOut === undefined) return bytes;
    const text = Buffer.from(bytes).toString("utf8");
    const kept = this.keepOut.text(text);
    return kept === text ? bytes : Buffer.from(kept);
  }

  #kept(fact: Fact): Fact {
    const kept = this.keepOut?.data(fact) ?? fact;
    if (fact.type === "call" && kept !== fact) this.#saidCalls.set(fact.call.id, fact.call);
    if (fact.type === "text" || fact.type === "reasoning") this.#stream?.over();
    return kept;
  }

  /**
   * Rejects with StaleEpoch if another process has taken the session: called before an action that the log must record.
   */
  confirm(): Promise<void> {
    if (this.#broken instanceof StaleEpoch) return Promise.reject(this.#broken);
    return new Promise((resolve, reject) => {
      const before = this.#batch.takeAll();
      this.#queue.push({ facts: [], before, resolve: () => resolve(), reject });
      if (!this.#isWriting) void this.#write();
    });
  }

  /**
   * Announces progress, batched; streamed text and reasoning are also saved against a crash. Never throws, never waits.
   */
  signal(given: Signal): void {
    const signal = this.#stream ? this.#stream.pass(given) : given;
    if (signal === undefined) return;
    this.#batch.add(signal);
    const waitsForNothing = signal.type === "retrying" || signal.type === "compacting";
    if (waitsForNothing && !this.#isWriting) this.#tellSignals(this.#batch.takeAll());
    else this.#tellReady();
  }

  /** Stops all signals and timers, so that a finished log holds nothing open; facts are still announced. */
  close(): void {
    clearTimeout(this.#timer);
    this.#keeper.stop();
  }

  /** Called synchronously for every fact and signal, in order. */
  listen(listener: LogListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Entries after `after`, then the open block and the newest output of each running call so far, as one delta each,
   * then all further events, until aborted. Nothing is lost, repeated or reordered, except that a slow reader may miss
   * signals; it then gets the open block once more, as one delta from 0.
   */
  async *follow(after: number, signal: AbortSignal): AsyncGenerator<Entry | Signal, void> {
    const follower = new Follower(this.#followed(), after, signal);
    if (this.#open) follower.tell(this.#open.snapshot());
    for (const output of this.#outputs.snapshots()) follower.tell(output);
    const leave = this.listen((event) => follower.tell(event));
    try {
      yield* follower.events();
    } finally {
      leave();
    }
  }

  /** The first entry after `after` (default: the newest) that the predicate accepts. Rejects with the abort reason. */
  async until(
    predicate: (entry: Entry) => boolean,
    signal: AbortSignal,
    after: number = this.#window.last,
  ): Promise<Entry> {
    for await (const event of this.follow(after, signal))
      if ("seq" in event && predicate(event)) return event;
    throw signal.reason;
  }

  /** Writes queued requests; adjacent ones share a transaction. */
  async #write(): Promise<void> {
    this.#isWriting = true;
    await new Promise<void>((now) => process.nextTick(now)); // what comes of one event joins: all promises settle first
    while (this.#queue.length > 0) {
      const group = this.#nextGroup();
      this.#tellSignals(group[0]?.before ?? []);
      await this.#keeper.settled; // a late row of the open block must not survive the block's own fact
      await this.#writeGroup(group);
    }
    this.#isWriting = false;
    this.#tellReady();
  }

  /** The first request and those behind it, up to the next signals of a block, which its fact must not overtake. */
  #nextGroup(): AppendRequest[] {
    const end = this.#queue.findIndex(
      (request, index) => index > 0 && request.before.some(({ type }) => type !== "call-delta"),
    );
    return this.#queue.splice(0, end === -1 ? this.#queue.length : end);
  }

  async #writeGroup(group: readonly AppendRequest[]): Promise<void> {
    const entries = this.#stamp(group.flatMap((request) => request.facts));
    try {
      if (this.#broken instanceof StaleEpoch) throw this.#broken;
      await this.#store.append(this.#session, this.#epoch, entries);
    } catch (error) {
      this.#broken = error;
      for (const request of group) request.reject(error);
      return;
    }
    this.#broken = undefined;
    let start = 0;
    for (const [at, { facts, before, resolve }] of group.entries()) {
      if (at > 0) this.#tellSignals(before);
      const own = entries.slice(start, (start += facts.length));
      for (const entry of own) this.#take(entry);
      resolve(own);
    }
  }

  #stamp(facts: readonly Fact[]): Entry[] {
    let { seq, turn } = this.#state;
    let isRunning = this.#state.status === "running";
    let last = this.#window.entries.at(-1)?.at ?? 0;
    return facts.map((fact) => {
      if (fact.type === "user-message" && !isRunning) turn += 1;
      isRunning = fact.type === "user-message" || (isRunning && fact.type !== "turn-end");
      // A clock may jump back; messages must be strictly later than everything before them (A41).
      const isMessage = fact.type === "user-message" || fact.type === "steer";
      last = Math.max(Math.trunc(this.#now()), isMessage ? last + 1 : last);
      seq += 1;
      return { ...fact, v: factVersion, seq, at: last, turn };
    });
  }

  #fold(entry: Entry): void {
    this.#window.push(entry);
    this.#state = step(this.#state, entry);
    if (entry.type === "turn-end") this.#lastTurnEnd = entry.seq;
  }

  #followed(): FollowedLog {
    const window = this.#window;
    return {
      get last() {
        return window.last;
      },
      at: (seq) => window.at(seq),
      older: (after) => this.#older(after),
      open: () => this.#open?.snapshot(),
    };
  }

  /** A page of entries that have left the window; all of them were announced. */
  #older(after: number): Promise<Entry[]> {
    return pageUpTo(this.#store, this.#session, { after, last: this.#window.first - 1 });
  }

  #take(entry: Entry): void {
    this.#fold(entry);
    if (this.#open?.isClosedBy(entry)) {
      this.#open = undefined;
      this.#keeper.stop();
    }
    this.#outputs.close(entry);
    this.#tell(entry);
  }

  /** Delivers signals that are due, now or by a timer. While facts are being written, signals wait behind them. */
  #tellReady(): void {
    if (this.#isWriting || !this.#batch.isReady) return;
    const wait = this.#batch.wait();
    if (wait === 0) return this.#tellSignals(this.#batch.takeReady());
    if (this.#timer) return undefined;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#tellReady();
    }, wait).unref();
  }

  #tellSignals(signals: readonly Signal[]): void {
    for (const signal of signals) {
      if (signal.type === "text-delta" || signal.type === "reasoning-delta") {
        if (!this.#open?.isOf(signal)) this.#open = new OpenBlockText(signal);
        this.#open.add(signal);
        this.#keeper.grown(this.#open);
      }
      if (signal.type === "output-delta") this.#outputs.add(signal);
      this.#tell(signal);
    }
  }

  #tell(event: Entry | Signal): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        // One listener's exception must neither undo what is stored nor keep the event from the others.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
