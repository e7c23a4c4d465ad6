/**
 * Differences as changes: with the hash of what was there and of what is to be there, and their content when asked for.
 */

import { sha256 } from "../../../base/crypto.ts";
import type { Change, Content, Image } from "../../../base/safe-fs/image.ts";
import { asText, type BytePath } from "./byte-path.ts";
import type { Difference } from "./differences.ts";
import type { Pace } from "./pace.ts";
import { openRooted, readExactly, type Rooted } from "./rooted.ts";
import { linkAt, type Side } from "./side.ts";

type Trees = { upper: Rooted; lower: Rooted; pace: Pace };
/** Where each tree is, for reading later. */
type Roots = { upper: string; lower: string };

type Changes = { changes: Change[]; unreadable: Set<BytePath> };

export async function changesOf(list: readonly Difference[], trees: Trees, roots: Roots): Promise<Changes> {
  const found: Changes = { changes: [], unreadable: new Set() };
  for (const difference of inOrder(list)) {
    await trees.pace();
    const path = asText(difference.path);
    const before = imageOf(difference.before, {
      tree: trees.lower,
      root: roots.lower,
      path: difference.path,
    });
    const after = imageOf(difference.after, { tree: trees.upper, root: roots.upper, path: difference.path });
    if (path === undefined || before === undefined || after === undefined)
      found.unreadable.add(difference.path);
    else found.changes.push({ path, before, after });
  }
  return found;
}

/**
 * Made one after the other they work out: removals first, what is in a directory before it; then all else, directories
 * before what is in them, files in the order in which they were written, as programs that compare times expect; at last
 * directories that lose the right to be written.
 */
function inOrder(list: readonly Difference[]): Difference[] {
  const byPath = [...list].sort((one, other) => (one.path < other.path ? -1 : 1));
  const removals = byPath.filter(({ after }) => after === null).reverse();
  const directories = byPath.filter(({ after }) => after?.kind === "directory");
  const files = byPath
    .filter(({ after }) => after !== null && after.kind !== "directory")
    .sort((one, other) => Number((one.after?.modified ?? 0n) - (other.after?.modified ?? 0n)));
  return [
    ...removals,
    ...directories.filter((one) => !isShut(one)),
    ...files,
    ...directories.filter(isShut).reverse(),
  ];
}

/** One that is made so has to be opened for what is put there. */
const isShut = ({ before, after }: Difference): boolean =>
  before?.kind === "directory" && ((after?.mode ?? 0) & 0o300) !== 0o300;

type Place = { tree: Rooted; root: string; path: BytePath };

/** Undefined where it cannot be read. */
function imageOf(side: Side | null, place: Place): Image | null | undefined {
  if (side === null) return null;
  switch (side.kind) {
    case "directory":
      return { kind: "directory", mode: side.mode };
    case "link": {
      const bytes = linkAt(place.tree, place.path);
      const target = bytes === undefined ? undefined : asText(bytes);
      return target === undefined ? undefined : { kind: "link", target };
    }
    case "file": {
      const content = contentOf(place, side.size);
      return content && { kind: "file", content, mode: side.mode };
    }
    case "odd":
      return undefined;
    default:
      return side.kind satisfies never;
  }
}

function contentOf({ tree, root, path }: Place, size: number): Content | undefined {
  const bytes = readExactly(tree.at(path), size);
  if (bytes === undefined) return undefined;
  const hash = sha256(bytes);
  return { hash, size, read: async () => readAgain(root, path, { hash, size }) };
}

function readAgain(root: string, path: BytePath, { hash, size }: { hash: string; size: number }): Uint8Array {
  const tree = openRooted(root);
  try {
    const bytes = readExactly(tree.at(path), size);
    if (bytes === undefined || sha256(bytes) !== hash)
      throw new Error(`${asText(path) ?? path} has changed since the command ended`);
    return bytes;
  } finally {
    tree.close();
  }
}
