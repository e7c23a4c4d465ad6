/** A store that lives as long as its process: for tests, demos and embedding. */

import type { StartedProcess } from "../../base/process-identity.ts";
import { encodeEntry } from "../../protocol/codec.ts";
import { decodeEntry } from "../../protocol/decode.ts";
import type {
  CallCounts,
  DialectRecord,
  DialectMeasurement,
  ModelKey,
  ModelRecord,
} from "../../protocol/dialect-record.ts";
import type { Entry } from "../../protocol/facts.ts";
import { isAlive, isInTheWay } from "../owner.ts";
import { excerptOf, hasWord, saidIn, wordsIn } from "../search-words.ts";
import {
  closedBlock,
  copyEntries,
  copiedOwners,
  noSession,
  nothingCounted,
  requireFacts,
  requireOrder,
  sessionExists,
  sumOf,
  titleAfter,
} from "../store-rules.ts";
import {
  lastUsed,
  latestTime,
  type Claim,
  type FoundSession,
  type Holder,
  type KeptFigures,
  maxImageBytes,
  SessionHeld,
  StaleEpoch,
  type Hash,
  type StreamedBlock,
  type Page,
  type PageSize,
  type SessionSearch,
  type SessionInfo,
  type SessionSummary,
  type Store,
} from "../store.ts";
import type { Viewer } from "../team.ts";
import { KeptBlobs } from "./blobs.ts";
import { KeptImages } from "./images.ts";
import { KeptTeam } from "./team.ts";

type MemorySession = {
  summary: SessionSummary;
  epoch: number;
  /** As text, so that callers cannot modify stored entries. */
  entries: string[];
  open: StreamedBlock | undefined;
  holder: Holder | undefined;
  figures: KeptFigures | undefined;
  /** By marker. */
  processes: Map<string, StartedProcess>;
};

/** A store that keeps everything in memory: for tests, and for programs without persistent sessions. @experimental */
export const openMemoryStore = (): Store => new MemoryStore();

