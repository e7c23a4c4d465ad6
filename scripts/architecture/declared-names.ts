/**
 * Types are declared once; neither they, nor functions, nor files are called by what happened to them (`Found`,
 * `told.ts`); and no word has two meanings.
 */

import { basename } from "node:path";
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

/** Words that have one meaning here and are tempting for others, with what to say instead. */
const oneMeaning: readonly { word: RegExp; words: string }[] = [
  { word: /^room$|Room$/u, words: "a room is a folder of the source: say context, space or place" },
];

type Placed = Declaration & { path: string };

export function checkDeclaredNames(files: readonly SourceFile[]): Problem[] {
  const declared = files
    .filter(({ path, isTest }) => path.startsWith("src/") && !isTest)
    .flatMap(({ path, declarations }) => declarations.map((one): Placed => ({ ...one, path })));
  const sources = files.filter(({ path }) => path.startsWith("src/"));
  return [
    ...declaredTwice(declared),
    ...declared.flatMap(alone),
    ...sources.flatMap(misnamedFile),
    ...sources.flatMap(withOtherMeaning),
  ];
}

/** What a compiler makes; an editor of streams. */
const notParticiples = new Set(["compiled", "sed"]);

function misnamedFile({ path }: SourceFile): Problem[] {
  const [name = ""] = basename(path).split(".");
  if (notParticiples.has(name) || !isParticiple(name)) return [];
  return [{ path, line: 1, words: `${name} says what happened to it: name the file after what it holds` }];
}

const withOtherMeaning = ({ path, identifiers }: SourceFile): Problem[] =>
  oneMeaning.flatMap(({ word, words }) =>
    [...identifiers].flatMap(([name, line]) =>
      word.test(name) ? [{ path, line, words: `${name}: ${words}` }] : [],
    ),
  );

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
  if (!isParticiple(name)) return [];
  return [
    { path, line, words: `${name} says what happened to it: name the ${kind} after what it is or does` },
  ];
}
