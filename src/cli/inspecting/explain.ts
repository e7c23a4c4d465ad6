/** `toolwright explain '<command>'`: how a command would be judged here and now, and why. Runs nothing. */

import { type Expected, refuse } from "../../base/expected.ts";
import { shellQuoted } from "../../base/shell-word.ts";
import { visibleLine } from "../../base/visible-text.ts";
import { judgeHere } from "../../runtime/inspecting/judged-command.ts";
import { type CliContext, usageError } from "../cli-context.ts";
import { printJudged } from "./judged-lines.ts";
import { readCommand } from "./read-command.ts";

/** Exit code 0 whatever the verdict: the command was explained. */
export async function runExplain(
  { terminal, settings }: CliContext,
  words: readonly string[],
): Promise<number> {
  const command = await commandFrom(words, terminal);
  if (!command.ok) return usageError(terminal, command.problem);
  if (command.value.trim() === "") return usageError(terminal, `The command is empty. Give one: ${example}.`);
  const judged = await judgeHere(command.value, settings, terminal);
  for (const warning of judged.warnings) terminal.report(`! ${visibleLine(warning)}\n`);
  return printJudged({ terminal, settings }, judged);
}

const example = `toolwright explain 'npm test && git push', or toolwright explain -- git push --force`;

async function commandFrom(
  words: readonly string[],
  terminal: CliContext["terminal"],
): Promise<Expected<string>> {
  const [only, second] = words;
  if (only === undefined) return refuse(`Which command should be explained? ${example}.`);
  if (only === "-" && second === undefined) return readCommand(terminal);
  return { ok: true, value: second === undefined ? only : words.map(shellQuoted).join(" ") };
}
