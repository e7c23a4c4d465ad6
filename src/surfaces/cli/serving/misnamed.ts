/**
 * Checks settings with which no session could open, so that a server reports them at its start and not once per
 * session.
 */

import { misnamed } from "../../../runtime/runtime.ts";
import type { CliRoom } from "../room.ts";

/** The problem if the model's or dialect's name can never be valid. */
export const misnamedIn = ({ settings, terminal, model }: CliRoom): string | undefined =>
  model === undefined ? misnamed(settings, terminal.env) : undefined;
