/** Types are declared once, and neither they nor functions are called by what happened to them (`Found`, `told`). */

import type { Problem } from "./problem.ts";
import type { Declaration, SourceFile } from "./source-tree.ts";

/** Past participles that do not end with "ed". */
const participles = new Set(
  `asked begun bitten bought bound broken brought built caught chosen cut done drawn driven eaten fed forgotten found
   frozen given gone grown heard held hidden kept known led left lost made meant met put read said seen sent set shown
   shut sold sought spent split spoken spread stolen stood taken taught thought thrown told torn understood worn wound
   written`
    .trim()
    .split(/\s+/u),
);
/** Words that only look like participles, are verbs as well, or are terms of the field (`Expected`: a value or why there is none). */
const others = new Set([
  "read",
  "put",
  "set",
  "cut",
  "split",
  "spread",
  "shut",
  "bound",
  "thought",
  "need",
  "feed",
  "seed",
  "speed",
  "embed",
  "expected",
]);

/** `isKnown`, `ChangedFile` and `markedText` say more than the participle does. */
const isParticiple = (name: string): boolean => {
  if (!/^[A-Za-z][a-z]*$/u.test(name)) return false;
  const word = name.toLowerCase();
  return !others.has(word) && (word.endsWith("ed") || participles.has(word));
};

type Placed = Declaration & { path: string };

export function checkDeclaredNames(files: readonly SourceFile[]): Problem[] {
  const declared = files
    .filter(({ path, isTest }) => path.startsWith("src/") && !isTest)
    .flatMap(({ path, declarations }) => declarations.map((one): Placed => ({ ...one, path })));
  return [...declaredTwice(declared), ...declared.flatMap(alone)];
}

function declaredTwice(declared: readonly Placed[]): Problem[] {
  const types = Map.groupBy(
    declared.filter(({ kind }) => kind === "type"),
    ({ name }) => name,
  );
  return [...types].flatMap(([name, [first, ...more]]) =>
    more.map(({ path, line }) => ({
      path,
      line,
      words: `${first?.path ?? ""} has a type ${name}, too: one name, one declaration`,
    })),
  );
}

function alone({ kind, name, path, line }: Placed): Problem[] {
  if (kind === "type" && name.endsWith("Room"))
    return [{ path, line, words: `${name} is no room: a room is a folder of the source` }];
  if (!isParticiple(name)) return [];
  return [
    { path, line, words: `${name} says what happened to it: name the ${kind} after what it is or does` },
  ];
}
