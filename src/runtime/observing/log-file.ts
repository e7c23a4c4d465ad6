/** The log file: JSON lines without secrets, readable only by their owner; a full file is rotated. */

import { appendFileSync, chmodSync, renameSync, statSync } from "node:fs";
import { type Expected, errorMessage, refuse } from "../../base/expected.ts";
import { type Redact, redactedJson } from "../../base/redact.ts";
import { runtimeBounds } from "../bounds.ts";

/** Writes one event as one line. */
export type LogSink = (line: object) => void;

/**
 * The problem is one line. Several programs may write the same file. A later line that cannot be written is dropped;
 * the first one of them is told.
 */
export function openLogFile(
  path: string,
  redact: Redact,
  told: (problem: string) => void = () => {},
): Expected<LogSink> {
  let isTold = false;
  try {
    // Opening a pipe would block until it has a reader.
    if (statSync(path, { throwIfNoEntry: false })?.isFIFO()) throw new Error("it is a pipe, and no file");
    appendFileSync(path, "", { mode: 0o600 });
    chmodSync(path, 0o600);
  } catch (error) {
    const why = errorMessage(error);
    const problem = `The log cannot be written to ${path} (${why}): name another file with --log, or by \`toolwright config set log FILE\`.`;
    return refuse(problem);
  }
  return {
    ok: true,
    value(line) {
      try {
        append(path, `${redactedJson(line, redact)}\n`);
      } catch (error) {
        // A full disk or an unserialisable line must not stop an answer.
        if (!isTold) told(`The log ${path} cannot be written (${errorMessage(error)}).`);
        isTold = true;
      }
    },
  };
}

function append(path: string, text: string): void {
  const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0; // other programs may write it, too
  if (bytes > 0 && bytes + Buffer.byteLength(text) > runtimeBounds.log.most) renameSync(path, `${path}.1`);
  appendFileSync(path, text, { mode: 0o600 });
}
