/** Reads from the rows of a database whose sessions are, and with whom they are shared. */

import { type DatabaseRow, string } from "./rows.ts";
import type { Belonging, ShareRight } from "./team.ts";

/** A session has a row for each share, or one with none. */
export function belongingsIn(rows: readonly DatabaseRow[]): Map<string, Belonging> {
  const all = new Map<string, Belonging & { shared: Map<string, ShareRight> }>();
  for (const row of rows) {
    const [id, tenant, person] = [string(row, "session"), string(row, "tenant"), string(row, "person")];
    const known = all.get(id) ?? { tenant, person, shared: new Map<string, ShareRight>() };
    all.set(id, known);
    if (row["right"] !== null)
      known.shared.set(string(row, "other"), row["right"] === "answer" ? "answer" : "read");
  }
  return all;
}
