/** What stands in the way of an undo. */

import * as z from "zod/mini";

export const conflict = z.object({
  path: z.string(),
  /** What stands in the way: work of later, or that what would be put there is not to be had. */
  kind: z.enum(["later-work", "lost"]),
  /** Later turns whose changes are in force there, oldest first. */
  turns: z.array(z.number()),
  /** Whether something other than this session changed it. */
  outside: z.boolean(),
  because: z.string(),
  since: z.optional(z.object({ added: z.number(), removed: z.number() })),
  /** What `onConflict` may say about it. */
  choices: z.array(z.enum(["skip", "restore", "merge"])),
});
