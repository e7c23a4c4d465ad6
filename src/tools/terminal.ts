/**
 * The tool for a shell or program on a persistent terminal: started, typed into, read, awaited and ended by separate
 * calls.
 */

import * as z from "zod/mini";
import { countField, switchField, textField } from "./arguments/shape.ts";
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
    "A shell or program that stays: servers, REPLs, what asks for input. Answers with its output and its state.",
  does: "execute",
  lasting: true,
  input: () => ({
    action: z.enum(actions),
    terminal: z.optional(textField("Its name (main)")),
    command: z.optional(textField("start: program instead of a shell")),
    cwd: z.optional(textField("start: directory")),
    input: z.optional(textField("write: text, sent with Enter")),
    enter: z.optional(switchField("write: false for no Enter")),
    key: z.optional(textField("write: a key, like ctrl-c, ctrl-d, up, tab, escape")),
    pattern: z.optional(textField("Wait for this regular expression")),
    quietSeconds: z.optional(countField("Wait until so long without output")),
    timeoutSeconds: z.optional(countField("Wait at most so long (30)")),
    since: z.optional(countField("Output from this line on, else what is new", 0)),
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
