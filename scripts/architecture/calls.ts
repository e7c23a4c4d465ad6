/** The rule about calls: which functions product code must not call, and what to use instead. */

import type { Problem } from "./problem.ts";
import { isForTests, type SourceFile } from "./source-tree.ts";

const forbidden: readonly { call: RegExp; words: string }[] = [
  {
    call: /\bmkdir(?:Sync)?\([^;]*?\brecursive: true/gu,
    words: "Node's recursive mkdir never returns below /proc: use makeDirectory of base/safe-fs/own-files.ts",
  },
];

export function checkCalls(files: readonly SourceFile[]): Problem[] {
  const product = files.filter((file) => file.path.startsWith("src/") && !isForTests(file));
  return product.flatMap(({ path, text }) =>
    forbidden.flatMap(({ call, words }) =>
      [...text.matchAll(call)].map(({ index }) => ({
        path,
        line: text.slice(0, index).split("\n").length,
        words,
      })),
    ),
  );
}
