/** What a person has unticked of the changes of a command that has run, by file and hunk. */

import { useSignal } from "@preact/signals";
import type { DroppedPart } from "../../protocol/facts.ts";
import type { WaitingFile } from "../../view/waiting-changes.ts";

/** A file's dropped hunks, from 1; "whole" for the file. Absent: all of it is kept. */
type DroppedHunksByPath = ReadonlyMap<string, ReadonlySet<number> | "whole">;

export type HeldParts = {
  /** For the answer, in the order of the files. */
  drops: DroppedPart[];
  /** Nothing at all is left to keep. */
  isNothingKept: boolean;
  keeps(file: WaitingFile, hunk?: number): boolean;
  keepFile(file: WaitingFile, isKept: boolean): void;
  keepHunk(file: WaitingFile, hunk: number, isKept: boolean): void;
  keepAll(isKept: boolean): void;
};

export function useHeldParts(files: readonly WaitingFile[]): HeldParts {
  const dropped = useSignal<DroppedHunksByPath>(new Map());
  const set = (file: WaitingFile, what: ReadonlySet<number> | "whole"): void => {
    const next = new Map(dropped.peek());
    const isWhole = what === "whole" || (file.hunks.length > 0 && what.size === file.hunks.length);
    if (isWhole) next.set(file.path, "whole");
    else if (what.size === 0) next.delete(file.path);
    else next.set(file.path, what);
    dropped.value = next;
  };
  const now = dropped.value;
  return {
    drops: dropsIn(files, now),
    isNothingKept: files.every(({ path }) => now.get(path) === "whole"),
    keeps({ path }, hunk) {
      const gone = now.get(path);
      if (gone === undefined || gone === "whole") return gone === undefined;
      return hunk === undefined || !gone.has(hunk);
    },
    keepFile: (file, isKept) => set(file, isKept ? new Set() : "whole"),
    keepHunk(file, hunk, isKept) {
      const gone = dropped.peek().get(file.path) ?? new Set<number>();
      const others = gone === "whole" ? file.hunks.map((_, at) => at + 1) : [...gone];
      set(file, new Set([...others.filter((each) => each !== hunk), ...(isKept ? [] : [hunk])]));
    },
    keepAll: (isKept) => {
      dropped.value = new Map(isKept ? [] : files.map(({ path }) => [path, "whole"] as const));
    },
  };
}

const dropsIn = (files: readonly WaitingFile[], dropped: DroppedHunksByPath): DroppedPart[] =>
  files.flatMap(({ path }): DroppedPart[] => {
    const gone = dropped.get(path);
    if (gone === undefined) return [];
    return [gone === "whole" ? { path } : { path, hunks: [...gone].toSorted((one, other) => one - other) }];
  });
