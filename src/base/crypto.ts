/** Hashes and random names. `node:crypto` takes 4 ms to load: it is loaded when first needed, not imported. */

const crypto = () => process.getBuiltinModule("node:crypto");

/** Lower-case hex SHA-256: the name of a content. Blobs are kept by it, files are compared by it. */
export const sha256 = (bytes: Uint8Array): string => crypto().hash("sha256", bytes);

/** A random UUID (version 4). */
export const randomId = (): string => crypto().randomUUID();

/** Lower-case hex, two digits a byte; nobody can guess it. */
export const randomHex = (bytes: number): string => crypto().randomBytes(bytes).toString("hex");

/** Lower-case hex hash of several pieces, as if they were one. SHA-1 only for names that others gave by it. */
export function hashOfParts(algorithm: "sha1" | "sha256", parts: readonly Uint8Array[]): string {
  const hash = crypto().createHash(algorithm);
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}
