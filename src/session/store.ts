/** The contract of a store. Every implementation passes `store-contract.ts`. */
import type {
  CallCounts,
  DialectRecord,
  Measured,
  ModelKey,
  ModelRecord,
} from "../protocol/dialect-record.ts";
import type { Entry } from "../protocol/facts.ts";

/** Lower-case hex SHA-256. */
export type Hash = string;

export type SessionInfo = {
  id: string;
  workspace: string;
  /** Milliseconds since 1970. */
  createdAt: number;
};

export type SessionSummary = SessionInfo & {
  updatedAt: number;
  facts: number;
  /** The first words of the first user message; empty before there is one. */
  title: string;
};

/** The block being streamed, kept in one overwritten row so that text once shown survives a crash. */
export type OpenBlock = { block: number; kind: "text" | "reasoning"; text: string };

/** What all kept images of a store may come to, unless it was told otherwise. */
export const maxImageBytes = 1024 ** 3;

/** Another process has claimed the session since: this one may not write to it any more. */
export class StaleEpoch extends Error {
  override readonly name = "StaleEpoch";
  constructor(session: string) {
    super(
      `Session ${session} was taken over by another process; nothing was written. Resume it to go on here.`,
    );
  }
}

/** The store cannot be used right now: locked, full, read-only, damaged. `message` says what to do next. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

export interface Store {
  create(info: SessionInfo): Promise<void>;
  /** Newest first. */
  list(): Promise<SessionSummary[]>;
  get(session: string): Promise<SessionSummary | undefined>;
  /** Takes the session for one writer: every earlier epoch is refused from now on. */
  claim(session: string): Promise<number>;
  /** All or none, in one transaction; `seq` must go on without a gap. Throws StaleEpoch, StoreError. */
  append(session: string, epoch: number, entries: readonly Entry[]): Promise<void>;
  /** Entries with `seq` greater than `after`, in order. */
  read(session: string, after: number, limit?: number): Promise<Entry[]>;
  /** Overwrites the open block; `undefined` removes it. An append that stores the block removes it too. */
  keepOpenBlock(session: string, epoch: number, block: OpenBlock | undefined): Promise<void>;
  openBlock(session: string): Promise<OpenBlock | undefined>;
  putBlob(bytes: Uint8Array): Promise<Hash>;
  getBlob(hash: Hash): Promise<Uint8Array | undefined>;
  /**
   * Keeps a file's content for undo or a staged change, on behalf of `owner` (a checkpoint or a token) of the session:
   * dropped with it, or, oldest first, when all of them together grow too large.
   */
  keepImage(session: string, owner: string, bytes: Uint8Array): Promise<Hash>;
  /** A content kept in this session, by whichever owner; undefined once it was dropped. */
  image(session: string, hash: Hash): Promise<Uint8Array | undefined>;
  /** What only this owner still needs is gone afterwards. */
  dropImages(session: string, owner: string): Promise<void>;
  /** Stores all of a measurement or nothing; what was counted in those dialects begins anew. */
  putMeasured(model: ModelKey, measured: readonly Measured[]): Promise<void>;
  /** Adds to what was counted, whoever else counts at the same time. */
  addCounts(model: ModelKey, dialect: string, counts: CallCounts): Promise<void>;
  /** What is known of a model with this chat template: by dialect, in no order. */
  dialectsOf(model: ModelKey): Promise<DialectRecord[]>;
  /** Every model that was measured. */
  measuredModels(): Promise<ModelRecord[]>;
  close(): Promise<void>;
}
