/** The files and directories that a command names, plainly or by a pattern. */

import { posix } from "node:path";
import { ancestorsOf } from "./left-out.ts";

export type NamedPaths = {
  /** Paths without patterns, relative and without "..". */
  paths: readonly string[];
  /** Whether a path is one of these, or lies below one. */
  covers: (path: string) => boolean;
};

/** Names outside the workspace are ignored; a name that cannot be resolved matches nothing. */
export function readNames(names: readonly string[]): NamedPaths {
  const inside = names.flatMap(plainPath);
  const paths = new Set(inside.filter((path) => !isPattern(path)));
  const patterns = [...new Set(inside.filter(isPattern))].slice(0, mostPatterns).map(patternOf);
  const isNamed = (path: string): boolean =>
    paths.has(path) || ancestorsOf(path).some((above) => paths.has(above));
  return {
    paths: [...paths],
    covers(path) {
      if (paths.size > 0 && isNamed(path)) return true;
      if (patterns.length === 0) return false;
      const parts = path.split("/");
      return patterns.some((pattern) => fits(pattern, parts));
    },
  };
}

const mostPatterns = 100;

function plainPath(path: string): string[] {
  const plain = posix.normalize(path).replace(/(?<=.)\/+$/, "");
  const isOutside = plain.startsWith("/") || plain === ".." || plain.startsWith("../");
  return isOutside || plain.split("/").includes("\0") ? [] : [plain];
}

/** NUL stands for a part known only at run time. */
// oxlint-disable-next-line no-control-regex
const isPattern = (path: string): boolean => /[*?[\0]/.test(path);

/** For each path segment, the literal texts between wildcards. */
type SegmentPattern = string[][];

const patternOf = (path: string): SegmentPattern =>
  // oxlint-disable-next-line no-control-regex
  path.split("/").map((name) => name.split(/\[[^\]]*\]|[*?\0]/));

const fits = (pattern: SegmentPattern, parts: readonly string[]): boolean =>
  pattern.length <= parts.length && pattern.every((texts, at) => matches(texts, parts[at] ?? ""));

/** As in a shell, wildcards do not match a leading dot. Runs in time linear in the name's length. */
function matches(texts: readonly string[], name: string): boolean {
  const [first = "", ...rest] = texts;
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (name.startsWith(".") && first === "") return false;
  if (!name.startsWith(first) || name.length < first.length + last.length) return false;
  let at = first.length;
  for (const text of rest) {
    const found = name.indexOf(text, at);
    if (found < 0) return false;
    at = found + text.length;
  }
  return name.endsWith(last) && name.length - last.length >= at;
}
