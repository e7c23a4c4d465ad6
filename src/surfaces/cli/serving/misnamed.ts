/** Settings with which no session could be opened: better told when a server starts than by each of its sessions. */

import { misnamed } from "../../../runtime/runtime.ts";
import type { CliRoom } from "../room.ts";

/** The problem, where the model or the dialect has a name that can never be meant. */
export const misnamedIn = ({ settings, terminal, model }: CliRoom): string | undefined =>
  model === undefined ? misnamed(settings, terminal.env) : undefined;
