/** Types for a command put into its sandbox, and for the outcome of running it. */

import type { ProcessRequest } from "../../base/process.ts";
import type { Change } from "../../base/safe-fs/image.ts";
import type { SandboxRefusal, SandboxRecord } from "../../protocol/facts.ts";

/** The outcome of a command besides its output: warnings for the result, and changes to the workspace. */
export type ContainedOutcome = {
  warnings: string[];
  /** File changes: still to be made (the command ran over an overlay), or already made by it (`made`). */
  changes: Change[];
  made?: true;
  /** Other workspace changes, which undo cannot revert, in words. */
  uncovered?: string[];
  /** Where it moved the references of repositories, each as a text. */
  references?: Change[];
  /** The directories and files that those are about, workspace-relative. */
  places?: string[];
  /** Those of them that are new repositories. */
  repositories?: string[];
  /** Those of them where something was that undo could not bring back once it has been changed or removed. */
  lost?: string[];
  /** Makes those changes, before `changes` are made; absent if they were made already. Returns what went wrong. */
  keep?: () => Promise<string[]>;
  /** What the kernel refused it; absent if nothing looked. */
  refused?: readonly SandboxRefusal[];
  /** The files and directories that were hidden from it; absolute. */
  hidden?: readonly string[];
  /** Why the changes were too large to be staged; `changes` is then empty. */
  tooLarge?: string;
  /** Call once the changes have been made, staged or dropped. */
  settled?: () => Promise<void>;
};

/** A command prepared for the sandbox; await `finished` once it has ended, in whatever way. */
export type ContainedCommand = Pick<
  ProcessRequest,
  "command" | "env" | "feeds" | "guarded" | "joinsErrors" | "onStart" | "waiting"
> & {
  finished: () => Promise<ContainedOutcome>;
  /** Called in place of `finished` for a command over an overlay of which nothing is to be kept or told. */
  drop?: () => Promise<void>;
  /** The profile it runs in, needed to decide on later terminal input. */
  runsIn?: SandboxRecord;
  /** For a failed command: how the sandbox may have caused the failure, judging by the output. */
  whyFailed?: (output: string) => string | undefined;
};

/** The members of a tool result that describe the command's changes. */
export function changesOf({
  changes,
  made,
  uncovered = [],
  references = [],
  places = [],
  repositories = [],
  lost = [],
  keep,
  refused = [],
  settled,
}: ContainedOutcome): Partial<Omit<ContainedOutcome, "warnings">> {
  return {
    ...(places.length > 0 ? { places } : {}),
    ...(repositories.length > 0 ? { repositories } : {}),
    ...(lost.length > 0 ? { lost } : {}),
    ...(keep ? { keep } : {}),
    ...(refused.length > 0 ? { refused } : {}),
    ...(changes.length > 0 ? { changes } : {}),
    ...(made ? { made } : {}),
    ...(uncovered.length > 0 ? { uncovered } : {}),
    ...(references.length > 0 ? { references } : {}),
    ...(settled ? { settled } : {}),
  };
}
