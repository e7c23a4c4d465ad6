/** The schema of language servers in the configuration. */

import * as z from "zod/mini";

const languageServerSchema = z.strictObject({
  command: z.optional(z.array(z.string()).check(z.minLength(1))),
  files: z.optional(z.array(z.string()).check(z.describe('The endings of the files that it is for: ".ts".'))),
  disabled: z.optional(z.boolean()),
  settings: z.optional(z.record(z.string(), z.json())),
});

export const languageServersSchema = z.union([z.literal(false), z.record(z.string(), languageServerSchema)]);
export type LanguageServerSettings = z.infer<typeof languageServersSchema>;
