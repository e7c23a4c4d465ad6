/** The tool that searches file contents, with ripgrep if available and without it otherwise, with the same results. */

import * as z from "zod/mini";
import { sizeInWords } from "../base/amounts.ts";
import { outputBounds } from "../base/bounds.ts";
import { cutLine } from "../base/cut-text.ts";
import { type Expected, refuse } from "../base/expected.ts";
import { insideWorkspace } from "../base/paths.ts";
import type { Tree } from "../base/safe-fs/tree.ts";
import { byteLength, hasNul, splitLines } from "../base/text.ts";
import { countField } from "./arguments/shape.ts";
import { toolBounds } from "./bounds.ts";
import { asSentence, largestFile, pathAliases } from "./files/place.ts";
import { globFilter } from "./search/glob.ts";
import { leftOutNotes } from "./search/left-out.ts";
import type { SearchEngine, SearchQuery, FileHits } from "./search/search-engine.ts";
import { searchInJavaScript } from "./search/search-fallback.ts";
import { findRipgrep, ripgrepAt } from "./search/search-ripgrep.ts";
import { cutNote, walk } from "./search/walk.ts";
import { defineTool, failedResult, ok, type ToolResult, type ToolContext } from "./tool.ts";

export const searchWorkspace = defineTool({
  name: "search_workspace",
  aliases: ["grep", "search", "search_files"],
  argumentAliases: {
    pattern: ["query", "regex"],
    path: [...pathAliases, "dir", "directory"],
    glob: ["include", "filePattern"],
    context: ["contextLines"],
  },
  summary:
    "Find lines in files, without those that git ignores: by a regular expression without look-around, or a `literal` text. `glob`: only files like *.ts. `context`: lines around each.",
  does: "read",
  input: () => ({
    pattern: z.string(),
    path: z.optional(z.string()),
    glob: z.optional(z.string()),
    ignoreCase: z.optional(z.boolean()),
    literal: z.optional(z.boolean()),
    context: z.optional(countField(undefined, 0)),
  }),
  title: ({ pattern, path }) => `Search ${path ?? "the workspace"} for ${pattern}`,
  paths: ({ path = "." }) => [path],
  run: async (input, context) => searchWith(await bestEngine(), input, context),
});

export type SearchInput = {
  pattern: string;
  path?: string | undefined;
  glob?: string | undefined;
  ignoreCase?: boolean | undefined;
  literal?: boolean | undefined;
  context?: number | undefined;
};

let ripgrep: string | undefined;

async function bestEngine(): Promise<SearchEngine> {
  ripgrep ??= await findRipgrep();
  return ripgrep === undefined ? searchInJavaScript : ripgrepAt(ripgrep);
}

/** The whole search except line matching, which is the engine's job. */
export async function searchWith(
  engine: SearchEngine,
  input: SearchInput,
  context: ToolContext,
): Promise<ToolResult> {
  const { path = ".", literal = false, context: linesAround = 0 } = input;
  const { pattern, ignoreCase } = withoutLeadingFlag(input);
  if (pattern === "") return failedResult("The pattern is empty.");
  if (/[\n\r\0]/.test(pattern))
    return failedResult(
      "Lines are searched one by one: a pattern cannot hold a line end. Search for one of its lines.",
    );
  const place = await insideWorkspace(context.workspace, path);
  if (!place.ok) return failedResult(place.problem);
  const files = await filesToSearch(place.value.relative, input.glob, context);
  if (!files.ok) return failedResult(files.problem);
  const results = new SearchResults(context.files, Math.min(linesAround, 20));
  const searched = await searchInOrder(
    engine,
    { query: { pattern, ignoreCase, literal }, files: files.value.files },
    { context, results },
  );
  if (!searched.ok) return failedResult(searched.problem);
  const { isCut, withheld } = files.value;
  const leftOut = await leftOutNotes(withheld, { does: "searched", how: "name it as `path`" }, context);
  return ok([report(results, input), ...(isCut ? [cutNote] : []), ...leftOut].join("\n"));
}

/** Models often write a leading `(?i)` instead of setting `ignoreCase`. */
function withoutLeadingFlag({ pattern, literal, ignoreCase = false }: SearchInput): {
  pattern: string;
  ignoreCase: boolean;
} {
  if (literal === true || !pattern.startsWith("(?i)")) return { pattern, ignoreCase };
  return { pattern: pattern.slice(4), ignoreCase: true };
}

/**
 * `isCut`: the tree continues below the depth limit. `withheld`: left out before anything is searched, because whether
 * they match would tell what is in them.
 */
type ToSearch = { files: string[]; isCut: boolean; withheld: string[] };

