/** The mounts of this process's namespace, as proc_pid_mountinfo(5) lists them. */

import { readFileSync } from "node:fs";
import { attempt } from "../../base/expected.ts";
import { isWithin } from "../../base/paths.ts";

type MountEntry = {
  path: string;
  /** The file system itself is read-only, wherever it is mounted: nothing new can appear in it. */
  isFixed: boolean;
};

let last: { text: string; table: readonly MountEntry[] } | undefined;

/** The same array as long as nothing was mounted or unmounted. */
export function mountTable(): readonly MountEntry[] {
  const text = attempt(() => readFileSync("/proc/self/mountinfo", "latin1")) ?? "";
  if (last?.text !== text) last = { text, table: parseTable(text) };
  return last.table;
}

function parseTable(text: string): MountEntry[] {
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [place = "", source = ""] = line.split(" - ");
      return {
        path: plainPath(place.split(" ")[4] ?? "/"),
        isFixed: source.split(" ")[2]?.split(",")[0] === "ro",
      };
    });
}

export const mountsBelow = (directory: string, table: readonly MountEntry[] = mountTable()): MountEntry[] =>
  table.filter(({ path }) => path !== directory && isWithin(directory, path));

/** Spaces and other special characters are octal. */
function plainPath(written: string): string {
  const bytes = written.replace(/\\([0-7]{3})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 8)),
  );
  return Buffer.from(bytes, "latin1").toString();
}
