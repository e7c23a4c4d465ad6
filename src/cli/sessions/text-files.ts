/** Reads and writes the files that sessions are exported to and imported from. */

import { createReadStream, lstatSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { parse, resolve } from "node:path";
import { type Expected, errorMessage, refuse } from "../../base/expected.ts";
import type { ProcessTerminal } from "../../tui/process-terminal.ts";

/** Never overwrites a file, and removes an incompletely written one. */
export async function writeNew(path: string, texts: AsyncIterable<string>): Promise<Expected<undefined>> {
  let file: FileHandle;
  try {
    file = await open(path, "wx", 0o600);
  } catch (error) {
    return refuse(`${path} cannot be written: ${whyNot(error)}. Name another file.`);
  }
  try {
    await file.writeFile(texts);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    if (!(error instanceof Error && "errno" in error)) throw error;
    return refuse(`${path} could not be written: ${whyNot(error)}. Nothing of it is left.`);
  } finally {
    await file.close();
  }
  return { ok: true, value: undefined };
}

/** For a file that nobody named: the name, or with a number if there is one of that name in the directory. */
export function freeName(directory: string, name: string): string {
  const { name: stem, ext } = parse(name);
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${stem}-${number}${ext}`;
    if (!lstatSync(resolve(directory, free), { throwIfNoEntry: false })) return free;
  }
}

/** As far as somebody reads them. */
export async function printTexts(terminal: ProcessTerminal, texts: AsyncIterable<string>): Promise<void> {
  for await (const text of texts) {
    if (terminal.outputGone.aborted) break;
    terminal.print(text);
  }
}

/** `-` is standard input. */
export const piecesIn = (terminal: ProcessTerminal, name: string): AsyncGenerator<Uint8Array, void> =>
  piecesOf(name === "-" ? terminal.input : createReadStream(resolve(terminal.cwd, name)));

async function* piecesOf(stream: NodeJS.ReadableStream): AsyncGenerator<Uint8Array, void> {
  for await (const piece of stream) yield Buffer.from(piece);
}

/** Throws what is no failure to read a file. */
export function unreadableWords(name: string, error: unknown): string {
  if (!(error instanceof Error && "syscall" in error)) throw error;
  return `${name} cannot be read: ${whyNot(error)}.`;
}

const reasons: Readonly<Record<string, string>> = {
  EEXIST: "it exists already",
  ENOENT: "there is no such file or directory",
  EACCES: "permission is denied",
  EISDIR: "it is a directory",
  ENOSPC: "the disk is full",
  EROFS: "the disk may only be read",
};

function whyNot(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return reasons[code] ?? errorMessage(error);
}
