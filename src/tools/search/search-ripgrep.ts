/** The search engine that runs ripgrep, whose regular expressions take linear time. */

import { mib } from "../../base/bound.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import {
  childEnvironment,
  type ProcessOutcome,
  type ProcessRequest,
  runProcess,
} from "../../base/process.ts";
import { confirmHits } from "./search-confirmed.ts";
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
