/** Turns differences into changes: hashes of the old and new content, and the content itself on request. */

import { sha256 } from "../../../base/crypto.ts";
import type { Change, FileContent, Image } from "../../../base/safe-fs/image.ts";
import { asText, type BytePath } from "./byte-path.ts";
import type { OverlayDifference } from "./differences.ts";
import { pace } from "./pace.ts";
import { openRooted, readExactly, type RootedTree } from "./rooted-tree.ts";
import { linkAt, type Side } from "./side.ts";

type Changes = { changes: Change[]; unreadable: Set<BytePath> };

export async function changesOf(
  list: readonly OverlayDifference[],
  { upper, lower }: Record<"upper" | "lower", RootedTree>,
): Promise<Changes> {
  const found: Changes = { changes: [], unreadable: new Set() };
  for (const difference of inOrder(list)) {
    await pace();
    const path = asText(difference.path);
    const before = imageOf(difference.before, lower, difference.path);
    const after = imageOf(difference.after, upper, difference.path);
    if (path === undefined || before === undefined || after === undefined)
      found.unreadable.add(difference.path);
    else found.changes.push({ path, before, after });
  }
  return found;
}

/**
 * Orders the list so that applying it one by one works: first removals, contents before their directory; then
 * everything else, directories before their contents, files in the order written, as programs that compare times
 * expect; last, directories that lose write permission.
 */
function inOrder(list: readonly OverlayDifference[]): OverlayDifference[] {
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

/**
 * An existing directory that loses write permission. It goes last, because its contents are changed first; a new one is
 * opened temporarily instead.
 */
const isShut = ({ before, after }: OverlayDifference): boolean =>
  before?.kind === "directory" && ((after?.mode ?? 0) & 0o300) !== 0o300;

/** Undefined if unreadable. */
function imageOf(side: Side | null, tree: RootedTree, path: BytePath): Image | null | undefined {
  if (side === null) return null;
  switch (side.kind) {
    case "directory":
      return { kind: "directory", mode: side.mode };
    case "link": {
      const bytes = linkAt(tree, path);
      const target = bytes === undefined ? undefined : asText(bytes);
      return target === undefined ? undefined : { kind: "link", target };
    }
    case "file": {
      const content = contentOf(tree, path, side.size);
      return content && { kind: "file", content, mode: side.mode };
    }
    case "other":
      return undefined;
    default:
      return side.kind satisfies never;
  }
}

function contentOf(tree: RootedTree, path: BytePath, size: number): FileContent | undefined {
  const bytes = readExactly(tree.at(path), size);
  if (bytes === undefined) return undefined;
  const hash = sha256(bytes);
  return { hash, size, read: async () => readAgain(tree.root, path, { hash, size }) };
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
