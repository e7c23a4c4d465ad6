/** The line that the `@@` headers of a hunk name, and what lies within the block that begins there. */

import { indentOf } from "../edit/indentation.ts";

/** `line`: of the innermost header (from 0). `end`: the first line behind its block. */
type Scope = { line: number; end: number };

/** `none`: a header stands nowhere in the file. `several`: they may name more than one line. */
export type NamedScope = { named: "one"; scope: Scope } | { named: "several" | "none" };

/** `scopes`: what headers were found to name so far. `patience`: how many more lines may be looked at. */
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
  let scope: Scope = { line: -1, end: file.length };
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

/** Lines that are the header; else that begin with it, or hold it. */
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

/** Where a line is indented no deeper than the block's first, but for one that only opens it or ends its parameters. */
function endOfBlock(file: readonly string[], start: number): number {
  const depth = indentOf(file[start] ?? "").length;
  for (let at = start + 1; at < file.length; at++) {
    const line = file[at] ?? "";
    const isInside = line.trim() === "" || indentOf(line).length > depth || /^\s*[{)]/.test(line);
    if (!isInside) return at;
  }
  return file.length;
}
