/** What PostgreSQL has besides when a session is copied or removed. Call within a transaction, first. */

import type { Entry } from "../../protocol/facts.ts";
import type { SessionInfo } from "../store.ts";
import { copySession, deleteSession, type FactColumns } from "../tables/copies.ts";
import type { TableWork } from "../tables/work.ts";
import { factRow } from "./facts.ts";

const columns: FactColumns = {
  names: ["seq", "type", "size", "entry"],
  valuesOf(entry) {
    const { seq, type, size, text } = factRow(entry);
    return [seq, type, size, text];
  },
};

export function* copyWithBlobs(
  from: string,
  copy: { to: SessionInfo; upTo: number; entries: readonly Entry[] },
): TableWork<void> {
  yield* copySession(from, copy, columns);
  yield [
    `INSERT INTO blob_users (hash, session)
     SELECT DISTINCT hash, $1 FROM facts, regexp_matches(entry, '"([0-9a-f]{64})"', 'g') AS named, blobs
     WHERE facts.session = $1 AND hash = named[1]`,
    [copy.to.id],
  ];
}

/** False if there is no such session. Throws SessionHeld. */
export function* deleteWithRuns(session: string): TableWork<boolean> {
  if (!(yield* deleteSession(session, ["facts", "open_blocks"], { triggers: false }))) return false;
  yield ["DELETE FROM runs WHERE session = $1 AND state = 'rests'", [session]];
  return true;
}
