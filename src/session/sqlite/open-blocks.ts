/** The block that each session is streaming, in one overwritten row. */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { parseJson } from "../../base/json.ts";
import { number, string } from "../rows.ts";
import type { StreamedBlock } from "../store.ts";

export class OpenBlockTable {
  readonly #keep: StatementSync;
  readonly #close: StatementSync;
  readonly #get: StatementSync;

  constructor(database: DatabaseSync) {
    this.#keep = database.prepare(
      "INSERT OR REPLACE INTO open_blocks (session, block, kind, text) VALUES (?, ?, ?, ?)",
    );
    this.#close = database.prepare("DELETE FROM open_blocks WHERE session = ? AND block <= ?");
    this.#get = database.prepare("SELECT block, kind, text FROM open_blocks WHERE session = ?");
  }

  put(session: string, block: StreamedBlock | undefined): void {
    if (!block) this.close(session, Number.MAX_SAFE_INTEGER);
    // As JSON, because a stream may pause inside a surrogate pair, which UTF-8 cannot encode.
    else this.#keep.run(session, block.block, block.kind, JSON.stringify(block.text));
  }

  /** Removes it, unless it is a later block. */
  close(session: string, upTo: number): void {
    this.#close.run(session, upTo);
  }

  get(session: string): StreamedBlock | undefined {
    const row = this.#get.get(session);
    const text = parseJson(row ? string(row, "text") : "");
    if (!row || !text.ok || typeof text.value !== "string") return undefined;
    const kind = string(row, "kind") === "text" ? "text" : "reasoning";
    return { block: number(row, "block"), kind, text: text.value };
  }
}
