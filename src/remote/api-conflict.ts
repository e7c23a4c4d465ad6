/** The schema of a conflict: a file that an undo cannot simply revert. */

import * as z from "zod/mini";

export const conflict = z.object({
  path: z.string(),
  /** `later-work`: later changes are in the way. `lost`: the content to restore is no longer available. */
  kind: z.enum(["later-work", "lost"]),
  /** Later turns whose changes to the file are still applied, oldest first. */
  turns: z.array(z.number()),
  /** Whether something outside this session changed the file. */
  outside: z.boolean(),
  because: z.string(),
  since: z.optional(z.object({ added: z.number(), removed: z.number() })),
  /** The values of `onConflict` that are valid for this file. */
  choices: z.array(z.enum(["skip", "restore", "merge"])),
});
