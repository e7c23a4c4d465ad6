/** The types for a command prepared to run in the sandbox, and for its outcome. */

import type { ProcessRequest } from "../../base/process.ts";
import type { Change } from "../../base/safe-fs/image.ts";
import type { WorkspaceEffects } from "../../protocol/workspace-effects.ts";

/**
 * What `runProcess` needs to run the contained command. `finished` must be awaited once it has ended, however it ended.
 */
export type ContainedRun = Pick<ProcessRequest, "joinsErrors" | "waiting"> & {
  command: readonly string[];
  env: Record<string, string>;
  /** Empty for a command on a terminal, which reads its input from private files instead. */
  feeds: readonly Uint8Array[];
  /** Nothing else makes sure that it ends together with us, at whatever moment we are killed. */
  guarded: boolean;
  onStart(pid: number): void;
  /** The directories of git that it may write. */
  repositories?: readonly string[];
  /** Frees everything but the overlay. Idempotent: every call returns the same result; never throws. */
  finished(): Promise<SandboxOutcome>;
  /** Called in place of `finished` for a command over an overlay of which nothing is to be kept or told. */
  drop?: () => Promise<void>;
};

/** The outcome of a command. Without an overlay `changes` is empty: the command wrote to the workspace directly. */
export type SandboxOutcome = WorkspaceEffects & {
  /** For the result: what was quarantined, which limit was exceeded, which files were changed concurrently. */
  warnings: string[];
  changes: Change[];
  uncovered: string[];
  /** The files and directories that were hidden from it; absolute. */
  hidden?: readonly string[];
  /** For a `whole` overlay: why its changes cannot be returned in full. `changes` is then empty. */
  tooLarge?: string;
  settled: () => Promise<void>;
};

/** Of a command that changed nothing, or nothing that is still to be applied. */
export const endedWith = (
  warnings: string[],
  settled: SandboxOutcome["settled"] = async () => {},
): SandboxOutcome => ({ warnings, changes: [], uncovered: [], settled });
