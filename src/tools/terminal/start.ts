/** The action that starts a terminal. */

import type { Expected } from "../../base/expected.ts";
import { failedResult, type ToolResult, type ToolContext } from "../tool.ts";
import { answerFor } from "./answer.ts";
import { nameIn, type TerminalInput, untilFor, waitAndAnswer } from "./input.ts";
import type { LiveTerminal } from "./live-terminal.ts";
import { clampedNote, directoryFor, interactiveShell, shellCommand } from "./shell.ts";
import { stateInWords, stateOf } from "./state.ts";
import type { PreparedStart } from "./terminals.ts";

/** Longer than usual: programs are chatty at startup, and some pause before they report that they are ready. */
const quietSeconds = 3;

export async function startTerminal(input: TerminalInput, context: ToolContext): Promise<ToolResult> {
  const problem = problemIn(input);
  if (problem !== undefined) return failedResult(problem);
  const until = untilFor(input, { settles: true, quietSeconds });
  if (!until.ok) return failedResult(until.problem);
  const name = nameIn(input);
  const running = context.terminals.get(name);
  if (running && !running.end) return runsAlready(running, input, context);
  const directory = await directoryFor(context.workspace, input.cwd);
  if (!directory.ok) return failedResult(directory.problem);
  const { absolute, isClamped } = directory.value;
  const line = lineIn(input);
  const started = await context.terminals.start(name, () => prepareStart(line, absolute, context));
  if (!started.ok) return failedResult(started.problem);
  const before = isClamped ? [clampedNote] : [];
  const answer = await waitAndAnswer(started.value, { until: until.value, line, before }, context);
  const { end } = started.value;
  return end && end.exit !== 0 ? { ...answer, outcome: "failed" } : answer;
}

function problemIn({ terminal, command, input, key }: TerminalInput): string | undefined {
  if (terminal !== undefined && !/^[\w.-]{1,40}$/.test(terminal))
    return "A terminal's name has up to 40 letters, digits, dots, dashes and underscores.";
  if (command?.trim() === "") return "The command is empty; leave it out to start a shell.";
  if (command?.includes("\0")) return "The command holds a NUL character.";
  if (input !== undefined || key !== undefined)
    return 'start only starts: give what is to be run as "command", and type with "write" afterwards.';
  return undefined;
}

/** Explicitly requesting a shell gives the same as the default. */
const lineIn = ({ command }: TerminalInput): string | undefined =>
  /^\s*(?:\/(?:usr\/)?bin\/)?bash(?:\s+(?:-i|-l|--login))?\s*$/.test(command ?? "bash") ? undefined : command;

/** A32: an existing shell is reused. */
async function runsAlready(
  terminal: LiveTerminal,
  input: TerminalInput,
  context: ToolContext,
): Promise<ToolResult> {
  const { name, line } = terminal;
  if (lineIn(input) === undefined && line === undefined) {
    const after = ["It ran already and is used again."];
    return answerFor(terminal, { outcome: "ok", after }, context);
  }
  const state = stateInWords(await stateOf(terminal));
  return failedResult(
    `Terminal ${name} runs already: ${line ?? "a shell"}, ${state}. Write to it, kill it first, or start another by giving "terminal" a new name.`,
  );
}

async function prepareStart(
  line: string | undefined,
  directory: string,
  context: ToolContext,
): Promise<Expected<PreparedStart>> {
  const contained = await context.contain({
    command: line === undefined ? interactiveShell() : shellCommand(line),
    directory,
    env: environmentFor(context, directory),
    lasting: true,
  });
  if (!contained.ok) return contained;
  return { ok: true, value: { line, contained: contained.value, cwd: directory } };
}

/** Variables of another terminal, or settings that an interactive shell would run, store or be changed by. */
const foreign =
  /^(?:COLUMNS|LINES|TERMCAP|TMUX.*|STY|WINDOW(?:ID)?|TERM_PROGRAM.*|VTE_VERSION|COLORTERM|PS[0-9]|PROMPT_COMMAND.*|HIST.*|INPUTRC)$/;

/** A real terminal, but without pagers nobody requested; typed input stays out of the user's history files. */
function environmentFor({ environment }: ToolContext, directory: string): Record<string, string> {
  const kept = Object.entries(environment).filter(([name]) => !foreign.test(name));
  return {
    ...Object.fromEntries(kept),
    TERM: "xterm-256color",
    PAGER: "cat",
    GIT_PAGER: "cat",
    PS1: String.raw`\w\$ `,
    PS2: "> ",
    // Sets the history characters to untypable ones, so that what was judged is what runs.
    histchars: "\u0001\u0001",
    HISTFILE: "",
    NODE_REPL_HISTORY: "",
    PYTHON_HISTORY: "/dev/null",
    LESSHISTFILE: "-",
    INPUTRC: "/dev/null",
    PWD: directory,
  };
}
