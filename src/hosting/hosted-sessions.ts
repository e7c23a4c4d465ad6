/** The open sessions of a host: opened on demand, closed after a while without work. */

import { type Expected, errorMessage, refuse } from "../base/expected.ts";
import type { Entry, Signal } from "../protocol/facts.ts";
import type { LiveSession } from "../runtime/live-session.ts";
import { type SessionNews, type SessionNotice, StaleEpoch } from "../session/store.ts";
import { hostBounds } from "./bounds.ts";
import { Overheard } from "./overheard.ts";

/** Idle time of a session that a gateway has open, in milliseconds. */
const restingSessionMs = 30_000;

type FollowerNews = "facts" | "signals";

/** The state of one session while it is in use or followed. */
type SessionSlot = {
  live?: LiveSession;
  opening?: Promise<Expected<LiveSession>>;
  /** Aborted when the session is closed here; followers then read from the store. */
  closing: AbortController;
  /** Commands and questions in progress. */
  uses: number;
  /** Last use, in milliseconds since 1970. */
  usedAt: number;
  followers: number;
  people: number;
  /** When the last person left, in milliseconds since 1970; 0: none did. */
  personLeftAt: number;
  /** Its work is already being watched for failure. */
  isWatched: boolean;
  /** Followers waiting for the session to be opened here, or written to elsewhere. */
  waiting: Set<{ after: number; overheard: Overheard; wake: (news: FollowerNews) => void }>;
  /** What each follower has heard from other processes. */
  overheard: Set<Overheard>;
};

