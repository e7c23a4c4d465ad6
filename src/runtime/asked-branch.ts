/** Checks a branch that somebody asked for by name, before anything is opened. */

import { realpath } from "node:fs/promises";
import type { EnvironmentVariables } from "../base/environment-variables.ts";
import { whyNoBranch } from "../session/git-branch.ts";

/**
 * The problem with `--branch session` here. As a setting of the configuration it holds for every directory, and those
 * without a repository go without; named on the command line it is meant for this one.
 */
export async function askedBranchProblem(
  workspace: string,
  env: EnvironmentVariables,
): Promise<string | undefined> {
  const real = await realpath(workspace).catch(() => workspace);
  const why = await whyNoBranch({ workspace: real, env });
  return why === undefined
    ? undefined
    : `The session cannot have a branch of its own: ${why}. Mend that, or leave the option "gitBranch" out.`;
}
