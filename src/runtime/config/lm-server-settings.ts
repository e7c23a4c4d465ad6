/** The `lmServer` section of the configuration file: settings of the language-model server. */

import * as z from "zod/mini";

const modelName = z
  .string()
  .check(z.regex(/\S/u, "the name of a model"), z.describe('A model as for --model: "ollama/qwen3".'));

/** What one model name used by clients maps to. */
export const servedAsSchema = z.strictObject({
  model: modelName,
  assumedContext: z.optional(
    z
      .number()
      .check(
        z.minimum(1024, "a number of tokens, 1024 at least"),
        z.describe(
          "The window, in tokens, that clients take this name to have: what is used of the real one is told to them in proportion, so that they shorten their conversation in time.",
        ),
      ),
  ),
});

export const lmServerSchema = z.strictObject({
  models: z.optional(
    z
      .record(
        z.string(),
        z.union([modelName, servedAsSchema], 'a model\'s name, or { "model": …, "assumedContext": … }'),
      )
      .check(
        z.describe(
          "The names that clients ask for, and the model that each gets; `*` stands for anything. The name with most other letters counts.",
        ),
      ),
  ),
  origins: z.optional(
    z
      .array(z.string().check(z.regex(/^https?:\/\/[^\s/]+$/u, 'an origin such as "http://localhost:3000"')))
      .check(z.describe("Web pages that may ask it. None by default.")),
  ),
  hosts: z.optional(
    z
      .array(z.string().check(z.regex(/^[^\s/]+$/u, 'a host such as "models.example.org"')))
      .check(
        z.describe(
          "Names under which it is reached besides this computer's, as behind a proxy: what stands in the Host header, with the port unless that is 80 or 443.",
        ),
      ),
  ),
});

export type LmServerSettings = z.infer<typeof lmServerSchema>;
