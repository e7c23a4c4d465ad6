/** Reads contents from `git cat-file --batch`, checking each against its id. */

import { hashOfParts } from "../../base/crypto.ts";

/** `size` is the size the content must have. */
export type GitObject = { id: string; size: number };

type ObjectReader = { push: (bytes: Buffer) => void; end(): Map<string, Uint8Array> };

/** Objects larger than requested are discarded, so that a small one cannot unfold into a huge one. */
export function objectReader(wanted: readonly GitObject[]): ObjectReader {
  const asked = new Set(wanted.map(({ id, size }) => `${id} ${size}`));
  const contents = new Map<string, Uint8Array>();
  let header = "";
  let open: { id: string; left: number; pieces: Buffer[] | undefined } | undefined;

  function begin(line: string): void {
    const found = /^([0-9a-f]+) (\w+) (\d+)$/.exec(line);
    if (!found) return; // "… missing"
    const [, id = "", type, length] = found;
    const isWanted = type === "blob" && asked.has(`${id} ${length}`);
    open = { id, left: Number(length) + 1, pieces: isWanted ? [] : undefined };
  }

  function take(bytes: Buffer): Buffer {
    if (!open) {
      const end = bytes.indexOf(0x0a);
      header += bytes.toString("latin1", 0, end < 0 ? bytes.length : end);
      if (end < 0) return Buffer.alloc(0);
      begin(header);
      header = "";
      return bytes.subarray(end + 1);
    }
    const piece = bytes.subarray(0, open.left);
    open.left -= piece.length;
    open.pieces?.push(piece);
    if (open.left === 0) close();
    return bytes.subarray(piece.length);
  }

  function close(): void {
    if (open?.pieces) {
      const content = Buffer.concat(open.pieces).subarray(0, -1);
      if (isNamed(content, open.id)) contents.set(open.id, content);
    }
    open = undefined;
  }

  return {
    push(bytes) {
      for (let rest = bytes; rest.length > 0;) rest = take(rest);
    },
    end: () => contents,
  };
}

/** Git's id for a content is the hash of its kind, length and bytes. */
function isNamed(content: Uint8Array, id: string): boolean {
  const front = Buffer.from(`blob ${content.length}\0`);
  return hashOfParts(id.length === 40 ? "sha1" : "sha256", [front, content]) === id;
}
