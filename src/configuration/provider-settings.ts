/** The schema of one provider in a configuration file. */

import * as z from "zod/mini";
import { constraintKinds } from "../providers/capabilities.ts";
import { wireNames } from "../wires/wire.ts";

/** One provider in the file: another key or address for a known one, or a server of the user's own. */
export const providerSchema = z.strictObject({
  baseUrl: z.optional(
    z
      .string()
      .check(z.regex(/^https?:\/\/\S+$/u, "an address that begins with http:// or https://"))
      .check(z.describe('Where its API is, with any version prefix: "http://localhost:8000/v1".')),
  ),
  key: z.optional(z.string().check(z.describe("The key itself. It is never logged."))),
  keyVariable: z.optional(z.string().check(z.describe("Or the environment variable that holds the key."))),
  headers: z.optional(
    z
      .record(
        z.string().check(z.regex(/^[\w!#$%&'*+.^`|~-]+$/u, "the name of a header")),
        z.string().check(z.regex(/^[^\r\n]*$/u, "one line")),
      )
      .check(
        z.describe(
          'Headers of every request, such as `"api-key": "${WORK_KEY}"`: `${NAME}` is a variable of the environment.',
        ),
      ),
  ),
  wire: z.optional(
    z
      .enum(wireNames)
      .check(z.describe("The format it speaks. A server of your own is taken for OpenAI-compatible.")),
  ),
  models: z.optional(
    z
      .array(z.string())
      .check(
        z.describe(
          "Its models, for a server that does not list them itself. The first is used when none is named.",
        ),
      ),
  ),
  constraints: z.optional(
    z
      .array(z.enum(constraintKinds))
      .check(
        z.describe(
          "What the server holds a model to while it writes: `grammar` (llama-server), `structural-tags` (vLLM, SGLang), `schema`, `strict`; an empty list for nothing.",
        ),
      ),
  ),
});

export type ProviderSettings = z.infer<typeof providerSchema>;
