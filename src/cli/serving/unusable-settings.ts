/**
 * Checks settings with which no session could open, so that a server reports them at its start and not once per
 * session.
 */

import { namingProblem } from "../../runtime/runtime.ts";
import { type CliContext } from "../cli-context.ts";

/** The problem if the model's or dialect's name can never be valid. */
export const misnamedIn = ({ settings, terminal, model }: CliContext): string | undefined =>
  model === undefined ? namingProblem(settings, terminal.env) : undefined;
