/** The schema of MCP servers in the configuration: the format that other agents use, with our additions. */

import * as z from "zod/mini";
import { inOurWords } from "./other-words.ts";

const oauthSchema = z.looseObject({
  clientId: z.optional(
    z
      .string()
      .check(
        z.describe(
          "The client that was registered with the service by hand; else it is registered by itself.",
        ),
      ),
  ),
  clientSecret: z.optional(z.string()),
  scope: z.optional(z.string()),
  callbackPort: z.optional(
    z
      .int()
      .check(
        z.minimum(1),
        z.maximum(65_535),
        z.describe("Where the browser comes back to; any free port by default."),
      ),
  ),
});
export type OAuthSettings = z.infer<typeof oauthSchema>;

/** Ignores keys that only other agents use. */
const shape = z.looseObject({
  type: z.optional(
    z
      .enum(["stdio", "http", "streamable-http", "streamableHttp", "sse", "local", "remote"])
      .check(z.describe("How it is reached; told by `command` or `url` unless it is `sse`.")),
  ),
  command: z.optional(
    z.string().check(z.minLength(1), z.describe("The program, for a server on this machine.")),
  ),
  args: z.optional(z.array(z.string())),
  env: z.optional(
    z
      .record(z.string(), z.string())
      .check(z.describe("Its environment besides the usual; ${NAME} and ${NAME:-else} stand for variables.")),
  ),
  envFile: z.optional(
    z.string().check(z.describe("A file with more of it: NAME=value, a line each. `env` counts first.")),
  ),
  cwd: z.optional(z.string()),
  url: z.optional(z.string().check(z.describe("Its address, for one that is reached by HTTP."))),
  headers: z.optional(z.record(z.string(), z.string())),
  disabled: z.optional(z.boolean()),
  /** The remaining keys are our additions. */
  timeout: z.optional(
    z
      .number()
      .check(z.minimum(1), z.maximum(3600), z.describe("Seconds that a call may take; 60 by default.")),
  ),
  reads: z.optional(
    z
      .union([z.boolean(), z.array(z.string())])
      .check(
        z.describe(
          "Tools that only read, so that they run without a question and beside each other: their names, or true to believe what the server says of each.",
        ),
      ),
  ),
  tools: z.optional(
    z
      .array(z.string())
      .check(z.describe("Only these of its tools; `*` stands for anything. All by default.")),
  ),
  withoutTools: z.optional(z.array(z.string()).check(z.describe("None of these; `*` stands for anything."))),
  deferred: z.optional(
    z
      .boolean()
      .check(z.describe("Whether the model has to look for its tools; default: where they are many.")),
  ),
  roots: z.optional(
    z
      .boolean()
      .check(
        z.describe(
          "Whether it is told where the workspace is, which some take in place of their own arguments; true by default.",
        ),
      ),
  ),
  oauth: z.optional(oauthSchema),
});

/** Accepts our field names and those of other agents. */
export const mcpServerSchema = z.pipe(z.transform(inOurWords), shape);

export const mcpServersSchema = z.record(
  z.string().check(z.regex(/^[\w.-]{1,64}$/u, "letters, digits, `_`, `-` and `.`")),
  mcpServerSchema,
);
export type McpServerSettings = z.infer<typeof mcpServerSchema>;
export type McpServers = z.infer<typeof mcpServersSchema>;
