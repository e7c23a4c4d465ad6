/** An editor for tests: files with problems, which it knows only once it has looked at them. */

import type { EditorPowers, FileProblems } from "../editor-powers.ts";

type TestEditor = EditorPowers & {
  /** What it will find when it next looks. */
  finds(problems: readonly FileProblems[]): void;
  /** The paths of each look, in order. */
  looks: (readonly string[])[];
};

export function testEditor(over: Partial<EditorPowers> = {}): TestEditor {
  let known: readonly FileProblems[] = [];
  let there: readonly FileProblems[] = [];
  const looks: (readonly string[])[] = [];
  const none = { ok: true as const, value: [] };
  return {
    finds: (problems) => void (there = problems),
    looks,
    problems: () => known,
    async examine(paths, _signal, others = []) {
      looks.push([...paths, ...others]);
      known = there;
      return { isSettled: true, answered: [] };
    },
    selection: () => undefined,
    openEditors: () => [],
    definition: async () => none,
    references: async () => none,
    planRename: async () => none,
    taskNames: async () => [],
    runTask: async () => ({ ok: true, value: { code: 0, problems: [] } }),
    runInTerminal: async () => ({ ok: true, value: { type: "ended", exit: 0, output: "" } }),
    showDiff: async () => ({ ok: true, value: undefined }),
    ...over,
  };
}
