/** Converts HTML to Markdown in a separate process, because a hostile page can exhaust time and memory. */

import { mib } from "../../base/bound.ts";
import { isJsonObject, parseJson } from "../../base/json.ts";
import { runProcess } from "../../base/process.ts";

/** The Markdown of a fetched page, in bytes. */
const mostConverted = 10 * mib;

/** `base`: the page's address, for resolving links. */
type PageSource = { html: string; base: string };
type PageText = { title: string; text: string; isMain: boolean };
type PageLimits = { milliseconds: number; bytes: number };

/** Deeply nested pages need more than Node's usual 1 MB; the system allows 8 MB. */
const stackKb = 3900;
/** Limits CPU time, in case we are killed meanwhile, and prevents a core dump. */
const bounded = 'ulimit -c 0; ulimit -t "$1"; shift; exec "$@"';

/**
 * Undefined if it exceeds the limits. Not a worker thread: V8 may abort the whole process when one runs out of memory.
 */
export async function markdownOf(
  { html, base }: PageSource,
  { milliseconds, bytes }: PageLimits,
  signal: AbortSignal,
): Promise<PageText | undefined> {
  const { program } = await import("./to-markdown.ts");
  const seconds = String(2 * Math.ceil(milliseconds / 1000));
  const options = [`--max-old-space-size=${Math.ceil(bytes / 2 ** 20)}`, `--stack-size=${stackKb}`];
  const { output, exit } = await runProcess({
    command: ["/bin/sh", "-c", bounded, "sh", seconds, process.execPath, ...options, program, base],
    cwd: "/",
    // Inside an editor, execPath may be Electron, which runs as Node only with this variable.
    env: { ELECTRON_RUN_AS_NODE: "1" },
    input: Buffer.from(html),
    signal,
    wallMs: milliseconds,
    maxKeep: mostConverted,
    keepErrors: 0,
  });
  return exit === 0 ? pageIn(Buffer.from(output.bytes).toString("utf8")) : undefined;
}

function pageIn(printed: string): PageText | undefined {
  const json = parseJson(printed);
  const { title, text, isMain } = json.ok && isJsonObject(json.value) ? json.value : {};
  return typeof title === "string" && typeof text === "string" && typeof isMain === "boolean"
    ? { title, text, isMain }
    : undefined;
}
