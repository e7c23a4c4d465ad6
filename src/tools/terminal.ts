/**
 * The tool for a shell or program on a persistent terminal: started, typed into, read, awaited and ended by separate
 * calls.
 */

import * as z from "zod/mini";
import { durationInWords } from "../base/amounts.ts";
import { cutLine } from "../base/cut-text.ts";
import { type Expected, refuse } from "../base/expected.ts";
import { countField } from "./arguments/shape.ts";
import { answerFor } from "./terminal/answer.ts";
import { deliver } from "./terminal/deliver.ts";
import { nameIn, type TerminalInput, findTerminal, untilFor, waitAndAnswer } from "./terminal/input.ts";
import type { LiveTerminal } from "./terminal/live-terminal.ts";
import { refusalFor } from "./terminal/refusal.ts";
import { startTerminal } from "./terminal/start.ts";
import { stateInWords, stateOf, type TerminalState } from "./terminal/state.ts";
import { isStop, typedIn, type Keystrokes, typingOf } from "./terminal/typing.ts";
import type { Until } from "./terminal/waiting.ts";
import { defineTool, failedResult, ok, type ToolResult, type ToolContext } from "./tool.ts";

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

/** The actions that read, wait for, end and list terminals. */
async function readTerminal(input: TerminalInput, context: ToolContext): Promise<ToolResult> {
  const found = findTerminal(input, context);
  if (!found.ok) return failedResult(found.problem);
  return answerFor(found.value, { outcome: "ok", since: input.since }, context);
}

/** Waits for the pattern, or else for a state that expects input; ends at the terminal's end or the timeout. */
async function waitForTerminal(input: TerminalInput, context: ToolContext): Promise<ToolResult> {
  const found = findTerminal(input, context);
  if (!found.ok) return failedResult(found.problem);
  const until = untilFor(input, { settles: true });
  if (!until.ok) return failedResult(until.problem);
  return waitAndAnswer(found.value, { until: until.value, since: input.since }, context);
}

async function killTerminal(input: TerminalInput, context: ToolContext): Promise<ToolResult> {
  const found = findTerminal(input, context);
  if (!found.ok) return failedResult(found.problem);
  const terminal = found.value;
  await terminal.kill();
  const outcome = terminal.end?.isTold === false ? "timeout" : "ok";
  return answerFor(terminal, { outcome }, context);
}

async function listTerminals({ terminals }: ToolContext): Promise<ToolResult> {
  const lines = await Promise.all(terminals.all().map(lineFor));
  return ok(lines.length === 0 ? "There are no terminals." : lines.join("\n"));
}

async function lineFor(terminal: LiveTerminal): Promise<string> {
  const { name, line = "a shell", startedAt, screen } = terminal;
  const state = stateInWords(await stateOf(terminal));
  const last = screen.present().findLast((row) => row.trim() !== "") ?? "";
  const said = last === "" ? "" : `; last line: ${cutLine(last, 200)}`;
  return `${name}: ${cutLine(line, 200)}; ${state}; started ${ageInWords(Date.now() - startedAt)} ago${said}`;
}

/** In whole seconds, at least one. */
const ageInWords = (milliseconds: number): string =>
  durationInWords(1000 * Math.max(1, Math.round(milliseconds / 1000)));

const quietSeconds = 3;

/** The action that types into a terminal and reports the outcome. */
async function typeInTerminal(given: TerminalInput, context: ToolContext): Promise<ToolResult> {
  const ready = await readyFor(given, context);
  if (!ready.ok) return failedResult(ready.problem);
  const { typing, until, state, terminal } = ready.value;
  const { isTyped, problem } = await deliver(typing, { state, terminal, signal: context.signal });
  if (!isTyped) return failedResult(problem ?? "");
  const after = problem === undefined ? [] : [problem];
  return waitAndAnswer(terminal, { until: { ...until, wasTyped: true }, after }, context);
}

/** Why typing would be refused in the present state. */
async function whyNotTyped(
  given: TerminalInput,
  context: Pick<ToolContext, "terminals">,
): Promise<string | undefined> {
  const ready = await readyFor(given, context);
  return ready.ok ? undefined : ready.problem;
}

type TypingAction = { typing: Keystrokes; until: Until; state: TerminalState; terminal: LiveTerminal };

async function readyFor(
  given: TerminalInput,
  context: Pick<ToolContext, "terminals">,
): Promise<Expected<TypingAction>> {
  const found = findTerminal(given, context);
  if (!found.ok) return found;
  const terminal = found.value;
  const until = untilFor(given, { settles: true, quietSeconds });
  if (!until.ok) return until;
  const typing = typingOf(given, terminal.screen.cursorKeysApplication);
  if (!typing.ok) return typing;
  const state = await readyState(terminal);
  const problem = refusalFor(typing.value, state, terminal);
  if (problem !== undefined) return refuse(problem);
  return { ok: true, value: { typing: typing.value, until: until.value, state, terminal } };
}

const mostLooks = 5;

/** A program that redraws constantly sometimes looks busy although it is reading input. */
async function readyState(terminal: LiveTerminal): Promise<TerminalState> {
  let state = await stateOf(terminal);
  for (let looks = 1; looks < mostLooks && state.is === "busy" && terminal.screen.isFullScreen; looks++)
    state = await stateOf(terminal);
  return state;
}
