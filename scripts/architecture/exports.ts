/** The rule about exports: every export is imported somewhere. */

import type { Problem } from "./problem.ts";
import { publicEntries } from "./rooms.ts";
import type { SourceFile } from "./source-tree.ts";

/** Vitest and VS Code load the exports of these. */
const loadedByOthers: readonly string[] = [
  "src/session/testing/memory-on-server.ts",
  "test/build-command.ts",
  "test/models/download.ts",
  "editors/vscode/src/vscode/extension.ts",
];

export function checkExports(files: readonly SourceFile[]): Problem[] {
  const imported = new Map<string, Set<string>>();
  const whole = new Set<string>([...publicEntries, ...loadedByOthers]);
  for (const { target, names } of files.flatMap(({ imports }) => imports)) {
    if (names === "all") whole.add(target);
    else imported.set(target, new Set([...(imported.get(target) ?? []), ...names]));
  }
  return files
    .filter(({ path }) => !whole.has(path))
    .flatMap(({ path, exports }) =>
      exports
        .filter(({ name }) => imported.get(path)?.has(name) !== true)
        .map(({ name, line }) => ({ path, line, words: `nobody imports ${name}: it need not be exported` })),
    );
}
