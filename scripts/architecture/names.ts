/** The two-places rule: the name of one tool, dialect, wire or provider is written in its own file and in the list. */

import type { Problem } from "./problem.ts";
import { isForTests, type SourceFile } from "./source-tree.ts";

type Kind = {
  kind: string;
  /** The folder (or the one file) whose exported values carry the names. */
  home: string;
  /** Files and folders whose business it is to use names of this kind. */
  besides?: readonly string[];
};

const mostPlaces = 2;
/** Names that are words of the language as well: where they stand, something else may be meant. */
const ordinaryWords: ReadonlySet<string> = new Set(["terminal", "todos", "delegate", "fetch"]);
const kinds: readonly Kind[] = [
  { kind: "tool", home: "src/tools/" },
  { kind: "dialect", home: "src/dialects/" },
  // A provider's row says which wire it speaks.
  { kind: "wire", home: "src/wires/", besides: ["src/providers/catalog.ts"] },
  // A wire may carry the name of the provider whose format it is.
  { kind: "provider", home: "src/providers/catalog.ts", besides: ["src/wires/"] },
];

export function checkNames(files: readonly SourceFile[]): Problem[] {
  const sources = files.filter(
    (file) => file.path.startsWith("src/") && !file.path.endsWith(".gen.ts") && !isForTests(file),
  );
  const named = kinds.flatMap((kind) =>
    sources
      .filter(({ path }) => path.startsWith(kind.home))
      .flatMap(({ path, declaredNames }) => declaredNames.map((name) => ({ ...kind, name, path }))),
  );
  return named.flatMap(({ kind, name, path, home, besides = [] }) => {
    // "ollama" is a wire and a provider: each kind counts its own places.
    const others = named
      .filter((other) => other.name === name && other.kind !== kind)
      .map((other) => other.home);
    const places = sources.filter(
      (file) =>
        file.texts.has(name) &&
        !besides.some((place) => file.path.startsWith(place)) &&
        (file.path.startsWith(home) || !others.some((other) => file.path.startsWith(other))),
    );
    if (places.length <= mostPlaces || ordinaryWords.has(name)) return [];
    const list = places.map((file) => file.path).join(", ");
    return [
      {
        path,
        line: 1,
        words: `the ${kind} "${name}" is named in ${places.length} files (${list}): two know it, it and its list`,
      },
    ];
  });
}
