/** Suggests files for a path that does not exist, since models often know a file's name but not its directory. */

import { posix } from "node:path";
import { looseName } from "../../protocol/tool-name.ts";
import { toolBounds } from "../bounds.ts";
import { walk } from "../search/walk.ts";
import type { ToolContext } from "../tool.ts";

/** Most workspace entries to visit: a wrong path must not cost as much as a search. */
const mostLooked = 5 * toolBounds.listedEntries.most;
const mostNamed = 3;

/** A sentence naming the nearest files, to append to the error; empty if none was found. */
export async function similarFiles(
  path: string,
  { files, signal }: Pick<ToolContext, "files" | "signal">,
): Promise<string> {
  const wanted = looseName(posix.parse(path).name);
  if (wanted === "") return "";
  const found: string[] = [];
  let left = mostLooked;
  for await (const entry of walk(files, { start: ".", order: "by-name", signal }).entries) {
    if (left-- === 0) break;
    if (entry.kind === "file" && looseName(posix.parse(entry.path).name) === wanted) found.push(entry.path);
  }
  const nearest = found
    .map((other) => ({ other, shared: sharedEnd(path, other) }))
    .toSorted((one, another) => another.shared - one.shared)
    .map(({ other }) => other);
  return nearest.length === 0 ? "" : ` Files with such a name: ${nearest.slice(0, mostNamed).join(", ")}.`;
}

/** How many trailing path segments are equal: the file's name, then its directories. */
function sharedEnd(one: string, other: string): number {
  const names = one.split("/").toReversed();
  const others = other.split("/").toReversed();
  const differs = names.findIndex((name, at) => name !== others[at]);
  return differs === -1 ? names.length : differs;
}
