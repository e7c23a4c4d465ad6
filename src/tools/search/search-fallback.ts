/** The search engine for machines without ripgrep: same results, only slower. */

import { isShortOfDescriptors } from "../../base/descriptors.ts";
import { errorMessage, refuse } from "../../base/expected.ts";
import type { Tree } from "../../base/safe-fs/tree.ts";
import { splitLines } from "../../base/text.ts";
import { withinTime } from "../../base/time-limit.ts";
import { largestFile } from "../files/place.ts";
import { badPattern, type FileHits, mostHitsInFile, type SearchEngine } from "./search-engine.ts";
import { toJavaScript } from "./search-pattern.ts";

/** `patienceMs`: the time limit for all lines of the files held at once. */
export function searchFor(patienceMs: number): SearchEngine {
  return async ({ pattern, literal, ignoreCase }, { tree, files, signal }) => {
    const source = literal ? { ok: true as const, value: literalSource(pattern) } : toJavaScript(pattern);
    if (!source.ok) return badPattern(source.problem);
    const matcher = boundedMatcher(source.value, ignoreCase, patienceMs);
    if (typeof matcher === "string") return badPattern(matcher);
    const found: FileHits[] = [];
    for (let at = 0; at < files.length; at += atOnce) {
      signal.throwIfAborted();
      const texts = await Promise.all(files.slice(at, at + atOnce).map((path) => linesOf(tree, path)));
      const hits = matcher(texts);
      if (hits === undefined) return refuse(isShortOfDescriptors() ? tooManyOpen : tooSlow);
      hits.forEach((lines, i) => {
        const path = files[at + i];
        if (path !== undefined && lines.length > 0) found.push({ path, lines });
      });
    }
    return { ok: true, value: found };
  };
}

export const searchInJavaScript = searchFor(2_000);

const tooSlow = "The pattern takes too long on this text; make it simpler, or set `literal`.";
const tooManyOpen = "Too many files are open; try again.";
/**
 * Files held at once: few, because each may be large; more than one, because starting a bounded search takes a
 * millisecond.
 */
const atOnce = 16;

async function linesOf(tree: Tree, path: string): Promise<string[]> {
  const file = await tree.read(path, { maxBytes: largestFile });
  return file.ok ? splitLines(new TextDecoder().decode(file.value)) : [];
}

/** Finds matching lines in several texts; `undefined` on timeout. */
type LineMatcher = (texts: string[][]) => number[][] | undefined;

/** JavaScript's regular expressions can backtrack endlessly, so matching runs under a time limit. */
function boundedMatcher(source: string, ignoreCase: boolean, patienceMs: number): LineMatcher | string {
  try {
    const expression = new RegExp(source, ignoreCase ? "ui" : "u");
    return (texts) => {
      const found = withinTime(patienceMs, () => texts.map((lines) => linesMatching(expression, lines)));
      return found.ok ? found.value : undefined;
    };
  } catch (error) {
    return wordsOf(error);
  }
}

function linesMatching(expression: RegExp, lines: readonly string[]): number[] {
  const found: number[] = [];
  for (let at = 0; at < lines.length && found.length < mostHitsInFile; at++)
    if (expression.test(lines[at] ?? "")) found.push(at + 1);
  return found;
}

/** Strips the engine's prefix and our translated pattern: "Invalid regular expression: /(/u: Unterminated group". */
function wordsOf(error: unknown): string {
  const words = errorMessage(error).replace(/^.*\/[a-z]*: /s, "");
  return words.charAt(0).toLowerCase() + words.slice(1);
}

function literalSource(words: string): string {
  return words.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
