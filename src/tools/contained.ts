/** A command in its sandbox, and what it came to. */

import type { ProcessRequest } from "../base/process.ts";
import type { Change } from "../base/safe-fs/image.ts";
import type { Sandboxed } from "../protocol/facts.ts";

/** What a command came to beside its output: warnings for its result, and what it changed in the workspace. */
export type Finished = {
  warnings: string[];
  /** File changes: to be made now (it ran over a layer), or made by the command itself (`made`). */
  changes: Change[];
  made?: true;
  /** What else it changed there and undo cannot bring back, in words. */
  uncovered?: string[];
  /** Why what it would change could not be kept to be staged: too much. There are no changes then. */
  tooLarge?: string;
  /** To be called once the changes were made, staged or given up. */
  settled?: () => Promise<void>;
};

/** A command as it was put into the sandbox; `finished` is awaited once it has ended, however it did. */
export type ContainedCommand = Pick<ProcessRequest, "command" | "env" | "feeds" | "onStart"> & {
  finished: () => Promise<Finished>;
  /** In which profile it runs, for what is typed into it later. */
  runsIn?: Sandboxed;
  /** Of a command that failed: what the sandbox may have to do with it, as far as its output tells. */
  whyFailed?: (output: string) => string | undefined;
};

/** What a tool's result says of it. */
export function changesOf({
  changes,
  made,
  uncovered = [],
  settled,
}: Finished): Partial<Omit<Finished, "warnings">> {
  return {
    ...(changes.length > 0 ? { changes } : {}),
    ...(made ? { made } : {}),
    ...(uncovered.length > 0 ? { uncovered } : {}),
    ...(settled ? { settled } : {}),
  };
}
