/** Work on a store's tables, written once for every database: it yields statements, and is given the rows of each. */

import type { DatabaseRow } from "../rows.ts";

export type StoredValue = string | number | boolean | null | Uint8Array | readonly string[];

/** In the words of PostgreSQL, which `sqlite/statements.ts` turns into those of SQLite. */
export type Statement = readonly [text: string, values?: readonly StoredValue[]];

export type TableWork<Value> = Generator<Statement, Value, DatabaseRow[]>;

/** How a store does such work. `isRepeated`: an earlier attempt may have succeeded. */
export type TableAccess = {
  read: <Value>(work: () => TableWork<Value>) => Promise<Value>;
  /** After the session's earlier writes. */
  write: <Value>(session: string, work: (isRepeated: boolean) => TableWork<Value>) => Promise<Value>;
  /** In one transaction, after the earlier writes of the session, if it is one's. */
  change: <Value>(
    session: string | undefined,
    work: (isRepeated: boolean) => TableWork<Value>,
  ) => Promise<Value>;
};
