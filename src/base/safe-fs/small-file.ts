/** Reads a small file synchronously, for callers that need it before anything else; a missing one costs 0.03 ms. */

import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from "node:fs";
import { type Expected, refuse } from "../expected.ts";
import { codeOf } from "./problems.ts";
import { stateFrom } from "./status.ts";

/**
 * Returns `undefined` if there is no such file. Links are followed; a FIFO or a device is no file, and never hangs. The
 * problem is "too-large", "no-file", or the system's code.
 */
export function readSmallFile(path: string, most: number): Expected<Uint8Array | undefined> {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const { size, kind } = statusOf(file);
    if (kind !== "file") return refuse(kind);
    if (size > most) return refuse("too-large");
    const bytes = readFileSync(file);
    return bytes.length > most ? refuse("too-large") : { ok: true, value: bytes };
  } catch (error) {
    const code = codeOf(error) ?? String(error);
    return code === "ENOENT" || code === "ENOTDIR" ? { ok: true, value: undefined } : refuse(code);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** A text that differs whenever the content may have changed; empty if there is no such file. */
export function fileState(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false, bigint: true });
    return found ? stateFrom(found) : "";
  } catch (error) {
    return String(error);
  }
}

/** The states of several files; the same as long as none of them changes. */
export const stateOfFiles = (paths: readonly string[]): string =>
  paths.map((path) => `${path} ${fileState(path)}`).join("\n");

function statusOf(file: number): { size: number; kind: "file" | "EISDIR" | "no-file" } {
  const status = fstatSync(file);
  const kind = status.isFile() ? "file" : status.isDirectory() ? "EISDIR" : "no-file";
  return { size: status.size, kind };
}
