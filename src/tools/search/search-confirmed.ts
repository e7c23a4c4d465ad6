/** Confirms that lines found by an external program, by file name, really are in files of the workspace. */

import { mib } from "../../base/bound.ts";
import type { Expected } from "../../base/expected.ts";
import type { Tree } from "../../base/safe-fs/tree.ts";
import { largestFile } from "../files/place.ts";
import type { FileHits } from "./search-engine.ts";

/** Most lines confirmed at once (as many as a result holds), and their bytes. */
const mostAsked = 201;
/** Lines of one search that are checked against the files themselves, in bytes. */
const mostBytes = 16 * mib;

/**
 * A directory swapped for a symlink would lead the program outside and leak what it finds there, so only lines that
 * also match when read through the tree count. Returns as many as a result holds, in the order of `files`; `matching`
 * searches the lines again and returns their numbers.
 */
export async function confirmHits(
  found: readonly FileHits[],
  search: {
    tree: Tree;
    files: readonly string[];
    matching(lines: Uint8Array): Promise<Expected<number[]>>;
  },
): Promise<Expected<FileHits[]>> {
  const hits = new Map(found.map((each) => [each.path, each]));
  const waiting = search.files.flatMap((path) => hits.get(path) ?? []).toReversed();
  const all: FileHits[] = [];
  let count = 0;
  while (waiting.length > 0 && count < mostAsked) {
    const asked = await nextLines(search.tree, waiting);
    const lines = asked.flatMap((file) => file.lines.flatMap(({ bytes }) => [bytes, lineEnd]));
    if (lines.length === 0) continue;
    const answer = await search.matching(Buffer.concat(lines));
    if (!answer.ok) return answer;
    const kept = keptOf(asked, new Set(answer.value));
    for (const each of kept) count += each.lines.length;
    all.push(...kept);
  }
  return { ok: true, value: all };
}

type FileLines = { path: string; lines: { line: number; bytes: Uint8Array }[] };

const lineEnd = Buffer.from("\n");

/** Reads the found lines of the next files, and removes those files from `waiting`. */
async function nextLines(tree: Tree, waiting: FileHits[]): Promise<FileLines[]> {
  const asked: FileLines[] = [];
  let [count, size] = [0, 0];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const file = await tree.read(next.path, { maxBytes: largestFile });
    const lines = file.ok ? linesAt(withoutMark(file.value), next.lines) : [];
    asked.push({ path: next.path, lines });
    count += lines.length;
    for (const { bytes } of lines) size += bytes.length;
    if (count >= mostAsked || size >= mostBytes) break;
  }
  return asked;
}

/** A byte order mark is not part of the first line. */
const withoutMark = (bytes: Uint8Array): Uint8Array =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;

/** `wanted` are line numbers from 1, in order; those past the end are dropped. */
function linesAt(bytes: Uint8Array, wanted: readonly number[]): FileLines["lines"] {
  const lines: FileLines["lines"] = [];
  let [line, from] = [1, 0];
  for (const number of wanted) {
    for (; line < number; line++) {
      const end = bytes.indexOf(10, from);
      if (end === -1) return lines;
      from = end + 1;
    }
    if (from >= bytes.length) return lines;
    const end = bytes.indexOf(10, from);
    lines.push({ line: number, bytes: bytes.subarray(from, end === -1 ? undefined : end) });
  }
  return lines;
}

/** `matching`: line numbers from 1, counted over all lines that were submitted. */
function keptOf(asked: readonly FileLines[], matching: ReadonlySet<number>): FileHits[] {
  const kept: FileHits[] = [];
  let at = 0;
  for (const { path, lines } of asked) {
    const ours = lines.filter(() => matching.has((at += 1)));
    if (ours.length > 0) kept.push({ path, lines: ours.map(({ line }) => line) });
  }
  return kept;
}
