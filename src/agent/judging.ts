/**
 * What the words of a call would do as a command. Large, for it knows many programs: it is loaded when the first
 * command comes (`import("./judging.ts")`).
 */

import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { isWithin } from "../base/paths.ts";
import { isContaining } from "../safety/containment.ts";
import { judgeCommand } from "../safety/judge.ts";
import { isAtLeast, type Judgement } from "../safety/judgement.ts";
import { judgeReach } from "../safety/reach.ts";
import { escapeIn, type Typed, typedInto } from "../tools/terminal/typed.ts";
import type { PreparedCall } from "../tools/tool.ts";
import type { TurnRoom } from "./room.ts";

type Around = Pick<TurnRoom, "workspace" | "home" | "environment">;

/** What the call types into a terminal, if it does. */
export function typedBy(
  { command, typesInto }: PreparedCall,
  { terminals, ...around }: Around & Pick<TurnRoom, "terminals">,
): Typed | undefined {
  if (typesInto === undefined) return undefined;
  const typed = typedInto(terminals.get(typesInto), command);
  const isAtShell = typed.line !== undefined && typed.line === typed.text;
  const line = isAtShell ? undefined : lineBehind(typed, around);
  return line === undefined ? typed : { ...typed, line };
}

/**
 * Programs can run commands for whoever types (`!ls`), and may end before they have read all: then the shell behind
 * them gets it. What would be dangerous there counts; how much so depends on whether anything contains it.
 */
function lineBehind({ text, runsIn }: Typed, around: Omit<Around, "environment">): string | undefined {
  if (text === undefined) return undefined;
  const escaped = escapeIn(text);
  if (escaped === undefined && runsIn && isContaining(runsIn)) return undefined;
  const line = escaped ?? text;
  const { severity, destroysOutside } = judgeCommand(line, { ...around, directory: around.workspace });
  return isAtLeast(severity, escaped === undefined ? "critical" : "high") || destroysOutside
    ? line
    : undefined;
}

/** What is understood of the call's command, if it has one. */
export function judgementOf(
  prepared: PreparedCall,
  typed: Typed | undefined,
  around: Around,
): Judgement | undefined {
  const command = typed ? typed.line : prepared.command;
  if (command === undefined) return undefined;
  const { workspace, home, environment } = around;
  const directory = typed ? (typed.directory ?? workspace) : directoryIn(workspace, prepared.paths[0] ?? ".");
  const surroundings = { home, workspace, directory };
  const place = { around: surroundings, path: environment["PATH"] ?? "" };
  return judgeReach(judgeCommand(command, surroundings), place);
}

/** A30: what lies outside is clamped to the root. */
function directoryIn(workspace: string, path: string): string {
  try {
    const real = realpathSync.native(resolve(workspace, path));
    return isWithin(workspace, real) ? real : workspace;
  } catch {
    return workspace;
  }
}
