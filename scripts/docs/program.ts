/** Runs a program for the checks of documents. */

import { execFile } from "node:child_process";

type ProgramOptions = { cwd: string; env?: Record<string, string>; timeout?: number };

/** The output of a failed program; `undefined` if it succeeded. */
export function failureOf(
  file: string,
  args: string[],
  options: ProgramOptions,
): Promise<string | undefined> {
  return new Promise((done) => {
    const child = execFile(file, args, options, (error, stdout, stderr) =>
      done(error ? `${stdout}\n${stderr}\n${error.killed ? "it took too long" : ""}` : undefined),
    );
    child.stdin?.end();
  });
}

export const lastLineOf = (text: string): string => text.trim().split("\n").at(-1) ?? "";
