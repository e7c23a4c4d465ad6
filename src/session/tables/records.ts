/** The part of a store that is written once for every database. */

import { renewMs } from "../owner.ts";
import { type DatabaseRow, summaryOf } from "../rows.ts";
import { sessionExists } from "../store-rules.ts";
import type { ContentStore, SessionClaims, SessionInfo, SessionSummary, Store } from "../store.ts";
import { blobsOf, withHash, putLoose } from "./blobs.ts";
import {
  claimSession,
  forgetProcess,
  holderIn,
  noteProcess,
  processesOf,
  releaseHolder,
  renewHolder,
  requireOwned,
} from "./claims.ts";
import { dialectsOf, measuredModels, putMeasured } from "./dialects.ts";
import { dropImages, imageOf, type ImageRules, keepImage, lockImages } from "./images.ts";
import { childRows, figuresOf, headsOf, listedRows, unfinishedRows } from "./lists.ts";
import { openBlockOf } from "./open-blocks.ts";
import { inheritBelonging, teamRecords } from "./team.ts";
import type { TableAccess, TableWork } from "./work.ts";

/** When this process last renewed each session that it holds. */
export type Renewals = Map<string, number>;

/** Whether an append is to renew the holder, since it writes anyway. */
export function isRenewalDue(renewals: Renewals, session: string, now: number): boolean {
  const last = renewals.get(session);
  return last !== undefined && Math.abs(now - last) >= renewMs;
}

type SharedRecords = SessionClaims &
  ContentStore &
  Pick<
    Store,
    | "create"
    | "list"
    | "unfinished"
    | "children"
    | "get"
    | "heads"
    | "figures"
    | "openBlock"
    | "putMeasured"
    | "dialectsOf"
    | "measuredModels"
    | "team"
  >;

export function storedRecords(access: TableAccess, renewals: Renewals, rules: ImageRules): SharedRecords {
  const { read, write, change } = access;
  const summaries = async (rows: () => TableWork<DatabaseRow[]>): Promise<SessionSummary[]> =>
    (await read(rows)).map(summaryOf);
  return {
    ...claimsBy(access, renewals),
    ...contentsBy(access, rules),
    create: (info) =>
      (info.parent === undefined ? write : change)(info.id, (isRepeated) => create(info, isRepeated)),
    list: (page) => summaries(() => listedRows(page)),
    unfinished: (limit, seenBy) => summaries(() => unfinishedRows(limit, seenBy)),
    children: (session) => summaries(() => childRows(session)),
    get: async (session) => (await summaries(() => sessionRow(session)))[0],
    heads: (sessions) => read(() => headsOf(sessions)),
    figures: (sessions) => read(() => figuresOf(sessions)),
    openBlock: (session) => read(() => openBlockOf(session)),
    async putMeasured(model, measured) {
      const given = structuredClone(measured);
      await change(undefined, () => putMeasured(model, given));
    },
    dialectsOf: (model) => read(() => dialectsOf(model)),
    measuredModels: () => read(measuredModels),
    team: teamRecords(access),
  };
}

function* create({ id, workspace, createdAt, parent }: SessionInfo, isRepeated: boolean): TableWork<void> {
  const [made] = yield [
    `INSERT INTO sessions (id, workspace, created_at, updated_at, parent) VALUES ($1, $2, $3, $3, $4)
     ON CONFLICT DO NOTHING RETURNING id`,
    [id, workspace, createdAt, parent ?? null],
  ];
  if (!made && !(isRepeated && (yield* isMade({ id, workspace, createdAt })))) throw sessionExists(id);
  if (parent !== undefined) yield* inheritBelonging(id, parent);
}

/** Whether an attempt whose outcome was not heard has made this session. */
export function* isMade({ id, workspace, createdAt }: Omit<SessionInfo, "parent">): TableWork<boolean> {
  const [made] = yield [
    "SELECT 1 FROM sessions WHERE id = $1 AND workspace = $2 AND created_at = $3",
    [id, workspace, createdAt],
  ];
  return made !== undefined;
}

function* sessionRow(session: string): TableWork<DatabaseRow[]> {
  return yield ["SELECT * FROM sessions WHERE id = $1", [session]];
}

function claimsBy({ read, write, change }: TableAccess, renewals: Renewals): SessionClaims {
  return {
    async claim(session, claim) {
      const epoch = await change(session, () => claimSession(session, claim));
      renewals.set(session, Date.now());
      return epoch;
    },
    async renew(session, epoch) {
      await write(session, function* () {
        yield* renewHolder(session, epoch);
        yield* requireOwned(session, epoch);
      });
      renewals.set(session, Date.now());
    },
    async release(session, epoch) {
      await write(session, () => releaseHolder(session, epoch));
      renewals.delete(session);
    },
    holder: (session) => read(() => holderIn(session)),
    noteProcess: (session, started) => write(session, () => noteProcess(session, started)),
    forgetProcess: (session, started) => write(session, () => forgetProcess(session, started)),
    processes: (session) => read(() => processesOf(session)),
  };
}

function contentsBy({ read, change }: TableAccess, rules: ImageRules): ContentStore {
  const getBlob: ContentStore["getBlob"] = async (hash) => (await read(() => blobsOf([hash]))).get(hash);
  return {
    async putBlob(bytes) {
      const blob = withHash(bytes);
      await change(undefined, () => putLoose(blob));
      return blob.hash;
    },
    getBlob,
    async keepImage(session, owner, bytes) {
      const image = withHash(bytes);
      await change(session, () => keepImage({ session, owner }, image, rules));
      return image.hash;
    },
    // Sessions of versions before images existed have undo contents among their blobs.
    image: async (session, hash) => (await read(() => imageOf(session, hash))) ?? getBlob(hash),
    dropImages: (session, owner) =>
      change(session, function* () {
        yield* lockImages();
        yield* dropImages(session, owner, rules);
      }),
  };
}
