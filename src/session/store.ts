/** The contract of a store. Every implementation passes `store-contract.ts`. */

import { bounds } from "../base/bounds.ts";
import type { StartedProcess } from "../base/process-identity.ts";
import type {
  CallCounts,
  DialectRecord,
  Measured,
  ModelKey,
  ModelRecord,
} from "../protocol/dialect-record.ts";
import type { Entry } from "../protocol/facts.ts";
import { heldWords, type Holder, type Owner } from "./owner.ts";

export type { Holder, Owner, StartedProcess };

/** Lower-case hex SHA-256. */
export type Hash = string;

export type SessionInfo = {
  id: string;
  workspace: string;
  /** Milliseconds since 1970. */
  createdAt: number;
  /** The session whose call gave it its task. */
  parent?: string;
};

/** A session as a list shows it. */
export type SessionSummary = SessionInfo & {
  updatedAt: number;
  facts: number;
  /** The name that a person gave it, else the first words of the first user message; empty before there is one. */
  title: string;
};

/**
 * Part of a list that is newest first: after the session `before`, from the newest by default. `ofPeople`: without
 * those that a call of another session has begun.
 */
export type Page = { limit: number; before?: string | undefined; ofPeople?: boolean };

/**
 * What was worked out of a session's facts up to `seq`, to be gone on with. Whoever wrote it knows what the text means.
 */
export type KeptFigures = { seq: number; text: string };

/** A session in which words were found. `excerpt`: one line around them. */
export type FoundSession = SessionSummary & { excerpt: string };

/** The block being streamed, kept in one overwritten row so that text once shown survives a crash. */
export type OpenBlock = { block: number; kind: "text" | "reasoning"; text: string };

/** What all kept images of a store may come to, unless it was told otherwise. */
export const maxImageBytes = bounds.undo.keptImages.most;

/** Who wants to write a session. `takeOver`: also if a living process holds it, because a person says so. */
export type Claim = { owner: Owner; takeOver?: boolean };

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
  override readonly name: string = "StoreError";
}

/**
 * A living process holds the session: nobody else may write to it or delete it. `message` names it, and says what to
 * do.
 */
export class SessionHeld extends StoreError {
  override readonly name: string = "SessionHeld";
  readonly holder: Holder;
  constructor(session: string, holder: Holder, now: number) {
    super(heldWords(session, holder, now));
    this.holder = holder;
  }
}

/** `characters`: of the entries as JSON; a page ends with the entry that reaches it. */
export type PageSize = { facts: number; characters: number };

/** What keeps sessions: their facts, contents and owners. */
export interface Store {
  create(info: SessionInfo): Promise<void>;
  /** Newest first; all by default. */
  list(page?: Page): Promise<SessionSummary[]>;
  get(session: string): Promise<SessionSummary | undefined>;
  /** Those that calls of this session have begun, oldest first. */
  children(session: string): Promise<SessionSummary[]>;
  /** The number of the newest fact of each of these sessions that is there. */
  heads(sessions: readonly string[]): Promise<Map<string, number>>;
  /**
   * A number that is another one whenever another connection has written since: one cheap question for all sessions.
   */
  changed(): Promise<number>;
  /** What was kept of these sessions last. It may be gone at any time. */
  figures(sessions: readonly string[]): Promise<Map<string, KeptFigures>>;
  /**
   * By session. At once or not at all: throws StoreError where others write just now. Older ones replace no newer ones.
   */
  keepFigures(figures: ReadonlyMap<string, KeptFigures>): Promise<void>;
  /**
   * Takes the session for one writer and gives its epoch: every earlier epoch is refused from now on. Throws
   * SessionHeld where another process holds it that is alive. Without a claim it is taken in nobody's name from whoever
   * has it.
   */
  claim(session: string, claim?: Claim): Promise<number>;
  /** The holder is still there. Throws StaleEpoch. An append says so too, from time to time. */
  renew(session: string, epoch: number): Promise<void>;
  /** The session is free. Nothing happens where another has taken it. */
  release(session: string, epoch: number): Promise<void>;
  /** Who holds the session; it may be dead (`isAlive`). */
  holder(session: string): Promise<Holder | undefined>;
  /** A program was started for this session: it is to be ended if we cannot do that ourselves any more. */
  noteProcess(session: string, started: StartedProcess): Promise<void>;
  /** It is over. */
  forgetProcess(session: string, started: StartedProcess): Promise<void>;
  /** Those that were noted and not forgotten, oldest first. */
  processes(session: string): Promise<StartedProcess[]>;
  /** All or none, in one transaction; `seq` must go on without a gap. Throws StaleEpoch, StoreError. */
  append(session: string, epoch: number, entries: readonly Entry[]): Promise<void>;
  /** Entries with `seq` greater than `after`, in order; only none where there are no more. */
  read(session: string, after: number, most?: PageSize): Promise<Entry[]>;
  /** Overwrites the open block; `undefined` removes it. An append that stores the block removes it too. */
  keepOpenBlock(session: string, epoch: number, block: OpenBlock | undefined): Promise<void>;
  openBlock(session: string): Promise<OpenBlock | undefined>;
  putBlob(bytes: Uint8Array): Promise<Hash>;
  /** Undefined also where it is not any more what its hash says. */
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
  /**
   * Everything of the session is gone, with the blobs and images that no other session needs; what its calls have begun
   * stands alone from then on. Throws SessionHeld as long as a living process holds it, this one too.
   */
  delete(session: string): Promise<void>;
  /**
   * Sessions in whose messages, answers or name all these words occur, newest first; a word also finds those that begin
   * with it, without regard to case and accents. None without a word. What was said since the last search is read
   * first: `told` is called with how many sessions that are, and then how many are left.
   */
  search(words: string, limit: number, told?: (left: number) => void): Promise<FoundSession[]>;
  /**
   * A new session `to` from the first `upTo` facts of another: `session-start` says where it is from, and what undo
   * needs comes with it. A change or command that was running there has the result `interrupted`. All or nothing.
   * Throws StoreError where there are not so many facts, or `to` exists.
   */
  copy(from: string, to: SessionInfo, upTo: number): Promise<void>;
  close(): Promise<void>;
}
