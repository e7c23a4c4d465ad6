/** What a store keeps for a team's server: whose a session is, who else may see it, and the records of people. */

/** For whom a list is: without `person` it has every session of the tenant. */
export type Viewer = { tenant: string; person?: string };

/** What a session may be shared for: reading it, or answering its questions as well. @experimental */
export type ShareRight = "read" | "answer";

/** Everybody of the tenant, in place of a person. */
export const everybody = "";

/** Whose a session is. `shared`: what others may do with it, by person. @experimental */
export type Belonging = { tenant: string; person: string; shared: ReadonlyMap<string, ShareRight> };

/** A text by its kind and id. @experimental */
export type TeamRecord = { id: string; text: string };

/**
 * `is` takes the place of `was`; each is undefined for none. `beside`: a new record, put in the same transaction.
 * @experimental
 */
export type RecordTexts = {
  was: string | undefined;
  is: string | undefined;
  beside?: (TeamRecord & { kind: string }) | undefined;
};

/**
 * A session that was given to nobody is nobody's. One that a call started belongs to whom its parent does, and is shared
 * with it. @experimental
 */
export interface TeamRecords {
  belonging(session: string): Promise<Belonging | undefined>;
  /** Of those that are somebody's, in one look. */
  belongings(sessions: readonly string[]): Promise<Map<string, Belonging>>;
  /** Does nothing if there is no such session. */
  give(session: string, to: Pick<Belonging, "tenant" | "person">): Promise<void>;
  /** With `everybody` or one person; without a right no longer. Does nothing for a session that is nobody's. */
  share(session: string, person: string, right: ShareRight | undefined): Promise<void>;
  record(kind: string, id: string): Promise<string | undefined>;
  /** In the order of their ids, from this one on. */
  records(kind: string, from?: string): Promise<TeamRecord[]>;
  /** False if the text is not `was`: nothing has changed then. */
  replace(kind: string, id: string, texts: RecordTexts): Promise<boolean>;
}

/** SQL of both databases: whether `id` is of a session that the viewer sees. Without a tenant all are. */
export const seenBy = (id: string, tenant: string, person: string): string =>
  `(CAST(${tenant} AS TEXT) IS NULL OR ${id} IN (
     SELECT session FROM belongings WHERE tenant = ${tenant} AND (
       CAST(${person} AS TEXT) IS NULL OR person = ${person}
       OR tree IN (SELECT session FROM shares WHERE person IN (${person}, '${everybody}')))))`;

/** The two values of `seenBy`. */
export const viewerIn = (viewer: Viewer | undefined): [tenant: string | null, person: string | null] => [
  viewer?.tenant ?? null,
  viewer?.person ?? null,
];
