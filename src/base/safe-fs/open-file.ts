/** Reads and writes open files: small ones synchronously, as waiting for a thread costs more than their bytes. */

import { fsync, read, readSync, writeFile, writeFileSync } from "node:fs";
import { promisify } from "node:util";

const small = 64 * 1024;
const pieceBytes = 1024 * 1024;

/** Lower-case hex SHA-256 of the whole file; for a file longer than `size`, a different hash. */
export async function hashOfOpen(file: number, size: number): Promise<string> {
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256");
  // One byte more than expected, so that a longer file hashes differently.
  const piece = new Uint8Array(Math.min(pieceBytes, size + 1));
  for (let at = 0; at <= size;) {
    const count = await readOpen(file, piece, { at, size });
    if (count === 0) break;
    hash.update(piece.subarray(0, count));
    at += count;
  }
  return hash.digest("hex");
}

/**
 * Reads from offset `at` into `piece` and returns the number of bytes; `size`: how much is likely to be read in total.
 */
export function readOpen(
  file: number,
  piece: Uint8Array,
  { at, size }: { at: number; size: number },
): Promise<number> | number {
  if (size <= small) return readSync(file, piece, 0, piece.length, at);
  return new Promise((resolve, reject) => {
    read(file, piece, 0, piece.length, at, (error, count) => (error ? reject(error) : resolve(count)));
  });
}

export function writeOpen(file: number, bytes: Uint8Array): Promise<void> | void {
  return bytes.length <= small ? writeFileSync(file, bytes) : promisify(writeFile)(file, bytes);
}

export const syncOpen: (file: number) => Promise<void> = promisify(fsync);
