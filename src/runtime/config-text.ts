/** The text of a configuration file, if there is one. */
import { readFileSync } from "node:fs";
import { bounds } from "../base/bounds.ts";
import type { Parsed } from "../base/json.ts";

/** Configuration is small: a bigger file is a mistake, or somebody's trap. */
const largestFile = bounds.files.configuration.most;

/**
 * `undefined` when there is no such file. Read at once, not asynchronously: nothing else can be done before, and
 * looking for a file that is not there costs 0.03 ms instead of 0.5.
 */
export function readConfigText(path: string): Parsed<string | undefined> {
  try {
    const bytes = readFileSync(path);
    if (bytes.length > largestFile)
      return { ok: false, problem: `${path} is too large for a configuration file` };
    return { ok: true, value: bytes.toString("utf8").replace(/^\uFEFF/u, "") };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { ok: true, value: undefined };
    return { ok: false, problem: `${path} cannot be read (${code}): mend or remove it` };
  }
}
