/** Hashes and random names. `node:crypto` takes 4 ms to load: it is loaded when first needed, not imported. */

const crypto = () => process.getBuiltinModule("node:crypto");

/** Lower-case hex SHA-256: the name of a content. Blobs are kept by it, files are compared by it. */
export const sha256 = (bytes: Uint8Array): string => crypto().hash("sha256", bytes);

/** Lower-case hex, two digits a byte; nobody can guess it. */
export const randomHex = (bytes: number): string => crypto().randomBytes(bytes).toString("hex");
