/** Searching with ripgrep, whose regular expressions take linear time. */

import { bounds } from "../base/bounds.ts";
import type { Expected } from "../base/expected.ts";
import { childEnvironment, type ProcessOutcome, type ProcessRequest, runProcess } from "../base/process.ts";
import { confirmed } from "./search-confirmed.ts";
import { badPattern, type FileHits, mostHitsInFile, type SearchEngine } from "./search-engine.ts";

/** `program` is where ripgrep is. */
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
    return confirmed(found.value, { tree, files, matching });
  };

async function outputOf(
  request: Pick<ProcessRequest, "command" | "cwd" | "feeds"> & { signal: AbortSignal },
) {
  const env = childEnvironment(process.env);
  const { searchTime, searchOutput } = bounds.tools;
  const limits = { wallMs: searchTime.most, maxKeep: searchOutput.most };
  return resultOf(await runProcess({ ...request, env, ...limits }));
}

/** Without files it would search the directory; an empty one still has the pattern checked. "-" would be its input. */
function pathsOr(files: readonly string[]): readonly string[] {
  return files.length > 0 ? files.map((path) => lead + path) : ["/dev/null"];
}

const lead = "./";

/** Where the ripgrep that comes with us is; `undefined` on platforms it was not built for. */
export async function findRipgrep(): Promise<string | undefined> {
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch {
    return undefined;
  }
}

/**
 * Which files to search is not its business, only which lines match: so that a line's length does not matter, each is
 * left out of the output (`max-columns`), and binary files are searched as text, to be sorted out by who reads them.
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
  if (outcome.problem !== undefined) return { ok: false, problem: outcome.problem };
  if (outcome.timedOut)
    return { ok: false, problem: "The search took too long; search a smaller part of the workspace." };
  if (outcome.exit === 2 && output.startsWith("rg: ")) return badPattern(lastWordsOf(output));
  return { ok: true, value: hitsIn(output) };
}

/** The line that says what is wrong, without the drawing above it and the advice below. */
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
