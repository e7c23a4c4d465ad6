/**
 * Judges a call's text as a command. Large, since it knows many programs, so it is loaded with the first command
 * (`import("./judging.ts")`).
 */

import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { isWithin } from "../../base/paths.ts";
import { isContaining } from "../../safety/containment.ts";
import { namedFiles } from "../../safety/files-in-line.ts";
import { judgeOnDisk } from "../../safety/judge-on-disk.ts";
import { judgeCommand } from "../../safety/judge.ts";
import { isAtLeast, type Judgement } from "../../safety/judgement.ts";
import type { FilesOfLine } from "../../safety/named-files.ts";
import { escapeIn, type TypedInput, typedInto } from "../../tools/terminal/typed-input.ts";
import type { PreparedCall } from "../../tools/tool.ts";
import type { TurnContext } from "../turn-context.ts";

type JudgingContext = Pick<TurnContext, "workspace" | "home" | "environment" | "programs">;

/** The text a call types into a terminal, if any. */
export function typedBy(
  { command, typesInto }: Pick<PreparedCall, "command" | "typesInto">,
  { terminals, ...around }: JudgingContext & Pick<TurnContext, "terminals">,
): TypedInput | undefined {
  if (typesInto === undefined) return undefined;
  const typed = typedInto(terminals.get(typesInto), command);
  const isAtShell = typed.line !== undefined && typed.line === typed.text;
  const line = isAtShell ? undefined : lineBehind(typed, around);
  return line === undefined ? typed : { ...typed, line };
}

/**
 * A program can run commands for its user (`!ls`), and may end before it has read everything: the shell behind it then
 * runs the rest. Text that would be dangerous there is judged as a command; the threshold depends on whether a sandbox
 * contains it.
 */
function lineBehind(
  { text, runsIn }: TypedInput,
  around: Omit<JudgingContext, "environment">,
): string | undefined {
  if (text === undefined) return undefined;
  const escaped = escapeIn(text);
  if (escaped === undefined && runsIn && isContaining(runsIn)) return undefined;
  const line = escaped ?? text;
  const { severity, destroysOutside } = judgeCommand(line, {
    ...around,
    directory: around.workspace,
    own: around.programs,
  });
  return isAtLeast(severity, escaped === undefined ? "critical" : "high") || destroysOutside
    ? line
    : undefined;
}

/** The judgement of the call's command, if it has one. */
export function judgementOf(
  prepared: Pick<PreparedCall, "command" | "paths">,
  typed: TypedInput | undefined,
  around: JudgingContext,
): Judgement | undefined {
  const command = typed ? typed.line : prepared.command;
  if (command === undefined) return undefined;
  const { workspace, home, environment, programs: own } = around;
  const directory = typed ? (typed.directory ?? workspace) : directoryIn(workspace, prepared.paths[0] ?? ".");
  const surroundings = { home, workspace, directory, own };
  const place = { around: surroundings, path: environment["PATH"] ?? "" };
  return judgeOnDisk(judgeCommand(command, surroundings), place);
}

/** All files that its command can see and change, if its words tell. */
export const namedBy = (
  { command = "", paths }: Pick<PreparedCall, "command" | "paths">,
  { workspace, environment }: JudgingContext,
): FilesOfLine | undefined => namedFiles(command, { workspace, environment, directory: paths[0] ?? "." });

/** A30: a path outside is clamped to the root. */
function directoryIn(workspace: string, path: string): string {
  try {
    const real = realpathSync.native(resolve(workspace, path));
    return isWithin(workspace, real) ? real : workspace;
  } catch {
    return workspace;
  }
}
