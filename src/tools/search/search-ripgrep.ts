/** The search engine that runs ripgrep, whose regular expressions take linear time. */

import { mib } from "../../base/bound.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import {
  childEnvironment,
  type ProcessOutcome,
  type ProcessRequest,
  runProcess,
} from "../../base/process.ts";
import type { Tree } from "../../base/safe-fs/tree.ts";
import { largestFile } from "../files/place.ts";
import { badPattern, type FileHits, mostHitsInFile, type SearchEngine } from "./search-engine.ts";

/** One run of the search program, in milliseconds. */
const searchTimeMs = 60_000;
/** Output of one run of the search program, in bytes. */
const mostSearchOutput = 128 * mib;

/** `program` is the path of ripgrep. */
export const ripgrepAt =
  (program: string): SearchEngine =>
  async ({ pattern, literal, ignoreCase }, { tree, files, signal }) => {
    const options = [
      ...alwaysGiven,
      ...(literal ? ["--fixed-strings"] : []),
      ...(ignoreCase ? ["--ignore-case"] : []),
    ];
    const command = [program, ...options, "--regexp", pattern];
    const found = await outputOf({
      command: [...command, `--max-count=${mostHitsInFile}`, "--", ...pathsOr(files)],
      cwd: tree.root,
      signal,
    });
    if (!found.ok || process.platform === "win32") return found;
    const matching = async (lines: Uint8Array): Promise<Expected<number[]>> => {
      const fed = ["/bin/sh", "-c", 'exec "$@" <&3 3<&-', "sh", ...command, "-"];
      const again = await outputOf({ command: fed, cwd: tree.root, feeds: [lines], signal });
      return again.ok ? { ok: true, value: again.value.flatMap((hits) => hits.lines) } : again;
    };
    return confirmHits(found.value, { tree, files, matching });
  };

async function outputOf(
  request: Pick<ProcessRequest, "command" | "cwd" | "feeds"> & { signal: AbortSignal },
) {
  const env = childEnvironment(process.env);
  const limits = { wallMs: searchTimeMs, maxKeep: mostSearchOutput };
  return resultOf(await runProcess({ ...request, env, ...limits }));
}

/**
 * With no files, ripgrep would search the directory: an empty file still validates the pattern. "-" would mean stdin.
 */
function pathsOr(files: readonly string[]): readonly string[] {
  return files.length > 0 ? files.map((path) => lead + path) : ["/dev/null"];
}

const lead = "./";

/** The path of the bundled ripgrep; `undefined` on platforms it was not built for. */
export async function findRipgrep(): Promise<string | undefined> {
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch {
    return undefined;
  }
}

/**
 * ripgrep only decides which lines match, not which files to search. Line text is left out of the output
 * (`max-columns`) so that its length does not matter; binary files are searched as text and dropped by the caller.
 */
const alwaysGiven = [
  "--no-config",
  "--no-messages",
  "--color=never",
  "--no-heading",
  "--with-filename",
  "--line-number",
  "--null",
  "--text",
  "--crlf",
  "--case-sensitive",
  "--max-columns=1",
];

function resultOf(outcome: ProcessOutcome): Expected<FileHits[]> {
  const output = Buffer.from(outcome.output.bytes).toString("utf8");
  if (outcome.problem !== undefined) return refuse(outcome.problem);
  if (outcome.timedOut) return refuse("The search took too long; search a smaller part of the workspace.");
  if (outcome.exit === 2 && output.startsWith("rg: ")) return badPattern(lastWordsOf(output));
  return { ok: true, value: hitsIn(output) };
}

/** Keeps the line that names the error, without the drawing above it and the advice below. */
function lastWordsOf(output: string): string {
  const words = /^error: (.*)$/m.exec(output)?.[1] ?? output.split("\n")[0] ?? "";
  return words.replace(/^rg: /, "").replace(/\.$/, "");
}

/** Records are `path NUL line ":" rest LF`; a path may hold anything but NUL, the rest anything but LF. */
function hitsIn(output: string): FileHits[] {
  const found = new Map<string, number[]>();
  for (let at = 0; at < output.length;) {
    const nul = output.indexOf("\0", at);
    const colon = output.indexOf(":", nul);
    if (nul === -1 || colon === -1) break;
    const path = output.slice(output.startsWith(lead, at) ? at + lead.length : at, nul);
    const lines = found.get(path);
    const line = Number(output.slice(nul + 1, colon));
    if (lines) lines.push(line);
    else found.set(path, [line]);
    const end = output.indexOf("\n", colon);
    at = end === -1 ? output.length : end + 1;
  }
  return [...found].map(([path, lines]) => ({ path, lines }));
}

/** Most lines confirmed at once (as many as a result holds), and their bytes. */
const mostAsked = 201;
/** Lines of one search that are checked against the files themselves, in bytes. */
const mostBytes = 16 * mib;

/**
 * A directory swapped for a symlink would lead the program outside and leak what it finds there, so only lines that
 * also match when read through the tree count. Returns as many as a result holds, in the order of `files`; `matching`
 * searches the lines again and returns their numbers.
 */
async function confirmHits(
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
