/** Describes for people what a record does not cover. */

import { sizeInWords } from "../../base/amounts.ts";
import type { RecordCaps } from "./caps.ts";
import type { ReadingPlan } from "./plan.ts";
import type { WorkspaceScan, SkipReason } from "./scan.ts";

type Gaps = { plan: ReadingPlan; scan: WorkspaceScan; caps: RecordCaps; unread?: readonly string[] };

/** Before the command: one line for each kind of thing that undo could not restore; empty if there is none. */
export function gapsInWords({ plan, scan, caps, unread = [] }: Gaps): string[] {
  const unlooked = (why: SkipReason): string[] =>
    [...scan.unlooked].filter(([, each]) => each === why).map(([path]) => path);
  const odd = [...scan.entries].filter(([, { kind }]) => kind === "other").map(([path]) => path);
  return [
    countedPaths(plan.tooLarge, [`over ${sizeInWords(caps.otherBytes)}`, "file", "files"]),
    countedPaths(plan.tooMany, [`more than fit in ${sizeInWords(caps.otherBytes)}`, "file", "files"]),
    countedPaths(unread, ["that cannot be read", "file", "files"]),
    countedPaths(odd, ["that cannot be kept", "socket, device or odd name", "sockets, devices or odd names"]),
    countedPaths(unlooked("full"), [
      `beyond the first ${caps.entries.toLocaleString("en")} files`,
      "directory",
      "directories",
    ]),
    countedPaths(unlooked("closed"), ["that cannot be read", "directory", "directories"]),
    ...namedFew(unlooked("installed")),
    ...namedFew(unlooked("git")),
  ].flatMap((line) => line ?? []);
}

function countedPaths(
  paths: readonly string[],
  [what, one, many]: readonly [string, string, string],
): string | undefined {
  if (paths.length === 0) return undefined;
  const count = `${paths.length.toLocaleString("en")} ${paths.length === 1 ? one : many}`;
  return `${count} ${what} (${namedFew(paths.toSorted(), 3).join(", ")})`;
}

const mostNamed = 20;

/** The first few by name, then how many more. */
export function namedFew(paths: readonly string[], most = mostNamed): string[] {
  const named = paths.slice(0, most).map(shownPath);
  const more = paths.length - named.length;
  return more === 0 ? named : [...named, `and ${more.toLocaleString("en")} more`];
}

/** Unchanged if plain; otherwise quoted, as a name could contain marks that make it look like another, or like two. */
function shownPath(path: string): string {
  const plain = path.replaceAll("\0", "");
  return /[\p{C}\p{Zl}\p{Zp}"]|^\s|\s$|^$/u.test(plain) ? JSON.stringify(plain) : plain;
}
