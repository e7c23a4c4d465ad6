/** The contract of a store. Every implementation passes `store-contract.ts`. */

import type { StartedProcess } from "../base/process-identity.ts";
import type {
  CallCounts,
  DialectRecord,
  DialectMeasurement,
  ModelKey,
  ModelRecord,
} from "../protocol/dialect-record.ts";
import type { Entry, Signal } from "../protocol/facts.ts";
import { undoBounds } from "./bounds.ts";
import { heldWords, type Holder, type SessionOwner } from "./owner.ts";
import type { TeamRecords, Viewer } from "./team.ts";

export type { Holder, SessionOwner, StartedProcess };

/** Lower-case hex SHA-256. */
export type Hash = string;

export type SessionInfo = {
  id: string;
  workspace: string;
  /** Milliseconds since 1970. */
  createdAt: number;
  /** The session whose call gave this one its task. */
  parent?: string;
};

/** A session as lists show it. @experimental */
export type SessionSummary = SessionInfo & {
  updatedAt: number;
  facts: number;
  /** The name a person gave it, otherwise the first words of the first user message; empty before there is one. */
  title: string;
};

/**
 * Part of a list, newest first: starts after the session `before`, or at the newest. `ofPeople`: excludes sessions
 * started by calls of others. `seenBy`: excludes those that are not for this viewer; `before` is one that is.
 */
export type Page = { limit: number; before?: string | undefined; ofPeople?: boolean; seenBy?: Viewer };

/** `told` gets the number of sessions to index, then how many are left. `seenBy`: finds only what is for this viewer. */
export type SessionSearch = { told?: (left: number) => void; seenBy?: Viewer };

/** Figures computed from a session's facts up to `seq`, to be continued from there. The text is opaque to the store. */
export type KeptFigures = { seq: number; text: string };

/** A session that matches a search. `excerpt`: one line around the first match. */
export type FoundSession = SessionSummary & { excerpt: string };

/** The block being streamed, stored in one overwritten row so that text once shown survives a crash. */
export type StreamedBlock = { block: number; kind: "text" | "reasoning"; text: string };

/** Default for the total size of all stored images. */
export const maxImageBytes = undoBounds.keptImages.most;

/** Who wants to write to a session. `takeOver`: even if a living process holds it, on a person's explicit request. */
export type Claim = { owner: SessionOwner; takeOver?: boolean };

/** Another process has claimed the session since: this one may no longer write to it. @experimental */
export class StaleEpoch extends Error {
  override readonly name = "StaleEpoch";
  constructor(session: string) {
    super(
      `Session ${session} was taken over by another process; nothing was written. Resume it to go on here.`,
    );
  }
}

/**
 * The store cannot be used right now: locked, full, read-only, damaged. `message` says what to do next. @experimental
 */
export class StoreError extends Error {
  override readonly name: string = "StoreError";
}

/**
 * A living process holds the session: no other may write to it or delete it. `message` names the holder and says what
 * to do. @experimental
 */
export class SessionHeld extends StoreError {
  override readonly name: string = "SessionHeld";
  readonly holder: Holder;
  constructor(session: string, holder: Holder, now: number) {
    super(heldWords(session, holder, now));
    this.holder = holder;
  }
}

/** `characters`: of the entries as JSON; a page ends with the entry that reaches the limit. */
export type PageSize = { facts: number; characters: number };

/** Which sessions there are: making, listing, finding, copying and deleting them. @experimental */
export interface SessionRecords {
  create(info: SessionInfo): Promise<void>;
  /** Newest first; all by default. */
  list(page?: Page): Promise<SessionSummary[]>;
  /** Sessions of people whose last request has not ended, newest first. */
  unfinished(limit: number, seenBy?: Viewer): Promise<SessionSummary[]>;
  get(session: string): Promise<SessionSummary | undefined>;
  /** Sessions started by calls of this one, oldest first. */
  children(session: string): Promise<SessionSummary[]>;
  /** The number of the newest fact of each of these sessions, omitting unknown ones. */
  heads(sessions: readonly string[]): Promise<Map<string, number>>;
  /** A number that changes whenever another connection has written: one cheap query covers all sessions. */
  changed(): Promise<number>;
  /** The figures last stored for these sessions. A cache: they may disappear at any time. */
  figures(sessions: readonly string[]): Promise<Map<string, KeptFigures>>;
  /**
   * Stores figures by session, without waiting: throws StoreError if another program is writing. Never replaces newer
   * figures by older ones.
   */
  keepFigures(figures: ReadonlyMap<string, KeptFigures>): Promise<void>;
  /**
   * Deletes everything of the session, with the blobs and images no other session needs; sessions its calls started
   * become independent. Throws SessionHeld as long as a living process holds it, even this one.
   */
  delete(session: string): Promise<void>;
  /**
   * Sessions whose messages, answers or name contain all these words, newest first; a word also matches longer words it
   * begins, ignoring case and accents. No words, no results. Text added since the last search is indexed first.
   */
  search(words: string, limit: number, options?: SessionSearch): Promise<FoundSession[]>;
  /**
   * Creates session `to` from the first `upTo` facts of another: `session-start` records its origin, and the images
   * undo needs are copied. A change or command running at that point gets the result `interrupted`. All or nothing.
   * Throws StoreError if there are too few facts, or `to` exists.
   */
  copy(from: string, to: SessionInfo, upTo: number): Promise<void>;
}

