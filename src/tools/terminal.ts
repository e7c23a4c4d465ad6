/**
 * The tool for a shell or program on a persistent terminal: started, typed into, read, awaited and ended by separate
 * calls.
 */

import * as z from "zod/mini";
import { countField } from "./arguments/shape.ts";
import { nameIn, type TerminalInput } from "./terminal/input.ts";
import { killTerminal, listTerminals, readTerminal, waitForTerminal } from "./terminal/look.ts";
import { startTerminal } from "./terminal/start.ts";
import { typeInTerminal, whyNotTyped } from "./terminal/type.ts";
import { isStop, typedIn } from "./terminal/typing.ts";
import { defineTool } from "./tool.ts";

const actions = ["start", "write", "read", "wait", "kill", "list"] as const;

export const terminal = defineTool({
  name: "terminal",
  aliases: ["virtual_terminal", "interactive_terminal"],
  argumentAliases: {
    terminal: ["name", "id", "terminalId", "session"],
    input: ["text", "data"],
    command: ["cmd"],
    key: ["keys"],
    cwd: ["workdir", "workingDirectory", "directory"],
    pattern: ["waitFor", "regex"],
    timeoutSeconds: ["timeout"],
  },
  summary:
    "A shell or program that stays: servers, REPLs, what asks for input. Answers with its output and state. `start` a `command` or a shell, `write` an `input` (with Enter) or a `key` like ctrl-c, `wait` for a `pattern` or quiet.",
  does: "execute",
  lasting: true,
  input: () => ({
    action: z.enum(actions),
    terminal: z.optional(z.string()),
    command: z.optional(z.string()),
    cwd: z.optional(z.string()),
    input: z.optional(z.string()),
    enter: z.optional(z.boolean()),
    key: z.optional(z.string()),
    pattern: z.optional(z.string()),
    quietSeconds: z.optional(countField()),
    timeoutSeconds: z.optional(countField()),
    since: z.optional(countField(undefined, 0)),
  }),
  title: (input) => {
    const { action, terminal: name = "main" } = input;
    if (action === "start") return `Start ${input.command ?? "a shell"} in terminal ${name}`;
    if (action === "write") return `Type ${typedIn(input) ?? input.key ?? ""} in terminal ${name}`;
    return action === "list" ? "List the terminals" : `${titles[action]} terminal ${name}`;
  },
  paths: ({ cwd }) => (cwd === undefined ? [] : [cwd]),
  doesWith: (input) => (runsSomething(input) ? "execute" : "read"),
  command: (input) => {
    if (input.action === "start") return input.command ?? "bash";
    return input.action === "write" ? typedIn(input) : undefined;
  },
  editable: ({ action, input, command, key }) => {
    if (action === "start") return "command";
    if (action !== "write" || key !== undefined) return undefined;
    if (input !== undefined) return "input";
    return command === undefined ? undefined : "command";
  },
  typesInto: (input) => (input.action === "write" ? nameIn(input) : undefined),
  whyNot: async (input, context) => (input.action === "write" ? whyNotTyped(input, context) : undefined),
  run: (input, context) => {
    switch (input.action) {
      case "start":
        return startTerminal(input, context);
      case "write":
        return typeInTerminal(input, context);
      case "read":
        return readTerminal(input, context);
      case "wait":
        return waitForTerminal(input, context);
      case "kill":
        return killTerminal(input, context);
      case "list":
        return listTerminals(context);
      default:
        return input.action satisfies never;
    }
  },
});

/** Ending a program needs no more permission than ending the terminal. */
const runsSomething = (input: TerminalInput & { action: (typeof actions)[number] }): boolean =>
  input.action === "start" || (input.action === "write" && !isStop(input));

const titles = { read: "Read", wait: "Wait for", kill: "End" } as const;
