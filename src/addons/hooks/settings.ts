/** The schema of hooks in the configuration. */

import * as z from "zod/mini";
import { hookEvents } from "../../protocol/fact-words.ts";

/** The last three are other agents' names for some of the events (B15). */
const names = [...hookEvents, "on-session-start", "on-session-end", "on-file-write"] as const;
const events = z.union([z.enum(names), z.array(z.enum(names))], {
  error: `an event or a list of events: ${hookEvents.join(", ")}`,
});

const seconds = z
  .number()
  .check(
    z.minimum(0.1, "a number of seconds from 0.1 to 120"),
    z.maximum(120, "a number of seconds from 0.1 to 120"),
  );

export const hookSchema = z
  .strictObject({
    on: events.check(z.describe("When it runs.")),
    name: z.optional(z.string().check(z.describe("What people and the model are told it is called."))),
    tools: z.optional(
      z
        .array(z.string().check(z.minLength(1)))
        .check(z.describe('Only for calls of these tools: names, `*` stands for anything: "mcp__*".')),
    ),
    command: z.optional(
      z
        .union([z.string().check(z.minLength(1)), z.array(z.string()).check(z.minLength(1))])
        .check(
          z.describe(
            "What runs in the workspace: a line for bash, or a program with its arguments as a list.",
          ),
        ),
    ),
    url: z.optional(
      z
        .string()
        .check(z.regex(/^https?:\/\/\S+$/u, "an address that begins with http:// or https://"))
        .check(z.describe("Or what is asked by POST, with the same JSON.")),
    ),
    headers: z.optional(
      z
        .record(z.string(), z.string())
        .check(z.describe("Of the request to `url`; ${NAME} stands for a variable of the environment.")),
    ),
    timeout: z.optional(seconds.check(z.describe("Seconds that it may take; 10 by default."))),
    onFailure: z.optional(
      z
        .enum(["allow", "block"])
        .check(
          z.describe(
            "What holds where it fails or takes too long: it is as if it had said nothing (`allow` by default), or no.",
          ),
        ),
    ),
  })
  .check(
    z.refine(({ command, url }) => (command === undefined) !== (url === undefined), {
      path: ["command"],
      error: "either `command` or `url`",
    }),
  );

export const hooksSchema = z.array(hookSchema);
export type HookSettings = z.infer<typeof hookSchema>;
