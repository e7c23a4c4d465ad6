/** A store that lives as long as its process: for tests, demos and embedding. */
import { encodeEntry } from "../protocol/codec.ts";
import { decodeEntry } from "../protocol/decode.ts";
import type {
  CallCounts,
  DialectRecord,
  Measured,
  ModelKey,
  ModelRecord,
} from "../protocol/dialect-record.ts";
import type { Entry } from "../protocol/facts.ts";
import { sha256 } from "../base/crypto.ts";
import { KeptImages } from "./memory-images.ts";
import {
  maxImageBytes,
  StaleEpoch,
  type Hash,
  type OpenBlock,
  type SessionInfo,
  type SessionSummary,
  type Store,
} from "./store.ts";
import {
  closedBlock,
  noSession,
  nothingCounted,
  requireOrder,
  sessionExists,
  sumOf,
  titleOf,
} from "./stored.ts";

type Kept = {
  summary: SessionSummary;
  epoch: number;
  /** As text, so that nobody can change what is stored. */
  entries: string[];
  open: OpenBlock | undefined;
};

export class MemoryStore implements Store {
  readonly #sessions = new Map<string, Kept>();
  readonly #blobs = new Map<Hash, Uint8Array>();
  readonly #models = new Map<string, { key: ModelKey; dialects: Map<string, DialectRecord> }>();
  readonly #images: KeptImages;

  constructor(options: { maxImageBytes?: number } = {}) {
    this.#images = new KeptImages(options.maxImageBytes ?? maxImageBytes);
  }

  async create(info: SessionInfo): Promise<void> {
    if (this.#sessions.has(info.id)) throw sessionExists(info.id);
    const summary = { ...info, updatedAt: info.createdAt, facts: 0, title: "" };
    this.#sessions.set(info.id, { summary, epoch: 0, entries: [], open: undefined });
  }

  async list(): Promise<SessionSummary[]> {
    return [...this.#sessions.values()]
      .map(({ summary }) => ({ ...summary }))
      .toReversed()
      .toSorted((a, b) => b.updatedAt - a.updatedAt);
  }

  async get(session: string): Promise<SessionSummary | undefined> {
    const kept = this.#sessions.get(session);
    return kept && { ...kept.summary };
  }

  async claim(session: string): Promise<number> {
    const kept = this.#kept(session);
    kept.epoch += 1;
    return kept.epoch;
  }

  async append(session: string, epoch: number, entries: readonly Entry[]): Promise<void> {
    const kept = this.#owned(session, epoch);
    requireOrder(session, kept.entries.length, entries);
    kept.entries.push(...entries.map(encodeEntry));
    if (kept.open && kept.open.block <= closedBlock(entries)) kept.open = undefined;
    const { summary } = kept;
    summary.facts = kept.entries.length;
    summary.updatedAt = entries.at(-1)?.at ?? summary.updatedAt;
    if (summary.title === "") summary.title = titleOf(entries);
  }

  async read(session: string, after: number, limit?: number): Promise<Entry[]> {
    const start = Math.max(0, after);
    const texts = this.#sessions.get(session)?.entries ?? [];
    return texts.slice(start, limit === undefined ? undefined : start + limit).map(decodeEntry);
  }

  async keepOpenBlock(session: string, epoch: number, block: OpenBlock | undefined): Promise<void> {
    this.#owned(session, epoch).open = block && { ...block };
  }

  async openBlock(session: string): Promise<OpenBlock | undefined> {
    const open = this.#sessions.get(session)?.open;
    return open && { ...open };
  }

  async putBlob(bytes: Uint8Array): Promise<Hash> {
    const hash = sha256(bytes);
    if (!this.#blobs.has(hash)) this.#blobs.set(hash, bytes.slice());
    return hash;
  }

  async getBlob(hash: Hash): Promise<Uint8Array | undefined> {
    return this.#blobs.get(hash)?.slice();
  }

  async keepImage(session: string, owner: string, bytes: Uint8Array): Promise<Hash> {
    this.#kept(session);
    return this.#images.keep(session, owner, bytes);
  }

  async image(session: string, hash: Hash): Promise<Uint8Array | undefined> {
    return this.#images.get(session, hash) ?? this.getBlob(hash);
  }

  async dropImages(session: string, owner: string): Promise<void> {
    this.#images.drop(session, owner);
  }

  async putMeasured(model: ModelKey, measured: readonly Measured[]): Promise<void> {
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

  async close(): Promise<void> {}

  #dialects(key: ModelKey): Map<string, DialectRecord> {
    const { server, model, template } = key;
    const kept = this.#models.get(nameOf(key)) ?? { key: { server, model, template }, dialects: new Map() };
    this.#models.set(nameOf(key), kept);
    return kept.dialects;
  }

  #kept(session: string): Kept {
    const kept = this.#sessions.get(session);
    if (!kept) throw noSession(session);
    return kept;
  }

  #owned(session: string, epoch: number): Kept {
    const kept = this.#kept(session);
    if (kept.epoch !== epoch) throw new StaleEpoch(session);
    return kept;
  }
}

const nameOf = ({ server, model, template }: ModelKey): string => JSON.stringify([server, model, template]);