/** Which process may write to a session, and the programs that it started. @experimental */
export interface SessionClaims {
  /**
   * Claims the session for one writer and returns its epoch: every earlier epoch is refused from now on. Throws
   * SessionHeld if another living process holds it. Without `claim` the session is taken from its holder, but gets no
   * new one.
   */
  claim(session: string, claim?: Claim): Promise<number>;
  /** Confirms that the holder is still there. Throws StaleEpoch. Appends do this, too, from time to time. */
  renew(session: string, epoch: number): Promise<void>;
  /** Releases the session. Does nothing if another process has taken it. */
  release(session: string, epoch: number): Promise<void>;
  /** The session's holder, which may be dead (`isAlive`). */
  holder(session: string): Promise<Holder | undefined>;
  /** Records a program started for this session, so that a later process can end it if this one cannot. */
  noteProcess(session: string, started: StartedProcess): Promise<void>;
  /** Removes the record of a program that has ended. */
  forgetProcess(session: string, started: StartedProcess): Promise<void>;
  /** Programs recorded and not removed, oldest first. */
  processes(session: string): Promise<StartedProcess[]>;
}

/** The log of a session: its facts, and the block that is being streamed. @experimental */
export interface StoredLog {
  /** All or none, in one transaction; `seq` must continue without a gap. Throws StaleEpoch, StoreError. */
  append(session: string, epoch: number, entries: readonly Entry[]): Promise<void>;
  /** Entries with `seq` greater than `after`, in order; empty only if there are no more. */
  read(session: string, after: number, most?: PageSize): Promise<Entry[]>;
  /** Overwrites the open block; `undefined` removes it. An append that stores the block removes it too. */
  keepOpenBlock(session: string, epoch: number, block: StreamedBlock | undefined): Promise<void>;
  openBlock(session: string): Promise<StreamedBlock | undefined>;
}

/** Contents by their hash: long texts of facts, and files for undo. @experimental */
export interface ContentStore {
  putBlob(bytes: Uint8Array): Promise<Hash>;
  /** Undefined also if the content no longer matches its hash. */
  getBlob(hash: Hash): Promise<Uint8Array | undefined>;
  /**
   * Stores a file's content for undo or a staged change on behalf of `owner` (a checkpoint or a token) of the session.
   * It is dropped with its owner, or, oldest first, when all images together grow too large.
   */
  keepImage(session: string, owner: string, bytes: Uint8Array): Promise<Hash>;
  /** A content stored in this session, for any owner; undefined once dropped. */
  image(session: string, hash: Hash): Promise<Uint8Array | undefined>;
  /** Drops images that only this owner needs. */
  dropImages(session: string, owner: string): Promise<void>;
}

/** How well models write calls in which dialect. @experimental */
export interface DialectStatistics {
  /** Stores all of a measurement or nothing; resets the counts for its dialects. */
  putMeasured(model: ModelKey, measured: readonly DialectMeasurement[]): Promise<void>;
  /** Adds to the counts; safe with concurrent writers. */
  addCounts(model: ModelKey, dialect: string, counts: CallCounts): Promise<void>;
  /** The records of a model with this chat template: one per dialect, in no order. */
  dialectsOf(model: ModelKey): Promise<DialectRecord[]>;
  /** Every measured model. */
  measuredModels(): Promise<ModelRecord[]>;
}

/** What was heard of a session: its facts up to `after` are stored, and this happened behind them. @experimental */
export type SessionNotice = { session: string; after: number; signal?: Signal };

/** What other processes tell at once. One that is missed is made up for by reading: nothing relies on it. @experimental */
export interface SessionNews {
  /** Never waits. New facts are told by the store itself. */
  tell(session: string, after: number, signal: Signal): void;
  /**
   * Calls the listener for notices of all processes, this one too, until the returned function is called; without a
   * notice if some may have been missed.
   */
  hear(listener: (notice?: SessionNotice) => void): () => void;
}

/** Stores sessions: their facts, contents and owners. @experimental */
export interface Store extends SessionRecords, SessionClaims, StoredLog, ContentStore, DialectStatistics {
  /** Where processes share the store over a server that passes notices on. */
  readonly news?: SessionNews;
  readonly team: TeamRecords;
  /** Makes one attempt to read. Throws StoreError, also if another version has changed the tables meanwhile. */
  probe(): Promise<void>;
  close(): Promise<void>;
}