/** Keeps everything in memory: for tests, and for programs without persistent sessions. */
export class MemoryStore implements Store {
  readonly #sessions = new Map<string, MemorySession>();
  readonly team = new KeptTeam((session) => this.#sessions.has(session));
  readonly #blobs = new KeptBlobs();
  readonly #models = new Map<string, { key: ModelKey; dialects: Map<string, DialectRecord> }>();
  readonly #images: KeptImages;
  /** Number of writes so far. */
  #writes = 0;

  constructor(options: { maxImageBytes?: number } = {}) {
    this.#images = new KeptImages(options.maxImageBytes ?? maxImageBytes);
  }

  async create(info: SessionInfo): Promise<void> {
    if (this.#sessions.has(info.id)) throw sessionExists(info.id);
    const summary = { ...info, updatedAt: info.createdAt, facts: 0, title: "" };
    this.#sessions.set(info.id, { ...emptySession(), summary });
    if (info.parent !== undefined) this.team.inherit(info.id, info.parent);
    this.#writes += 1;
  }

  async list(page?: Page): Promise<SessionSummary[]> {
    const latest = latestTime();
    const { seenBy } = page ?? {};
    const all = [...this.#sessions.values()]
      .map(({ summary }) => ({ ...summary }))
      .filter(({ id }) => !seenBy || this.team.sees(seenBy, id))
      .toReversed()
      .toSorted((a, b) => lastUsed(b, latest) - lastUsed(a, latest));
    if (!page) return all;
    const { limit, before, ofPeople = false } = page;
    const from = before === undefined ? 0 : all.findIndex(({ id }) => id === before) + 1;
    if (before !== undefined && from === 0) return [];
    const rest = all.slice(from).filter(({ parent }) => !ofPeople || parent === undefined);
    return rest.slice(0, Math.max(0, Math.trunc(limit)));
  }

  async unfinished(limit: number, seenBy?: Viewer): Promise<SessionSummary[]> {
    const isOpen = ({ id }: SessionSummary): boolean => {
      const types = (this.#sessions.get(id)?.entries ?? []).map((text) => decodeEntry(text).type);
      return types.lastIndexOf("user-message") > types.lastIndexOf("turn-end");
    };
    const all = await this.list({ limit: Number.POSITIVE_INFINITY, ...(seenBy ? { seenBy } : {}) });
    return all.filter((one) => one.parent === undefined && isOpen(one)).slice(0, limit);
  }

  async children(session: string): Promise<SessionSummary[]> {
    const all = [...this.#sessions.values()].map(({ summary }) => ({ ...summary }));
    return all
      .filter(({ parent }) => parent === session)
      .toSorted((one, other) => one.createdAt - other.createdAt);
  }

  async heads(sessions: readonly string[]): Promise<Map<string, number>> {
    const known = sessions.flatMap((id) => this.#sessions.get(id)?.summary ?? []);
    return new Map(known.map(({ id, facts }) => [id, facts]));
  }

  async changed(): Promise<number> {
    return this.#writes;
  }

  async probe(): Promise<void> {}

  async figures(sessions: readonly string[]): Promise<Map<string, KeptFigures>> {
    const known = sessions.flatMap((id) => {
      const figures = this.#sessions.get(id)?.figures;
      return figures ? [[id, { ...figures }] as const] : [];
    });
    return new Map(known);
  }

  async keepFigures(figures: ReadonlyMap<string, KeptFigures>): Promise<void> {
    for (const [id, kept] of figures) {
      const session = this.#sessions.get(id);
      if (session && kept.seq >= (session.figures?.seq ?? 0)) session.figures = { ...kept };
    }
  }

  async get(session: string): Promise<SessionSummary | undefined> {
    const kept = this.#sessions.get(session);
    return kept && { ...kept.summary };
  }

  async claim(session: string, claim?: Claim): Promise<number> {
    const kept = this.#kept(session);
    const now = Date.now();
    if (claim && !claim.takeOver && kept.holder && isInTheWay(kept.holder, claim.owner, now))
      throw new SessionHeld(session, kept.holder, now);
    kept.holder = claim && { ...claim.owner, since: now, renewedAt: now };
    kept.epoch += 1;
    return kept.epoch;
  }

  async renew(session: string, epoch: number): Promise<void> {
    const { holder } = this.#owned(session, epoch);
    if (holder) holder.renewedAt = Date.now();
  }

  async release(session: string, epoch: number): Promise<void> {
    const kept = this.#sessions.get(session);
    if (kept?.epoch === epoch) kept.holder = undefined;
  }

  async holder(session: string): Promise<Holder | undefined> {
    return structuredClone(this.#sessions.get(session)?.holder);
  }

  async noteProcess(session: string, started: StartedProcess): Promise<void> {
    this.#kept(session).processes.set(started.marker, structuredClone(started));
  }

  async forgetProcess(session: string, { marker }: StartedProcess): Promise<void> {
    this.#sessions.get(session)?.processes.delete(marker);
  }

  async processes(session: string): Promise<StartedProcess[]> {
    return structuredClone([...(this.#sessions.get(session)?.processes.values() ?? [])]);
  }

  async append(session: string, epoch: number, entries: readonly Entry[]): Promise<void> {
    const kept = this.#owned(session, epoch);
    requireOrder(session, kept.entries.length, entries);
    const texts = entries.map(encodeEntry);
    for (const text of texts) this.#blobs.use(text);
    kept.entries.push(...texts);
    if (kept.open && kept.open.block <= closedBlock(entries)) kept.open = undefined;
    const { summary } = kept;
    summary.facts = kept.entries.length;
    summary.updatedAt = entries.at(-1)?.at ?? summary.updatedAt;
    summary.title = titleAfter(summary.title, entries);
    this.#writes += 1;
  }

  async read(session: string, after: number, most?: PageSize): Promise<Entry[]> {
    const start = Math.max(0, after);
    const texts = this.#sessions.get(session)?.entries ?? [];
    const page = texts.slice(start, most && start + most.facts);
    let characters = 0;
    const over = page.findIndex((text) => (characters += text.length) >= (most?.characters ?? Infinity));
    return (over === -1 ? page : page.slice(0, over + 1)).map(decodeEntry);
  }

  async keepOpenBlock(session: string, epoch: number, block: StreamedBlock | undefined): Promise<void> {
    this.#owned(session, epoch).open = block && { ...block };
  }

  async openBlock(session: string): Promise<StreamedBlock | undefined> {
    const open = this.#sessions.get(session)?.open;
    return open && { ...open };
  }

  async putBlob(bytes: Uint8Array): Promise<Hash> {
    return this.#blobs.put(bytes, Date.now());
  }

  async getBlob(hash: Hash): Promise<Uint8Array | undefined> {
    return this.#blobs.get(hash);
  }

  async keepImage(session: string, owner: string, bytes: Uint8Array): Promise<Hash> {
    this.#kept(session);
    return this.#images.keep(session, owner, bytes);
  }

  async image(session: string, hash: Hash): Promise<Uint8Array | undefined> {
    return this.#images.get(session, hash) ?? this.#blobs.get(hash);
  }

  async dropImages(session: string, owner: string): Promise<void> {
    this.#images.drop(session, owner);
  }

  async putMeasured(model: ModelKey, measured: readonly DialectMeasurement[]): Promise<void> {
    const dialects = this.#dialects(model);
    for (const one of measured)
      dialects.set(one.dialect, { dialect: one.dialect, counts: nothingCounted, measured: { ...one } });
  }

  async addCounts(model: ModelKey, dialect: string, counts: CallCounts): Promise<void> {
    const dialects = this.#dialects(model);
    const known = dialects.get(dialect) ?? { dialect, counts: nothingCounted };
    dialects.set(dialect, { ...known, counts: sumOf(known.counts, counts) });
  }

  async dialectsOf(model: ModelKey): Promise<DialectRecord[]> {
    return [...(this.#models.get(nameOf(model))?.dialects.values() ?? [])].map((record) =>
      structuredClone(record),
    );
  }

  async measuredModels(): Promise<ModelRecord[]> {
    const all = [...this.#models.values()].map(({ key, dialects }) => ({
      ...key,
      dialects: [...dialects.values()],
    }));
    return structuredClone(all.filter(({ dialects }) => dialects.some(({ measured }) => measured)));
  }

  async delete(session: string): Promise<void> {
    const { holder } = this.#kept(session);
    const now = Date.now();
    if (holder && isAlive(holder, now)) throw new SessionHeld(session, holder, now);
    this.#sessions.delete(session);
    this.team.drop(session);
    for (const { summary } of this.#sessions.values()) if (summary.parent === session) delete summary.parent;
    this.#writes += 1;
    this.#images.dropAll(session);
    this.#blobs.clean(
      [...this.#sessions.values()].map(({ entries }) => entries),
      now,
    );
  }

  async search(words: string, limit: number, { seenBy }: SessionSearch = {}): Promise<FoundSession[]> {
    const wanted = [...wordsIn(words)];
    if (wanted.length === 0) return [];
    const sessions = await this.list({ limit: Number.POSITIVE_INFINITY, ...(seenBy ? { seenBy } : {}) });
    const found = sessions.flatMap((summary): FoundSession[] => {
      const said = (this.#sessions.get(summary.id)?.entries ?? []).flatMap(
        (text) => saidIn(decodeEntry(text)) ?? [],
      );
      const texts = [summary.title, ...said].map((text) => ({ text, words: wordsIn(text) }));
      const isIn = (word: string): boolean => texts.some((one) => hasWord(one.words, word));
      if (!wanted.every(isIn)) return [];
      const most = (one: { words: Set<string> }): number =>
        wanted.filter((word) => hasWord(one.words, word)).length;
      const [best = { text: "" }] = texts.toReversed().toSorted((a, b) => most(b) - most(a));
      return [{ ...summary, excerpt: excerptOf(best.text, wanted) }];
    });
    return found.slice(0, Math.max(0, limit));
  }

  async copy(from: string, to: SessionInfo, upTo: number): Promise<void> {
    requireFacts(from, upTo, this.#kept(from).entries.length);
    if (this.#sessions.has(to.id)) throw sessionExists(to.id);
    const entries = this.#kept(from).entries.slice(0, upTo).map(decodeEntry);
    const texts = copyEntries(entries, to).map(encodeEntry);
    const title = titleAfter("", entries);
    const summary = { ...to, updatedAt: to.createdAt, facts: texts.length, title };
    this.#sessions.set(to.id, { ...emptySession(), summary, entries: texts });
    this.#writes += 1;
    for (const [owner, ours] of copiedOwners(entries, to))
      this.#images.copy({ session: from, owner }, { session: to.id, owner: ours });
  }

  async close(): Promise<void> {}

  #dialects(key: ModelKey): Map<string, DialectRecord> {
    const { server, model, template } = key;
    const kept = this.#models.get(nameOf(key)) ?? { key: { server, model, template }, dialects: new Map() };
    this.#models.set(nameOf(key), kept);
    return kept.dialects;
  }

  #kept(session: string): MemorySession {
    const kept = this.#sessions.get(session);
    if (!kept) throw noSession(session);
    return kept;
  }

  #owned(session: string, epoch: number): MemorySession {
    const kept = this.#kept(session);
    if (kept.epoch !== epoch) throw new StaleEpoch(session);
    return kept;
  }
}

const emptySession = (): Omit<MemorySession, "summary"> => ({
  epoch: 0,
  entries: [],
  open: undefined,
  holder: undefined,
  figures: undefined,
  processes: new Map(),
});

const nameOf = ({ server, model, template }: ModelKey): string => JSON.stringify([server, model, template]);
