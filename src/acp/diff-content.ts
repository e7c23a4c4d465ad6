/** A unified diff as the diffs of the Agent Client Protocol: one for each hunk, with the lines before and after. */

import { resolve } from "node:path";
import type { Diff } from "@agentclientprotocol/sdk";
import { parsePatch } from "diff";
import { attempt } from "../base/expected.ts";

/** Paths become absolute; `workspace` is the session's. Empty for what is no diff. `oldText` is null for a new file. */
export function diffsIn(unified: string, workspace: string): Diff[] {
  return patchesIn(unified).flatMap(({ oldFileName, newFileName, hunks }) => {
    const [old, now] = [nameIn(oldFileName), nameIn(newFileName)];
    const path = now ?? old;
    if (path === undefined) return [];
    return hunks.map(({ lines }) => ({
      path: resolve(workspace, path),
      oldText: old === undefined ? null : side(lines, "-"),
      newText: side(lines, "+"),
    }));
  });
}

/** A preview may be no diff, or only the beginning of one. */
const patchesIn = (unified: string): ReturnType<typeof parsePatch> =>
  attempt(() => parsePatch(unified)) ?? [];

/** The lines that stand on one side. */
const side = (lines: readonly string[], sign: "-" | "+"): string =>
  lines
    .filter((line) => line.startsWith(sign) || line.startsWith(" "))
    .map((line) => `${line.slice(1)}\n`)
    .join("");

/** Undefined for /dev/null. */
function nameIn(name: string | undefined): string | undefined {
  return name === undefined || name === "/dev/null" ? undefined : name.replace(/^[ab]\//u, "");
}
