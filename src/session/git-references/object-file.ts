/** Where git keeps an object before it packs it, and what its first bytes say of it. */

import { join } from "node:path";
import { constants, inflateSync } from "node:zlib";
import { readWindow } from "../../base/safe-fs/own-files.ts";

export const objectFile = (common: string, hash: string): string =>
  join(common, "objects", hash.slice(0, 2), hash.slice(2));

/** Whether it is a commit that is in no pack yet, as every new one; otherwise git has to be asked. */
export async function isLooseCommit(common: string, hash: string): Promise<boolean> {
  const read = await readWindow(objectFile(common, hash), { offset: 0, length: firstBytes });
  if (!read.ok) return false;
  try {
    const begun = inflateSync(read.value.bytes, { finishFlush: constants.Z_SYNC_FLUSH });
    return /^commit \d+\0/.test(begun.toString("latin1"));
  } catch {
    return false;
  }
}

/** Of a file; its kind and its size are the first thing in it. */
const firstBytes = 64;
