/** The block that each session is streaming, in one overwritten row. */

import { parseJson } from "../../base/json.ts";
import { number, string } from "../rows.ts";
import type { StreamedBlock } from "../store.ts";
import type { Sql } from "./server-link.ts";

export async function putOpenBlock(
  sql: Sql,
  session: string,
  block: StreamedBlock | undefined,
): Promise<void> {
  if (!block) {
    await sql("DELETE FROM open_blocks WHERE session = $1", [session]);
    return;
  }
  // As JSON, because a stream may pause inside a surrogate pair, which UTF-8 cannot encode.
  await sql(
    `INSERT INTO open_blocks (session, block, kind, text) VALUES ($1, $2, $3, $4)
     ON CONFLICT (session) DO UPDATE SET block = excluded.block, kind = excluded.kind, text = excluded.text`,
    [session, block.block, block.kind, JSON.stringify(block.text)],
  );
}

export async function openBlockOf(sql: Sql, session: string): Promise<StreamedBlock | undefined> {
  const [row] = await sql("SELECT block, kind, text FROM open_blocks WHERE session = $1", [session]);
  const text = parseJson(row ? string(row, "text") : "");
  if (!row || !text.ok || typeof text.value !== "string") return undefined;
  const kind = string(row, "kind") === "text" ? "text" : "reasoning";
  return { block: number(row, "block"), kind, text: text.value };
}
