/** The name of a content: blobs are kept by it, files are compared by it. */
import { sha256 } from "../base/crypto.ts";
import type { Hash } from "./store.ts";

/** Lower-case hex SHA-256. */
export function contentHash(bytes: Uint8Array): Hash {
  return sha256(bytes);
}
