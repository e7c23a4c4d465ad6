/** Reads the text of a configuration file, if it exists. */

import { fileBounds } from "../base/bounds.ts";
import { type Expected, refuse } from "../base/expected.ts";
import { readSmallFile } from "../base/safe-fs/small-file.ts";

/** Configuration is small: a bigger file is a mistake or an attack. */
const largestFile = fileBounds.configuration.most;

/**
 * `undefined` if there is no such file. Synchronous, because nothing else can be done before, and checking for a
 * missing file takes 0.03 ms instead of 0.5.
 */
export function readConfigText(path: string): Expected<string | undefined> {
  const read = readSmallFile(path, largestFile);
  if (read.ok) {
    const text = read.value && new TextDecoder("utf-8", { ignoreBOM: true }).decode(read.value);
    return { ok: true, value: text?.replace(/^\uFEFF/u, "") };
  }
  if (read.problem === "too-large") return refuse(`${path} is too large for a configuration file`);
  const why = read.problem === "no-file" ? "it is no file" : read.problem;
  return refuse(`${path} cannot be read (${why}): fix or remove it`);
}
