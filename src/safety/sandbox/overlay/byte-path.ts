/** Paths as the kernel stores them: arbitrary bytes chosen by the command, held here as one character per byte. */

import { isUtf8 } from "node:buffer";

/** Relative, with slashes; "" is the root. Each character is one byte (Latin-1), so no name is lost or confused. */
export type BytePath = string;

export const joinBytes = (path: BytePath, name: BytePath): BytePath =>
  path === "" ? name : `${path}/${name}`;

export const parentOf = (path: BytePath): BytePath => path.slice(0, Math.max(0, path.lastIndexOf("/")));

export const nameOf = (path: BytePath): BytePath => path.slice(path.lastIndexOf("/") + 1);

/** Every directory above a path, nearest first, without the root. */
export function ancestorsOf(path: BytePath): BytePath[] {
  const ancestors: BytePath[] = [];
  for (let above = parentOf(path); above !== ""; above = parentOf(above)) ancestors.push(above);
  return ancestors;
}

export const isBelow = (path: BytePath, directory: BytePath): boolean => path.startsWith(`${directory}/`);

export const bytesOf = (path: BytePath): Buffer => Buffer.from(path, "latin1");

export const fromText = (path: string): BytePath => Buffer.from(path).toString("latin1");

/** Undefined if the bytes are not valid UTF-8. */
export function asText(path: BytePath): string | undefined {
  const bytes = bytesOf(path);
  return isUtf8(bytes) ? bytes.toString() : undefined;
}

/** For display on one line: invalid bytes appear as "\xff", a newline as "\n". */
export function shownPath(path: BytePath): string {
  const shown =
    asText(path) ?? path.replace(/[\u0080-\u00ff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);
  // oxlint-disable-next-line no-control-regex
  return shown.replace(/[\u0000-\u001f\u007f]/g, (mark) => JSON.stringify(mark).slice(1, -1));
}
