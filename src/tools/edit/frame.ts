/** Decides whose indentation a replacement uses, when `old` is indented differently from the file. */

import { diffArrays } from "diff";
import { indentOf } from "./indentation.ts";

/** `stands`: for each line of `old`, the matching line of the file; undefined if there is none. */
type FrameTexts = {
  old: readonly string[];
  stands: readonly (string | undefined)[];
  fresh: readonly string[];
};

/**
 * `old`: indented like the passage, so it must be shifted along with it. `file`: already indented like the file.
 * `unclear`: shifting might indent it twice.
 */
type IndentationFrame = "old" | "file" | "unclear";

export function frameOf({ old, stands, fresh }: FrameTexts): IndentationFrame {
  const wrote = depthsOf(old);
  const standing = depthsOf(stands.filter((line) => line !== undefined));
  const isFiles = (depth: string): boolean => standing.has(depth) && !wrote.has(depth);
  const depths = [...depthsOf(fresh)];
  const kept = keptLines({ old, stands, fresh });
  const isOlds =
    depths.some((depth) => wrote.has(depth) && !standing.has(depth)) ||
    kept.some(({ is, wrote: was }) => is === was);
  if (depths.length === 0 || isOlds)
    return opensWhereDeeper(fresh, { isFiles, level: levelOf([...wrote]) }) ? "old" : "unclear";
  if (kept.length > 0 && kept.every(({ is, stands: there }) => is === there)) return "file";
  return depths.some(isFiles) || isDeeperThroughout(old, fresh) ? "unclear" : "old";
}

const isBlank = (line: string): boolean => line.trim() === "";

const depthsOf = (lines: readonly string[]): Set<string> =>
  new Set(lines.filter((line) => !isBlank(line)).map(indentOf));

const bare = (line: string): string => line.trim();

type KeptLine = { wrote: string; stands: string; is: string };

/** Unchanged lines whose indentation differs between `old` and the file, with their form in the replacement. */
function keptLines({ old, stands, fresh }: FrameTexts): KeptLine[] {
  const parts = diffArrays(old.map(bare), fresh.map(bare), { maxEditLength: mostDifferences }) ?? [];
  const kept: KeptLine[] = [];
  let [at, to] = [0, 0];
  for (const { added, removed, count } of parts) {
    const same = added || removed ? 0 : count;
    for (let index = 0; index < same; index++) {
      const [line, there] = [old[at + index] ?? "", stands[at + index]];
      if (there === undefined || isBlank(line) || indentOf(line) === indentOf(there)) continue;
      kept.push({ wrote: indentOf(line), stands: indentOf(there), is: indentOf(fresh[to + index] ?? "") });
    }
    if (!added) at += count;
    if (!removed) to += count;
  }
  return kept;
}

const mostDifferences = 2000;

type Depths = { isFiles: (depth: string) => boolean; level: number };

/** Whether every line at a depth that only the file has follows a line that opens a block, which explains the depth. */
function opensWhereDeeper(fresh: readonly string[], { isFiles, level }: Depths): boolean {
  const lines = fresh.filter((line) => !isBlank(line));
  return lines.every((line, at) => {
    const before = lines[at - 1];
    if (!isFiles(indentOf(line))) return true;
    if (before === undefined) return false;
    const deeper = widthOf(indentOf(line)) - widthOf(indentOf(before));
    return deeper <= 0 || (deeper <= level && opens.test(before));
  });
}

/** What may end a line that is followed by a deeper one. */
const opens = /(?:[:{([,=>|&+?\\]|\b(?:do|then|else|begin|try|finally|ensure|rescue|default|is|as|in))\s*$/i;

const usualLevel = 4;

const widthOf = (indent: string): number => indent.replaceAll("\t", " ".repeat(usualLevel)).length;

/** The smallest step between two depths. */
function levelOf(depths: readonly string[]): number {
  const widths = depths.map(widthOf).toSorted((one, other) => one - other);
  const steps = widths.map((width, at) => width - (widths[at - 1] ?? width)).filter((step) => step > 0);
  return steps.length === 0 ? usualLevel : Math.min(...steps);
}

/** Whether all of the replacement is deeper than the passage's first line, as if nested in something that is absent. */
function isDeeperThroughout(old: readonly string[], fresh: readonly string[]): boolean {
  return shallowest(fresh) > shallowest(old);
}

const shallowest = (lines: readonly string[]): number =>
  Math.min(...lines.filter((line) => !isBlank(line)).map((line) => indentOf(line).length));
