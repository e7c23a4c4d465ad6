/** Resolves a hunk's `@@` headers to a line of the file and the block that begins there. */

import { indentOf } from "../edit/indentation.ts";

/** `line`: that of the innermost header (from 0). `end`: the first line after its block. */
type HunkScope = { line: number; end: number };

/** `none`: a header is not in the file. `several`: the headers are ambiguous. */
export type NamedScope = { named: "one"; scope: HunkScope } | { named: "several" | "none" };

/** `scopes`: cache of resolved headers. `patience`: how many more lines may be examined. */
type Index = {
  readonly texts: readonly string[];
  readonly scopes: Map<string, NamedScope>;
  patience: number;
};

export function scopeOf(index: Index, headers: readonly string[]): NamedScope {
  const key = headers.join("\n");
  const known = index.scopes.get(key);
  if (known) return known;
  index.patience -= index.texts.length * headers.length;
  const named: NamedScope = index.patience < 0 ? { named: "several" } : namedBy(index.texts, headers);
  index.scopes.set(key, named);
  return named;
}

function namedBy(file: readonly string[], headers: readonly string[]): NamedScope {
  let scope: HunkScope = { line: -1, end: file.length };
  for (const header of headers) {
    const all = linesNamed(file, header);
    if (all.length === 0) return { named: "none" };
    const within = all.filter((line) => line > scope.line && line < scope.end);
    const below = within.length > 0 ? within : all.filter((line) => line > scope.line);
    const [line] = below;
    if (line === undefined || below.length > 1) return { named: "several" };
    scope = { line, end: endOfBlock(file, line) };
  }
  return { named: "one", scope };
}

/** Lines equal to the header; else lines that begin with it, or contain it. */
function linesNamed(file: readonly string[], header: string): number[] {
  const wanted = header.trim();
  const ways: readonly ((line: string) => boolean)[] = [
    (line) => line.trim() === wanted,
    (line) => line.trim().startsWith(wanted),
    (line) => line.includes(wanted),
  ];
  for (const isNamed of ways) {
    const found = file.flatMap((line, at) => (isNamed(line) ? [at] : []));
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * The first later line indented no deeper than the block's first, except one that only opens it or ends its parameters.
 */
function endOfBlock(file: readonly string[], start: number): number {
  const depth = indentOf(file[start] ?? "").length;
  for (let at = start + 1; at < file.length; at++) {
    const line = file[at] ?? "";
    const isInside = line.trim() === "" || indentOf(line).length > depth || /^\s*[{)]/.test(line);
    if (!isInside) return at;
  }
  return file.length;
}
