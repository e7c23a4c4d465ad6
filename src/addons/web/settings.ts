/** The web section of the configuration: how to search, and which non-public addresses may be fetched. */

import * as z from "zod/mini";

export const webSearchSchema = z
  .strictObject({
    command: z.optional(
      z
        .array(z.string())
        .check(
          z.minLength(1),
          z.describe(
            "A program that prints what it finds, and its arguments; `{query}` stands for the words, else they come last.",
          ),
        ),
    ),
    url: z.optional(
      z
        .string()
        .check(
          z.regex(
            /^https?:\/\/(?![^/?#]*@)\S+$/u,
            "an address that begins with http:// or https:// and has no password in it",
          ),
        )
        .check(z.describe("Or the address of a SearXNG server that answers with JSON.")),
    ),
  })
  .check(
    z.refine(({ command, url }) => (command === undefined) !== (url === undefined), {
      error: "an object with either `command` or `url`",
    }),
  );

export const fetchSchema = z.strictObject({
  hosts: z.optional(
    z
      .array(z.string().check(z.regex(/^[\w.:[\]-]+$/u, 'a host such as "localhost:3000"')))
      .check(
        z.describe(
          'Hosts on this machine or in private networks that may be fetched all the same, with their ports: "localhost:3000".',
        ),
      ),
  ),
});

export type WebSearchSettings = z.infer<typeof webSearchSchema>;
export type FetchSettings = z.infer<typeof fetchSchema>;