type SessionsSetup = {
  open: (id: string) => Promise<Expected<LiveSession>>;
  /** Counts other processes' writes to the store; cheap. */
  written: () => Promise<number>;
  /** The number of the newest fact of each session that still exists. */
  heads: (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** Tells and hears of other processes at once, where the store can. */
  news?: SessionNews;
  /** Called when a session changed in a way that lists show. */
  changed: () => void;
  /** Idle milliseconds after which an open session is closed; replaced in tests. */
  restMs?: number;
  /** Milliseconds for which a person who left still counts as present; replaced in tests. */
  absentMs?: number;
  /** Milliseconds between checks for idle sessions and for other processes' writes; replaced in tests. */
  lookMs?: number;
  now?: () => number;
};

const usualLookMs = 1_000;

export class HostedSessions {
  readonly #setup: SessionsSetup;
  readonly #slots = new Map<string, SessionSlot>();
  /** Sessions being closed. */
  readonly #ending = new Set<LiveSession>();
  readonly #now: () => number;
  readonly #restMs: number;
  readonly #absentMs: number;
  readonly #lookMs: number;
  #timer: NodeJS.Timeout | undefined;
  #written: number | undefined;
  #isStopping = false;
  #isClosed = false;
  /** Ends hearing of other processes; undefined until somebody follows a session. */
  #unhear: (() => void) | undefined;

  constructor(setup: SessionsSetup) {
    this.#setup = setup;
    this.#now = setup.now ?? Date.now;
    this.#restMs = setup.restMs ?? restingSessionMs;
    this.#absentMs = setup.absentMs ?? hostBounds.absentPerson.most;
    this.#lookMs = setup.lookMs ?? usualLookMs;
  }

  /** The session, if it is open. */
  live(id: string): LiveSession | undefined {
    const live = this.#slots.get(id)?.live;
    return live?.isOpen ? live : undefined;
  }

  /** Aborted when the session returned by `live` is closed. */
  closing(id: string): AbortSignal {
    return this.#slot(id).closing.signal;
  }

  all(): LiveSession[] {
    return [...this.#slots.keys()].flatMap((id) => this.live(id) ?? []);
  }

  /** The workspaces with open sessions. */
  workspaces(): Set<string> {
    const open = [...this.#slots.values()].flatMap(({ live }) => live ?? []);
    return new Set([...open, ...this.#ending].map(({ state }) => state.workspace));
  }

  get followers(): number {
    return [...this.#slots.values()].reduce((sum, { followers }) => sum + followers, 0);
  }

  /** While true, commands that would start work are refused. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  stop(): void {
    this.#isStopping = true;
  }

  /** A person who has just left still counts: they may be reloading the page. */
  hasPerson(id: string): boolean {
    const { people = 0, personLeftAt = 0 } = this.#slots.get(id) ?? {};
    return people > 0 || this.#now() - personLeftAt < this.#absentMs;
  }

  /** Opens the session if necessary and keeps it open for the duration of the work. */
  async use<T>(id: string, work: (live: LiveSession) => Promise<T>): Promise<Expected<T>> {
    const slot = this.#slot(id);
    slot.uses += 1;
    try {
      const opened = await this.#open(id, slot);
      if (!opened.ok) return opened;
      const value = await work(opened.value);
      if (opened.value.isWorking) void this.#watch(slot, opened.value);
      return { ok: true, value };
    } finally {
      slot.uses -= 1;
      slot.usedAt = this.#now();
      this.#forget(id, slot);
    }
  }

  /** Takes over a session that was opened elsewhere in this program. */
  adopt(live: LiveSession): void {
    const slot = this.#slot(live.id);
    this.#opened(slot, live);
  }

  /** Registers a follower; call the returned function when it leaves. */
  attach(id: string, isPerson: boolean): () => void {
    const slot = this.#slot(id);
    slot.followers += 1;
    if (isPerson) slot.people += 1;
    this.#unhear ??= this.#setup.news?.hear((notice) => this.#heardElsewhere(notice));
    this.#look();
    return () => {
      slot.followers -= 1;
      if (isPerson) {
        slot.people -= 1;
        slot.personLeftAt = this.#now();
      }
      this.#forget(id, slot);
    };
  }

  /** Collects for one follower what other processes tell of the session, until it leaves. */
  overhear(id: string): { overheard: Overheard; leave: () => void } {
    const { overheard: all } = this.#slot(id);
    const overheard = new Overheard();
    all.add(overheard);
    return { overheard, leave: () => void all.delete(overheard) };
  }

  /**
   * Resolves with "facts" when the session is opened here, deleted, or has facts after `after`, and on abort; with
   * "signals" when there may be some for this follower.
   */
  news(
    id: string,
    after: number,
    { signal, overheard }: { signal: AbortSignal; overheard: Overheard },
  ): Promise<FollowerNews> {
    const slot = this.#slot(id);
    if (signal.aborted || overheard.hasFacts(after) || this.live(id)) return Promise.resolve("facts");
    if (overheard.hasSignals(after)) return Promise.resolve("signals");
    return new Promise((resolve) => {
      const wake = (news: FollowerNews): void => {
        slot.waiting.delete(waiting);
        signal.removeEventListener("abort", aborted);
        resolve(news);
      };
      const aborted = (): void => wake("facts");
      const waiting = { after, overheard, wake };
      slot.waiting.add(waiting);
      signal.addEventListener("abort", aborted);
      this.#written = undefined; // the follower's own read may have missed later writes
      this.#look();
    });
  }

  /** Closes the session; its followers continue from the store. */
  async close(id: string): Promise<void> {
    const slot = this.#slots.get(id);
    const live = slot?.live;
    if (!slot || !live) return;
    delete slot.live;
    slot.closing.abort();
    slot.closing = new AbortController();
    this.#ending.add(live);
    await live.close().finally(() => this.#ending.delete(live));
    this.#setup.changed();
    this.#forget(id, slot);
  }

  /** Lets waiting followers check again. */
  wake(id: string): void {
    for (const { wake } of this.#slots.get(id)?.waiting ?? []) wake("facts");
  }

  async closeAll(): Promise<void> {
    this.#isClosed = true;
    this.#unhear?.();
    clearInterval(this.#timer);
    this.#timer = undefined;
    for (const { opening } of this.#slots.values()) await opening?.catch(() => undefined);
    await Promise.all([...this.#slots.keys()].map((id) => this.close(id)));
    for (const slot of this.#slots.values()) for (const { wake } of slot.waiting) wake("facts");
  }

  /** Reports a failure of the work to all followers, because no caller awaits it. */
  async #watch(slot: SessionSlot, live: LiveSession): Promise<void> {
    if (slot.isWatched) return;
    slot.isWatched = true;
    try {
      await live.idle();
    } catch (error) {
      const why = errorMessage(error);
      const text = `The request stopped: ${why} Nothing is lost: continue once this is fixed.`;
      await live.log.append({ type: "warning", code: "broken-off", text }).catch(() => undefined);
    } finally {
      slot.isWatched = false;
      this.#setup.changed();
    }
  }

  async #open(id: string, slot: SessionSlot): Promise<Expected<LiveSession>> {
    if (this.#isClosed) return refuse("This server is shutting down.");
    if (slot.live?.isOpen) return { ok: true, value: slot.live };
    slot.opening ??= this.#setup.open(id).finally(() => {
      delete slot.opening;
    });
    const opened = await slot.opening;
    if (opened.ok && slot.live !== opened.value) this.#opened(slot, opened.value);
    return opened;
  }

  #opened(slot: SessionSlot, live: LiveSession): void {
    slot.live = live;
    slot.usedAt = this.#now();
    live.log.listen((event) => this.#heard(slot, live, event));
    for (const { wake } of slot.waiting) wake("facts");
    this.#setup.changed();
    this.#look();
  }

  #heard(slot: SessionSlot, { id, state }: LiveSession, event: Entry | Signal): void {
    slot.usedAt = this.#now();
    if (!("seq" in event)) this.#setup.news?.tell(id, state.seq, event);
    else if (shownInLists.has(event.type)) this.#setup.changed();
  }

  /** Of a session that is open here, only the process itself is heard. */
  #heardElsewhere(notice: SessionNotice | undefined): void {
    if (!notice) {
      for (const slot of this.#slots.values()) for (const { overheard } of slot.waiting) overheard.missed();
      return;
    }
    const slot = this.#slots.get(notice.session);
    if (!slot || slot.live?.isOpen) return;
    for (const overheard of slot.overheard) overheard.hear(notice);
    for (const { after, wake } of slot.waiting)
      if (notice.after > after) wake("facts");
      else if (notice.signal && notice.after === after) wake("signals");
    if (notice.signal === undefined) this.#setup.changed();
  }

  #slot(id: string): SessionSlot {
    const known = this.#slots.get(id);
    if (known) return known;
    const slot: SessionSlot = {
      closing: new AbortController(),
      uses: 0,
      usedAt: this.#now(),
      followers: 0,
      people: 0,
      personLeftAt: 0,
      isWatched: false,
      waiting: new Set(),
      overheard: new Set(),
    };
    this.#slots.set(id, slot);
    return slot;
  }

  #forget(id: string, slot: SessionSlot): void {
    const isNeeded = slot.live || slot.uses > 0 || slot.followers > 0 || slot.waiting.size > 0;
    if (!isNeeded && this.#slots.get(id) === slot) this.#slots.delete(id);
  }

  /** One timer for all sessions, running only while there is something to check. */
  #look(): void {
    if (this.#timer || this.#isClosed) return;
    this.#timer = setInterval(() => void this.#lookNow(), this.#lookMs).unref();
  }

  async #lookNow(): Promise<void> {
    const slots = [...this.#slots];
    if (slots.length === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      this.#written = undefined;
      return;
    }
    for (const [id, slot] of slots) if (this.#rests(slot)) await this.close(id).catch(() => undefined);
    await this.#lookElsewhere(slots).catch(() => undefined); // the next look may succeed
  }

  #rests({ live, uses, usedAt }: SessionSlot): boolean {
    if (!live || uses > 0 || live.isWorking) return false;
    if (live.log.broken instanceof StaleEpoch) return true; // another process took the session over
    if (this.#now() - usedAt < this.#restMs) return false;
    return live.terminals.all().every(({ end }) => end !== undefined);
  }

  async #lookElsewhere(slots: readonly (readonly [string, SessionSlot])[]): Promise<void> {
    const waiting = slots.filter(([, slot]) => slot.waiting.size > 0);
    for (const [, slot] of waiting)
      for (const { overheard, wake } of slot.waiting) if (overheard.isBehind) wake("signals");
    if (waiting.length === 0) return;
    const written = await this.#setup.written();
    if (written === this.#written) return;
    this.#written = written;
    const heads = await this.#setup.heads(waiting.map(([id]) => id));
    for (const [id, slot] of waiting) {
      const head = heads.get(id);
      for (const { after, wake } of slot.waiting) if (head === undefined || head > after) wake("facts");
    }
    this.#setup.changed();
  }
}

const shownInLists: ReadonlySet<string> = new Set([
  "session-start",
  "session-renamed",
  "user-message",
  "approval-asked",
  "approval-answered",
  "question-asked",
  "question-answered",
  "limit-asked",
  "limit-answered",
  "turn-end",
]);
