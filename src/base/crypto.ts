/** Hashes and random names. `node:crypto` takes 4 ms to load, so it is loaded on first use instead of imported. */

const crypto = () => process.getBuiltinModule("node:crypto");

/** Lower-case hex SHA-256: identifies stored blobs and serves to compare files. */
export const sha256 = (bytes: Uint8Array): string => crypto().hash("sha256", bytes);

/** A random UUID (version 4). */
export const randomId = (): string => crypto().randomUUID();

/** Unguessable lower-case hex text, two digits per byte. */
export const randomHex = (bytes: number): string => crypto().randomBytes(bytes).toString("hex");

/** Lower-case hex hash of the concatenated parts. SHA-1 only for names that other programs derive with it. */
export function hashOfParts(algorithm: "sha1" | "sha256", parts: readonly Uint8Array[]): string {
  const hash = crypto().createHash(algorithm);
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}
