/** Reads regular files so that odd ones (FIFOs, devices, huge ones) never hang. */

import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { readOpen } from "./open-file.ts";
import { type FileResult, fileProblem, kindInWords, notRegular, tooBig } from "./problems.ts";

/** A part of a file: `bytes` begin at `offset`; `size` is the size of the whole file. */
export type FileWindow = { bytes: Uint8Array; offset: number; size: number };

/** `path` is for system calls, `shown` for messages. */
type ReadTarget = { path: string; shown: string };

/** Reads a whole regular file of at most `maxBytes`. */
export function readWhole(
  place: ReadTarget,
  { maxBytes }: { maxBytes: number },
): Promise<FileResult<Uint8Array>> {
  return withRegularFile(place, async (file, size) => {
    if (size > maxBytes) return tooBig(place.shown, size, maxBytes);
    // Read to the end, not to `size`: some file systems report 0, and a file may grow meanwhile.
    const bytes = await readUpTo(file, { offset: 0, length: maxBytes + 1, likely: size + 1 });
    return bytes.length > maxBytes ? tooBig(place.shown, bytes.length, maxBytes) : { ok: true, value: bytes };
  });
}

/** Reads at most `length` bytes from `offset`, of a regular file of any size. */
export function readPart(
  place: ReadTarget,
  window: { offset: number; length: number },
): Promise<FileResult<FileWindow>> {
  return withRegularFile(place, async (file, size) => {
    const likely = Math.min(window.length, Math.max(0, size - window.offset));
    const bytes = await readUpTo(file, { ...window, likely });
    return { ok: true, value: { bytes, offset: window.offset, size } };
  });
}

/** Opens a regular file for reading; a link in the last component is not followed. */
async function withRegularFile<T>(
  { path, shown }: ReadTarget,
  use: (file: number, size: number) => Promise<FileResult<T>>,
): Promise<FileResult<T>> {
  let file: number | undefined;
  try {
    // Without O_NONBLOCK a FIFO blocks for ever.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const stats = fstatSync(file);
    if (!stats.isFile()) return notRegular(shown, kindInWords(stats));
    await othersNowAndThen();
    return await use(file, stats.size);
  } catch (error) {
    return fileProblem(shown, error, "read");
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Small files are read synchronously, so a reader of thousands must yield now and then. */
async function othersNowAndThen(): Promise<void> {
  reads += 1;
  if (reads % readsInTurn === 0) await new Promise(setImmediate);
}

const readsInTurn = 32;
let reads = 0;

async function readUpTo(
  file: number,
  { offset, length, likely }: { offset: number; length: number; likely: number },
): Promise<Uint8Array> {
  let buffer = new Uint8Array(Math.max(1, Math.min(length, likely)));
  let filled = 0;
  while (filled < length) {
    if (filled === buffer.length) buffer = largerBuffer(buffer, length);
    const count = await readOpen(file, buffer.subarray(filled), { at: offset + filled, size: buffer.length });
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}

function largerBuffer(buffer: Uint8Array, most: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.min(most, Math.max(65_536, buffer.length * 2)));
  larger.set(buffer);
  return larger;
}
