/** The `lmServer` section of the configuration file: settings of the language-model server. */

import * as z from "zod/mini";

const modelName = z
  .string()
  .check(z.regex(/\S/u, "the name of a model"), z.describe('A model as for --model: "ollama/qwen3".'));

/** What one model name used by clients maps to. */
export const servedAsSchema = z.strictObject({
  model: modelName,
  fallback: z.optional(
    z
      .array(modelName)
      .check(
        z.describe(
          "Models that are asked in this order if it fails before its answer begins: not reached, overloaded, rate-limited, or failing itself.",
        ),
      ),
  ),
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

const limit = (from: number, words: string) =>
  z.optional(z.number().check(z.minimum(from, `a number, ${from} at least`), z.describe(words)));
const whole = (words: string) =>
  z.optional(z.int().check(z.minimum(1, "a whole number, 1 at least"), z.describe(words)));

/** What one client may use. */
export const clientLimitsSchema = z.strictObject({
  models: z.optional(
    z
      .array(modelName)
      .check(z.describe("The names that it may ask for; `*` stands for anything. All by default.")),
  ),
  requestsPerMinute: whole("Requests for an answer within any minute."),
  tokensPerDay: whole("Tokens of prompts and answers together, on a day of UTC."),
  tokensPerMonth: whole("The same, in a month of UTC."),
  dollarsPerDay: limit(0, "US dollars on a day of UTC; models without a known price are refused then."),
  dollarsPerMonth: limit(0, "The same, in a month of UTC."),
  streams: whole("Answers at the same time."),
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
  clients: z.optional(
    z
      .record(
        z.string().check(z.regex(/^[a-z0-9][a-z0-9._@-]{0,39}$/u, "a client's name")),
        clientLimitsSchema,
      )
      .check(
        z.describe(
          "Limits of clients, by name: of those with a key (`toolwright lm-server keys add NAME`), where they count before what was set with the key, and of `owner`, who has the server's token.",
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
export type ServedModelSettings = z.infer<typeof servedAsSchema>;
