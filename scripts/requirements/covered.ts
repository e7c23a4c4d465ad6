/** Finds out which requirements have a test with their id in its title. */

import type { Requirement } from "./list.ts";

/** A test file and its text. */
export type TestFile = { path: string; text: string };

type Coverage = Requirement & { tests: { path: string; title: string }[] };

/** String literals with the length of a title. */
const titles = /(["'`])((?:(?!\1)[^\\\n]|\\.){12,400})\1/gu;
const ids = /\b[A-EN]\d{1,2}\b/gu;
/** Matches ids as titles write them, "B8: …", "… (E5)", "A33, A34: …", and not every letter with a number. */
const isGiven = (title: string, id: string): boolean =>
  new RegExp(`(?:^|[(,; ])${id}(?=[:,;)]| and | to )`, "u").test(title);

export function coverageOf(requirements: readonly Requirement[], files: readonly TestFile[]): Coverage[] {
  const tests = new Map<string, { path: string; title: string }[]>();
  for (const { path, text } of files)
    for (const [, , title = ""] of text.matchAll(titles))
      for (const [id] of title.matchAll(ids)) {
        if (!isGiven(title, id)) continue;
        const known = tests.get(id) ?? [];
        tests.set(id, [...known, { path, title }]);
      }
  return requirements.map((requirement) => ({ ...requirement, tests: tests.get(requirement.id) ?? [] }));
}

/** The requirements without any test. */
export const uncovered = (all: readonly Coverage[]): Coverage[] =>
  all.filter(({ tests, later }) => tests.length === 0 && later === undefined);

export function inWords({ id, says, tests, later }: Coverage): string {
  const count = tests.length === 1 ? "1 test" : `${tests.length} tests`;
  const waits = later === undefined ? "" : `waits for ${later}`;
  const state = tests.length > 0 ? [count, waits].filter(Boolean).join(", ") : waits || "NO TEST";
  return `${id.padEnd(4)}${says}: ${state}`;
}
