/** The tool that runs a command in a terminal of the user's own shell, if they let it. */

import * as z from "zod/mini";
import { defineEditorTool, type EditorToolAnswer, failed, said } from "./editor-tool.ts";
import { terminalToolName } from "./terminal-tool-name.ts";
import type { ShellOutcome } from "./user-shell.ts";

/** Characters: more are a script's. */
const longestCommand = 8_000;
const [usualSeconds, mostSeconds] = [120, 1_500];

export const runInMyTerminal = defineEditorTool({
  name: terminalToolName,
  title: "Run in your terminal",
  description:
    "Run a command in a terminal of the user's own shell in their editor, where they see it and can type. For what run_command cannot do: what needs their logins, their password or their environment. It runs outside of the sandbox, nothing undoes what it changes, and the user is asked about each call. The shell keeps its directory and variables between calls. A command that is not done after `seconds` is left running, and its later output cannot be read.",
  does: "execute",
  askedEachTime:
    "it runs in your own terminal: outside of the sandbox, and undo does not cover what it changes",
  input: z.object({
    command: z.string().check(z.minLength(1), z.maxLength(longestCommand)),
    seconds: z.optional(z.int().check(z.minimum(1), z.maximum(mostSeconds))),
  }),
  async run({ command, seconds = usualSeconds }, { powers, signal }) {
    const ran = await powers.runInTerminal({ command, seconds, signal });
    return ran.ok ? answerOf(ran.value, seconds) : failed(ran.problem);
  },
});

function answerOf(outcome: ShellOutcome, seconds: number): EditorToolAnswer {
  const words = endWords(outcome, seconds);
  const text = outcome.output === "" ? words : `${outcome.output}\n\n${words}`;
  const isFailure = outcome.type === "interrupted" || ("exit" in outcome && (outcome.exit ?? 0) !== 0);
  return isFailure ? failed(text) : said(text);
}

function endWords(outcome: ShellOutcome, seconds: number): string {
  switch (outcome.type) {
    case "ended":
      return outcome.exit === undefined
        ? "It has ended. The shell did not tell its exit code."
        : `Exit code: ${outcome.exit}`;
    case "closed":
      return `The terminal closed${outcome.exit === undefined ? "." : `. Exit code: ${outcome.exit}`}`;
    case "left-running":
      return `After ${seconds} s it still runs in the user's terminal, and is not watched any more.`;
    case "interrupted":
      return "It was interrupted: Ctrl-C was sent to the user's terminal.";
    default:
      return outcome satisfies never;
  }
}
