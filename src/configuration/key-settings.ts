/** What the keys of a terminal do: an action, and its keys. Which actions there are is known to the terminal. */

import * as z from "zod/mini";

export const keysSchema = z.record(
  z.string(),
  z.union([z.string(), z.array(z.string())], "a key or a list of keys"),
);

export type KeySettings = z.infer<typeof keysSchema>;
