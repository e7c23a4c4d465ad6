/** The two-places rule: the name of a tool, dialect, wire or provider appears only in its own file and in the list. */

import type { Problem } from "./problem.ts";
import { isForTests, type SourceFile } from "./source-tree.ts";

type Kind = {
  kind: string;
  /** The folder or file whose exported values declare the names. */
  home: string;
  /** Further files and folders that may use names of this kind. */
  besides?: readonly string[];
};

const mostPlaces = 2;
/** Names that are also ordinary words, so that a match may mean something else. */
const ordinaryWords: ReadonlySet<string> = new Set(["terminal", "todos", "delegate", "fetch"]);
const kinds: readonly Kind[] = [
  { kind: "tool", home: "src/tools/" },
  { kind: "dialect", home: "src/dialects/" },
  // A provider's row names its wire.
  { kind: "wire", home: "src/wires/", besides: ["src/providers/catalog.ts"] },
  // A wire may be named after the provider whose format it implements.
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
    // "ollama" is both a wire and a provider: each kind counts only its own places.
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
