/** Types for a command put into its sandbox, and for the outcome of running it. */

import type { ProcessRequest } from "../../base/process.ts";
import type { Change } from "../../base/safe-fs/image.ts";
import type { SandboxRecord } from "../../protocol/facts.ts";
import type { WorkspaceEffects } from "../../protocol/workspace-effects.ts";

/** The outcome of a command besides its output: warnings for the result, and changes to the workspace. */
export type ContainedOutcome = WorkspaceEffects & {
  warnings: string[];
  changes: Change[];
  /** The files and directories that were hidden from it; absolute. */
  hidden?: readonly string[];
  /** Why the changes were too large to be staged; `changes` is then empty. */
  tooLarge?: string;
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
}: ContainedOutcome): WorkspaceEffects {
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
