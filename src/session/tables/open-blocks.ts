/** The block that each session is streaming, in one overwritten row. */

import { parseJson } from "../../base/json.ts";
import { number, string } from "../rows.ts";
import type { StreamedBlock } from "../store.ts";
import { requireOwned } from "./claims.ts";
import type { TableWork } from "./work.ts";

/** Call within a transaction. Throws StaleEpoch, or StoreError for an unknown session. */
export function* keepOpenBlock(
  session: string,
  epoch: number,
  block: StreamedBlock | undefined,
): TableWork<void> {
  yield* requireOwned(session, epoch);
  if (!block) yield ["DELETE FROM open_blocks WHERE session = $1", [session]];
  // As JSON, because a stream may pause inside a surrogate pair, which UTF-8 cannot encode.
  else
    yield [
      `INSERT INTO open_blocks (session, block, kind, text) VALUES ($1, $2, $3, $4)
       ON CONFLICT (session) DO UPDATE SET block = excluded.block, kind = excluded.kind, text = excluded.text`,
      [session, block.block, block.kind, JSON.stringify(block.text)],
    ];
}

export function* openBlockOf(session: string): TableWork<StreamedBlock | undefined> {
  const [row] = yield ["SELECT block, kind, text FROM open_blocks WHERE session = $1", [session]];
  const text = parseJson(row ? string(row, "text") : "");
  if (!row || !text.ok || typeof text.value !== "string") return undefined;
  const kind = string(row, "kind") === "text" ? "text" : "reasoning";
  return { block: number(row, "block"), kind, text: text.value };
}
