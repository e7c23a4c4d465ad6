/** Which sessions of a host are open: those that are worked on, and no others after a while. */

import { bounds } from "../../base/bounds.ts";
import { type Expected, errorMessage } from "../../base/expected.ts";
import type { Entry, Signal } from "../../protocol/facts.ts";
import { StaleEpoch } from "../../session/store.ts";
import type { LiveSession } from "../live-session.ts";

/** What is known of one session while somebody uses or follows it. */
type Slot = {
  live?: LiveSession;
  opening?: Promise<Expected<LiveSession>>;
  /** Aborted when it is closed here: who follows reads from the store then. */
  closing: AbortController;
  /** Commands and questions under way. */
  uses: number;
  /** Milliseconds since 1970. */
  usedAt: number;
  followers: number;
  people: number;
  /** When the last of them left, in milliseconds since 1970; 0: none did. */
  personLeftAt: number;
  /** Somebody looks whether its work fails. */
  isWatched: boolean;
  /** Followers that wait for the session to be opened, or written elsewhere. */
  waiting: Set<{ after: number; wake: () => void }>;
};

type SessionsSetup = {
  open: (id: string) => Promise<Expected<LiveSession>>;
  /** Counts what other processes write to the store; cheap. */
  written: () => Promise<number>;
  /** The number of the newest fact of each that is still there. */
  heads: (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** A session has changed in a way that lists show. */
  changed: () => void;
  /** Milliseconds that an open session may rest; replaced in tests. */
  restMs?: number;
  /** Milliseconds for which somebody counts as there who has left; replaced in tests. */
  absentMs?: number;
  now?: () => number;
};

/** How often it is looked whether a session rests, and whether another process has written. */
const lookMs = 1_000;

export class HostedSessions {
  readonly #setup: SessionsSetup;
  readonly #slots = new Map<string, Slot>();
  /** Those that are being closed. */
  readonly #ending = new Set<LiveSession>();
  readonly #now: () => number;
  readonly #restMs: number;
  readonly #absentMs: number;
  #timer: NodeJS.Timeout | undefined;
  #written: number | undefined;
  #isStopping = false;
  #isClosed = false;

  constructor(setup: SessionsSetup) {
    this.#setup = setup;
    this.#now = setup.now ?? Date.now;
    this.#restMs = setup.restMs ?? bounds.session.restingSession.most;
    this.#absentMs = setup.absentMs ?? bounds.session.absentPerson.most;
  }

  /** The open session, if it is. */
  live(id: string): LiveSession | undefined {
    const live = this.#slots.get(id)?.live;
    return live?.isOpen ? live : undefined;
  }

  /** Aborted when what `live` gave is closed. */
  closing(id: string): AbortSignal {
    return this.#slot(id).closing.signal;
  }

  all(): LiveSession[] {
    return [...this.#slots.keys()].flatMap((id) => this.live(id) ?? []);
  }

  /** In which something is open. */
  workspaces(): Set<string> {
    const open = [...this.#slots.values()].flatMap(({ live }) => live ?? []);
    return new Set([...open, ...this.#ending].map(({ state }) => state.workspace));
  }

  get followers(): number {
    return [...this.#slots.values()].reduce((sum, { followers }) => sum + followers, 0);
  }

  /** What would begin work is refused. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  stop(): void {
    this.#isStopping = true;
  }

  /** Whoever has just left may be loading the page anew. */
  hasPerson(id: string): boolean {
    const { people = 0, personLeftAt = 0 } = this.#slots.get(id) ?? {};
    return people > 0 || this.#now() - personLeftAt < this.#absentMs;
  }

  /** Opens it where necessary; it stays open as long as the work goes on. */
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

  /** One that was made elsewhere in this program is open here from now on. */
  adopt(live: LiveSession): void {
    const slot = this.#slot(live.id);
    this.#opened(slot, live);
  }

  /** Somebody follows; call what it returns when that is over. */
  attach(id: string, isPerson: boolean): () => void {
    const slot = this.#slot(id);
    slot.followers += 1;
    if (isPerson) slot.people += 1;
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

  /** Resolves when the session is opened here, or has facts after this one, or on abort. */
  news(id: string, after: number, signal: AbortSignal): Promise<void> {
    const slot = this.#slot(id);
    if (signal.aborted || this.live(id)) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        slot.waiting.delete(waiting);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      const waiting = { after, wake };
      slot.waiting.add(waiting);
      signal.addEventListener("abort", wake);
      this.#written = undefined; // something may have been written since it looked itself
      this.#look();
    });
  }

  /** Closes it; whoever follows goes on from the store. */
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

  /** Whoever waits for news looks again. */
  wake(id: string): void {
    for (const { wake } of this.#slots.get(id)?.waiting ?? []) wake();
  }

  async closeAll(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#timer = undefined;
    for (const { opening } of this.#slots.values()) await opening?.catch(() => undefined);
    await Promise.all([...this.#slots.keys()].map((id) => this.close(id)));
    for (const slot of this.#slots.values()) for (const { wake } of slot.waiting) wake();
  }

  /** What makes the work fail is told to all who follow: nobody here waits for it. */
  async #watch(slot: Slot, live: LiveSession): Promise<void> {
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

  async #open(id: string, slot: Slot): Promise<Expected<LiveSession>> {
    if (this.#isClosed) return { ok: false, problem: "This server is shutting down." };
    if (slot.live?.isOpen) return { ok: true, value: slot.live };
    slot.opening ??= this.#setup.open(id).finally(() => {
      delete slot.opening;
    });
    const opened = await slot.opening;
    if (opened.ok && slot.live !== opened.value) this.#opened(slot, opened.value);
    return opened;
  }

  #opened(slot: Slot, live: LiveSession): void {
    slot.live = live;
    slot.usedAt = this.#now();
    live.log.listen((event) => this.#heard(slot, event));
    for (const { wake } of slot.waiting) wake();
    this.#setup.changed();
    this.#look();
  }

  #heard(slot: Slot, event: Entry | Signal): void {
    slot.usedAt = this.#now();
    if ("seq" in event && shownInLists.has(event.type)) this.#setup.changed();
  }

  #slot(id: string): Slot {
    const known = this.#slots.get(id);
    if (known) return known;
    const slot: Slot = {
      closing: new AbortController(),
      uses: 0,
      usedAt: this.#now(),
      followers: 0,
      people: 0,
      personLeftAt: 0,
      isWatched: false,
      waiting: new Set(),
    };
    this.#slots.set(id, slot);
    return slot;
  }

  #forget(id: string, slot: Slot): void {
    const isNeeded = slot.live || slot.uses > 0 || slot.followers > 0 || slot.waiting.size > 0;
    if (!isNeeded && this.#slots.get(id) === slot) this.#slots.delete(id);
  }

  /** One timer for all, and none while there is nothing to look at. */
  #look(): void {
    if (this.#timer || this.#isClosed) return;
    this.#timer = setInterval(() => void this.#lookNow(), lookMs).unref();
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

  #rests({ live, uses, usedAt }: Slot): boolean {
    if (!live || uses > 0 || live.isWorking) return false;
    if (live.log.broken instanceof StaleEpoch) return true; // another process has taken it over
    if (this.#now() - usedAt < this.#restMs) return false;
    return live.terminals.all().every(({ end }) => end !== undefined);
  }

  async #lookElsewhere(slots: readonly (readonly [string, Slot])[]): Promise<void> {
    const waiting = slots.filter(([, slot]) => slot.waiting.size > 0);
    if (waiting.length === 0) return;
    const written = await this.#setup.written();
    if (written === this.#written) return;
    this.#written = written;
    const heads = await this.#setup.heads(waiting.map(([id]) => id));
    for (const [id, slot] of waiting) {
      const head = heads.get(id);
      for (const { after, wake } of slot.waiting) if (head === undefined || head > after) wake();
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
