/** The rules about size: a file or function longer than a few screens does more than one thing. */

import type { Problem } from "./problem.ts";
import type { SourceFile } from "./source-tree.ts";

const longestFile = 400;
const longestFunction = 60;

export function checkSizes(files: readonly SourceFile[]): Problem[] {
  return files
    .filter(({ isTest }) => !isTest)
    .flatMap(({ path, lines, functions }) => [
      ...(lines > longestFile
        ? [{ path, line: 1, words: `it has ${lines} lines: split it by what it does` }]
        : []),
      ...functions
        .filter((fn) => fn.lines > longestFunction)
        .map((fn) => ({ path, line: fn.line, words: `${fn.name} has ${fn.lines} lines: tell it in steps` })),
    ]);
}
