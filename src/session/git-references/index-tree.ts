/** Which tree an index stands for, read from git's own file where it is plain: git itself needs a process for it. */

import { hashOfParts } from "../../base/crypto.ts";

/** `isWritten`: git has made the tree when it wrote the index, so it is among the objects. */
type IndexTree = { hash: string; isWritten: boolean };

type StagedEntry = { mode: number; hash: Buffer; name: string };
/** What the index says of a directory; `hash` is absent if something in it has changed since. */
type CachedTree = { entries: number; hash: Buffer | undefined; below: Map<string, CachedTree> };
type ObjectFormat = { algorithm: "sha1" | "sha256"; size: number };

/** Undefined if git has to be asked: during a merge, and where an index is split, sparse or unknown. */
export function indexTree(bytes: Buffer, { length }: string): IndexTree | undefined {
  const format: ObjectFormat = { algorithm: length === 64 ? "sha256" : "sha1", size: length / 2 };
  try {
    const read = readIndex(bytes, format);
    if (!read) return undefined;
    const { entries, cached } = read;
    if (cached?.hash && cached.entries === entries.length)
      return { hash: cached.hash.toString("hex"), isWritten: true };
    return {
      hash: treeOf({ entries, format }, { from: 0, prefix: "", cached }).hash.toString("hex"),
      isWritten: false,
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined; // cut short
    throw error;
  }
}

type ReadIndex = { entries: StagedEntry[]; cached: CachedTree | undefined };

/** Git's own description: gitformat-index. */
function readIndex(bytes: Buffer, { size }: ObjectFormat): ReadIndex | undefined {
  const version = bytes.readUInt32BE(4);
  if (bytes.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 4) return undefined;
  const entries: StagedEntry[] = [];
  const count = bytes.readUInt32BE(8);
  let at = 12;
  while (entries.length < count) {
    const mode = bytes.readUInt32BE(at + 24);
    const flagsAt = at + 40 + size;
    const flags = bytes.readUInt16BE(flagsAt);
    const isExtended = (flags & 0x4000) !== 0;
    const isIntended = isExtended && (bytes.readUInt16BE(flagsAt + 2) & 0x2000) !== 0;
    if ((flags & 0x3000) !== 0 || isIntended || !modes.has(mode)) return undefined;
    const nameAt = flagsAt + (isExtended ? 4 : 2);
    const named =
      version === 4
        ? shortenedName(bytes, nameAt, entries.at(-1)?.name ?? "")
        : { name: bytes.toString("latin1", nameAt, endOf(bytes, nameAt)), end: endOf(bytes, nameAt) };
    entries.push({ mode, hash: bytes.subarray(flagsAt - size, flagsAt), name: named.name });
    at = version === 4 ? named.end + 1 : at + ((named.end - at + 8) & ~7);
  }
  const end = bytes.length - size;
  return at > end ? undefined : withCached(bytes.subarray(at, end), { entries, size });
}

const modes = new Set([0o100644, 0o100755, 0o120000, 0o160000]);

function endOf(bytes: Buffer, at: number): number {
  const end = bytes.indexOf(0, at);
  if (end < 0) throw new RangeError("The index is cut short");
  return end;
}

/** How much of the name before falls away, and what comes in its place. */
function shortenedName(bytes: Buffer, from: number, before: string): { name: string; end: number } {
  let at = from;
  let byte = bytes.readUInt8(at);
  let less = byte & 127;
  while ((byte & 128) !== 0) {
    at += 1;
    byte = bytes.readUInt8(at);
    less = (less + 1) * 128 + (byte & 127);
  }
  const end = endOf(bytes, at + 1);
  return { name: before.slice(0, before.length - less) + bytes.toString("latin1", at + 1, end), end };
}

/** What a small letter begins, git must know to read the entries. */
function withCached(
  extensions: Buffer,
  { entries, size }: { entries: StagedEntry[]; size: number },
): ReadIndex | undefined {
  let cached: CachedTree | undefined;
  let at = 0;
  while (at < extensions.length) {
    const name = extensions.toString("latin1", at, at + 4);
    const end = at + 8 + extensions.readUInt32BE(at + 4);
    if (!/^[A-Z]/.test(name) || end > extensions.length) return undefined;
    if (name === "TREE") cached = readCached({ bytes: extensions.subarray(at + 8, end), at: 0 }, size).tree;
    at = end;
  }
  return at === extensions.length ? { entries, cached } : undefined;
}

function readCached(from: { bytes: Buffer; at: number }, size: number): { name: string; tree: CachedTree } {
  const { bytes } = from;
  const nameEnd = endOf(bytes, from.at);
  const name = bytes.toString("latin1", from.at, nameEnd);
  const lineEnd = bytes.indexOf("\n", nameEnd);
  const [, entries, trees] =
    /^(-?\d+) (\d+)$/.exec(bytes.toString("latin1", nameEnd + 1, Math.max(lineEnd, 0))) ?? [];
  if (entries === undefined) throw new RangeError("The index has no such tree");
  const isKnown = !entries.startsWith("-");
  from.at = lineEnd + 1 + (isKnown ? size : 0);
  const hash = isKnown ? bytes.subarray(lineEnd + 1, from.at) : undefined;
  const below = new Map<string, CachedTree>();
  while (below.size < Number(trees)) {
    const one = readCached(from, size);
    if (below.has(one.name)) throw new RangeError("The index has a tree twice");
    below.set(one.name, one.tree);
  }
  return { name, tree: { entries: Number(entries), hash, below } };
}

type EntriesPlace = { from: number; prefix: string; cached: CachedTree | undefined };

/** The entries of an index stand in the order of trees. */
function treeOf(
  index: { entries: readonly StagedEntry[]; format: ObjectFormat },
  { from, prefix, cached }: EntriesPlace,
): { hash: Buffer; end: number } {
  const { entries, format } = index;
  const parts: Buffer[] = [];
  let at = from;
  for (;;) {
    const entry = entries[at];
    if (!entry?.name.startsWith(prefix)) break;
    const slash = entry.name.indexOf("/", prefix.length);
    const name = entry.name.slice(prefix.length, slash < 0 ? undefined : slash);
    const known = slash < 0 ? undefined : cached?.below.get(name);
    const below = { from: at, prefix: `${prefix}${name}/`, cached: known };
    const made =
      slash < 0
        ? { hash: entry.hash, end: at + 1 }
        : known?.hash && known.entries > 0
          ? { hash: known.hash, end: at + known.entries }
          : treeOf(index, below);
    const mode = slash < 0 ? entry.mode : 0o40000;
    parts.push(Buffer.from(`${mode.toString(8)} ${name}\0`, "latin1"), made.hash);
    at = made.end;
  }
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  const hash = hashOfParts(format.algorithm, [Buffer.from(`tree ${size}\0`), ...parts]);
  return { hash: Buffer.from(hash, "hex"), end: at };
}
