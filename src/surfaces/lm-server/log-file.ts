/** The log as a file of JSON lines that only its owner reads; a full one makes place for the next. */
import { appendFileSync, chmodSync, renameSync, statSync } from "node:fs";
import { bounds } from "../../base/bounds.ts";
import type { Parsed } from "../../base/json.ts";
import type { Log } from "./log.ts";

/** The problem is one line. A line that cannot be written later is lost, and nothing else is. */
export function openLogFile(path: string): Parsed<Log> {
  let bytes = 0;
  const write = (text: string): void => {
    if (bytes + text.length > bounds.lmServer.log.most) {
      renameSync(path, `${path}.1`);
      bytes = 0;
    }
    appendFileSync(path, text, { mode: 0o600 });
    bytes += text.length;
  };
  try {
    appendFileSync(path, "", { mode: 0o600 });
    chmodSync(path, 0o600);
    bytes = statSync(path).size;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      ok: false,
      problem: `The log cannot be written to ${path} (${why}): name another file with --log.`,
    };
  }
  return {
    ok: true,
    value(line) {
      try {
        write(`${JSON.stringify(line)}\n`);
      } catch {
        // A full disk stops no answer.
      }
    },
  };
}
