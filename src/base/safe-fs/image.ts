/** What exists at a path, as a value to store, compare and restore; and a change from one such value to another. */

import { sha256 } from "../crypto.ts";

/** `hash` is the lower-case hex SHA-256 of the bytes, `size` their number. `read` loads them when needed. */
export type FileContent = { hash: string; size: number; read(): Promise<Uint8Array> };

/** `mode`: permission bits (0o7777); if absent, the mode of the existing file, or the default for a new one. */
export type Image =
  | { kind: "file"; content: FileContent; mode?: number }
  | { kind: "link"; target: string }
  | { kind: "directory"; mode?: number };

/** `path` is tree-relative, with forward slashes and without links; `null`: nothing exists there. @experimental */
export type Change = { path: string; before: Image | null; after: Image | null };

export const contentOf = (bytes: Uint8Array): FileContent => ({
  hash: sha256(bytes),
  size: bytes.length,
  read: () => Promise.resolve(bytes),
});

/** A file with these bytes; `null` stays `null`. */
export function fileImage(bytes: Uint8Array, mode?: number): Image;
export function fileImage(bytes: Uint8Array | null, mode?: number): Image | null;
export function fileImage(bytes: Uint8Array | null, mode?: number): Image | null {
  if (bytes === null) return null;
  return { kind: "file", content: contentOf(bytes), ...(mode === undefined ? {} : { mode }) };
}

/** The hash of a file's bytes or of a link's target; for a directory, the hash of no bytes. */
export function hashOfImage(image: Image | null): string | null {
  if (image === null) return null;
  if (image.kind === "file") return image.content.hash;
  return sha256(image.kind === "link" ? new TextEncoder().encode(image.target) : new Uint8Array());
}

/** The same kind and content, and the same mode if both have one. */
export function isSameImage(one: Image | null, other: Image | null): boolean {
  if (one === null || other === null) return one === other;
  if (one.kind !== other.kind || hashOfImage(one) !== hashOfImage(other)) return false;
  const [mode, otherMode] = [modeOf(one), modeOf(other)];
  return mode === undefined || otherMode === undefined || mode === otherMode;
}

export const modeOf = (image: Image | null): number | undefined =>
  image === null || image.kind === "link" ? undefined : image.mode;

/** The bytes to store for an image: a link's target, nothing for a directory. */
export async function bytesOfImage(image: Image): Promise<Uint8Array> {
  switch (image.kind) {
    case "file":
      return image.content.read();
    case "link":
      return new TextEncoder().encode(image.target);
    case "directory":
      return new Uint8Array();
    default:
      return image satisfies never;
  }
}
