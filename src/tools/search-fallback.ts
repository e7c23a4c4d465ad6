/** Searching without ripgrep: the same lines found, only slower. */
import { createContext, Script } from "node:vm";
import type { Tree } from "../base/safe-fs/tree.ts";
import { splitLines } from "../base/text.ts";
import { largestFile } from "./place.ts";
import { badPattern, type FileHits, mostHitsInFile, type SearchEngine } from "./search-engine.ts";
import { toJavaScript } from "./search-pattern.ts";

export const searchInJavaScript: SearchEngine = async (
  { pattern, literal, ignoreCase },
  { tree, files, signal },
) => {
  const source = literal ? { ok: true as const, value: literalSource(pattern) } : toJavaScript(pattern);
  if (!source.ok) return badPattern(source.problem);
  const matcher = boundedMatcher(source.value, ignoreCase);
  if (typeof matcher === "string") return badPattern(matcher);
  const found: FileHits[] = [];
  for (let at = 0; at < files.length; at += atOnce) {
    signal.throwIfAborted();
    const texts = await Promise.all(files.slice(at, at + atOnce).map((path) => linesOf(tree, path)));
    const hits = matcher(texts);
    if (hits === undefined) return { ok: false, problem: tooSlow };
    hits.forEach((lines, i) => {
      const path = files[at + i];
      if (path !== undefined && lines.length > 0) found.push({ path, lines });
    });
  }
  return { ok: true, value: found };
};

const tooSlow = "The pattern takes too long on this text; make it simpler, or set `literal`.";
/** Files held at once: few, because each may be large; more than one, because starting a bounded search takes a millisecond. */
const atOnce = 16;
/** For all lines of the files held at once. */
const patienceMs = 2000;

async function linesOf(tree: Tree, path: string): Promise<string[]> {
  const file = await tree.read(path, { maxBytes: largestFile });
  return file.ok ? splitLines(new TextDecoder().decode(file.value)) : [];
}

/** Local names, because each look at a global of a context is a call out of it. */
const search = `(() => {
  const [all, wanted] = [texts, expression];
  for (const lines of all) {
    const found = [];
    for (let i = 0; i < lines.length && found.length < ${mostHitsInFile}; i++) if (wanted.test(lines[i])) found.push(i + 1);
    hits.push(found);
  }
})()`;

/** Finds lines in several texts; `undefined` when that takes too long. */
type Matcher = (texts: string[][]) => number[][] | undefined;

/** Regular expressions of JavaScript can take for ever; in a context of its own a search can be stopped. */
function boundedMatcher(source: string, ignoreCase: boolean): Matcher | string {
  try {
    const expression = new RegExp(source, ignoreCase ? "ui" : "u");
    const sandbox: { texts: string[][]; expression: RegExp; hits: number[][] } = {
      texts: [],
      expression,
      hits: [],
    };
    const context = createContext(sandbox);
    const script = new Script(search);
    return (texts) => {
      Object.assign(sandbox, { texts, hits: [] });
      try {
        script.runInContext(context, { timeout: patienceMs });
        return sandbox.hits;
      } catch {
        return undefined;
      }
    };
  } catch (error) {
    return wordsOf(error);
  }
}

/** "Invalid regular expression: /(/u: Unterminated group", without what is ours. */
function wordsOf(error: unknown): string {
  const words = (error instanceof Error ? error.message : String(error)).replace(/^.*\/[a-z]*: /s, "");
  return words.charAt(0).toLowerCase() + words.slice(1);
}

function literalSource(words: string): string {
  return words.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