async function filesToSearch(
  start: string,
  glob: string | undefined,
  context: ToolContext,
): Promise<Expected<ToSearch>> {
  const status = await context.files.look(start);
  if (!status.ok) return refuse(asSentence(status.problem));
  if (status.value === null) return refuse(`There is no file or directory ${start}.`);
  const { kind, size } = status.value;
  if (kind === "file" && size > largestFile)
    return refuse(`${start} is too large to be searched (${sizeInWords(size)}).`);
  if (kind === "file") return { ok: true, value: await mayBeSearched([start], context) };
  if (kind !== "directory") return refuse(`${start} is neither a file nor a directory.`);
  const filter = globFilter(glob ?? "**", start);
  if (!filter.ok) return filter;
  const files: string[] = [];
  const walked = walk(context.files, { start, order: "by-name", sizes: true, signal: context.signal });
  // Files over the size limit would only cost time.
  for await (const { path, kind, size = 0 } of walked.entries)
    if (kind === "file" && size <= largestFile && filter.value(path)) files.push(path);
  const problem = walked.problem();
  if (problem) return refuse(asSentence(problem));
  const found = await mayBeSearched(files, context);
  const withheld = [...found.withheld, ...walked.withheld()];
  return { ok: true, value: { ...found, withheld, isCut: walked.isCut() } };
}

async function mayBeSearched(all: readonly string[], context: ToolContext): Promise<ToSearch> {
  const found: ToSearch = { files: [], isCut: false, withheld: [] };
  for (const path of all) ((await context.withheld(path)) ? found.withheld : found.files).push(path);
  return found;
}

/** The first batch is small, because a common word is often found in it; the length of a command line is bounded. */
const firstBatch = 512;
const largestBatch = 8192;
const longestBatch = 512 * 1024;

async function searchInOrder(
  engine: SearchEngine,
  { query, files }: { query: SearchQuery; files: readonly string[] },
  { context, results }: { context: ToolContext; results: SearchResults },
): Promise<Expected<undefined>> {
  let size = firstBatch;
  let at = 0;
  do {
    const batch = batchAt(files, at, size);
    const found = await engine(query, { tree: context.files, files: batch, signal: context.signal });
    context.signal.throwIfAborted();
    if (!found.ok) return found;
    const byPath = new Map(found.value.map((hits) => [hits.path, hits]));
    for (const path of batch) {
      const hits = byPath.get(path);
      if (hits && !results.full) await results.add(hits);
    }
    at += batch.length;
    size = Math.min(largestBatch, size * 8);
  } while (at < files.length && !results.full);
  return { ok: true, value: undefined };
}

function batchAt(files: readonly string[], from: number, most: number): string[] {
  const batch = files.slice(from, from + most);
  let length = 0;
  const tooLong = batch.findIndex((path) => (length += Buffer.byteLength(path) + 1) > longestBatch);
  return tooLong === -1 ? batch : batch.slice(0, Math.max(1, tooLong));
}

function report(results: SearchResults, { pattern, path, glob }: SearchInput): string {
  if (results.hits === 0) {
    const where = `in ${path ?? "the workspace"}`;
    return `Nothing ${glob === undefined ? where : `in files like ${glob} ${where}`} matches ${pattern}.`;
  }
  const note = results.full
    ? [`[Only the first ${results.hits} matches (at most ${mostHits}); narrow the pattern, path or glob.]`]
    : [];
  return [...results.lines, ...note].join("\n");
}

const mostHits = toolBounds.searchHits.most;
const mostBytes = outputBounds.shown.most;
const longestLine = 300;

/** Collects lines to show until the result is full. */
class SearchResults {
  readonly lines: string[] = [];
  hits = 0;
  files = 0;
  /** True if more was found than is shown. */
  full = false;
  #bytes = 0;
  readonly #tree: Tree;
  readonly #context: number;

  constructor(tree: Tree, context: number) {
    this.#tree = tree;
    this.#context = context;
  }

  /** Drops binary files, which the engines do not recognise. */
  async add({ path, lines: hits }: FileHits): Promise<void> {
    const file = await this.#tree.read(path, { maxBytes: largestFile });
    if (!file.ok || hasNul(file.value)) return;
    const lines = splitLines(new TextDecoder().decode(file.value));
    const before = this.hits;
    let shown = 0;
    for (const [at, hit] of hits.entries()) {
      if (this.hits === mostHits || this.#bytes > mostBytes) {
        this.full = true;
        break;
      }
      const from = Math.max(shown + 1, hit - this.#context);
      const to = Math.min(lines.length, hit + this.#context, (hits[at + 1] ?? Number.POSITIVE_INFINITY) - 1);
      const apart = shown === 0 || from > shown + 1;
      if (this.#context > 0 && apart && this.lines.length > 0) this.#show("--");
      for (let line = from; line <= to; line++) {
        this.#show(
          `${path}:${line}${line === hit ? ":" : "-"} ${cutLine(lines[line - 1] ?? "", longestLine)}`,
        );
      }
      shown = to;
      this.hits++;
    }
    if (this.hits > before) this.files++;
  }

  #show(line: string): void {
    this.lines.push(line);
    this.#bytes += byteLength(line) + 1;
  }
}
