/** Reads a range of lines from a file too large to hold in memory, chunk by chunk. */

import { kib } from "../../base/bound.ts";
import type { FileResult } from "../../base/safe-fs/problems.ts";
import type { Tree } from "../../base/safe-fs/tree.ts";
import { hasNul } from "../../base/text.ts";
import { toolBounds } from "../bounds.ts";
import { pageBytes, pageLines, type LineRange } from "./page.ts";

/** `start` holds the file's first bytes; `more` means that further lines follow. */
type FoundLines = { lines: string[]; size: number; start: Uint8Array; more: boolean };

const pieceBytes = 1024 * 1024;
/** How far into a file to search for a line. */
const reach = toolBounds.reach.most;
/** Bytes stored per line; the page cuts it further. */
const longestKept = 16 * kib;

/** The lines of a range, at most one page. Bytes that are not UTF-8 become U+FFFD. */
export async function linesOfLargeFile(
  files: Tree,
  path: string,
  { range, signal }: { range: LineRange; signal: AbortSignal },
): Promise<FileResult<FoundLines>> {
  const collector = new LineCollector(range);
  const found = { size: 0, start: new Uint8Array() };
  let offset = 0;
  for (; offset < reach && !collector.full;) {
    signal.throwIfAborted();
    const piece = await files.window(path, { offset, length: pieceBytes });
    if (!piece.ok) return piece;
    const { bytes, size } = piece.value;
    if (offset === 0) Object.assign(found, { size, start: bytes.slice(0, 8192) });
    if (bytes.length === 0 || hasNul(found.start)) break;
    // A sparse file's hole may span terabytes, and no text is expected behind it.
    if (bytes.every((byte) => byte === 0)) {
      found.start = bytes.slice(0, 8192);
      break;
    }
    collector.add(bytes);
    offset += bytes.length;
  }
  if (offset >= found.size) collector.finish();
  return {
    ok: true,
    value: { ...found, lines: collector.lines, more: collector.full || offset < found.size },
  };
}

/** Counts lines on raw bytes and decodes only the wanted ones. */
class LineCollector {
  readonly lines: string[] = [];
  full = false;
  readonly #from: number;
  readonly #to: number;
  #line = 1;
  #bytes = 0;
  #begun: Uint8Array[] = [];
  #begunBytes = 0;

  constructor({ from = 1, to = Number.POSITIVE_INFINITY }: LineRange) {
    this.#from = from;
    this.#to = Math.min(to, from + pageLines - 1);
  }

  add(bytes: Uint8Array): void {
    let at = 0;
    while (!this.full && at < bytes.length) {
      const end = bytes.indexOf(10, at);
      this.#keep(bytes.subarray(at, end === -1 ? undefined : end));
      if (end === -1) return;
      this.#endLine();
      at = end + 1;
    }
  }

  finish(): void {
    if (!this.full && this.#begunBytes > 0) this.#endLine();
  }

  #keep(bytes: Uint8Array): void {
    if (this.#line < this.#from) return;
    const kept = bytes.slice(0, Math.max(0, longestKept - this.#begunBytes));
    this.#begun.push(kept);
    this.#begunBytes += kept.length;
  }

  #endLine(): void {
    if (this.#line >= this.#from) {
      const line = Buffer.concat(this.#begun).toString("utf8");
      this.lines.push(line.endsWith("\r") ? line.slice(0, -1) : line);
      this.#bytes += this.#begunBytes;
    }
    this.#begun = [];
    this.#begunBytes = 0;
    this.full = this.#line >= this.#to || this.#bytes > pageBytes;
    this.#line++;
  }
}
